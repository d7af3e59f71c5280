internal import Application
internal import SafeFiles
internal import TextFormats

/// The user's configuration file, as commands change it. All other settings in it stay as they are.
struct OwnConfiguration: Sendable {
  private let file: SharedFile

  var path: String { file.path }

  init(in context: Context) throws {
    guard let folder = ConfigurationFolder.path(in: context) else {
      throw CommandFailure(
        .badConfiguration, "cannot tell where the configuration file is: set HOME")
    }
    file = SharedFile(path: "\(folder)/config.json", limit: ConfigurationFile.largest)
  }

  /// The object of settings; an empty one if the file does not exist.
  func document() throws -> JSONValue { try document(file.read) }

  private func document(_ read: () throws -> [UInt8]?) throws -> JSONValue {
    let document = try naming(path, failingWith: .badConfiguration) {
      try read().map { try JSONValue(reading: $0) } ?? .object([])
    }
    guard case .object = document else {
      throw CommandFailure(.badConfiguration, "\(path): expected an object of settings")
    }
    return document
  }

  /// Changes the object while no other process does, and replaces the file as a whole where it differs.
  func change<Value>(_ change: (inout JSONValue) throws -> Value) throws -> Value {
    try file.change { read in
      let old = try document(read)
      var new = old
      let value = try change(&new)
      return (new == old ? nil : new.fileBytes, value)
    }
  }
}

extension JSONValue {
  /// The object with one member replaced or appended.
  func setting(_ key: String, to value: JSONValue) -> JSONValue {
    guard case .object(var members) = self else { return .object([JSONMember(key, value)]) }
    if let index = members.firstIndex(where: { $0.key == key }) {
      members[index].value = value
    } else {
      members.append(JSONMember(key, value))
    }
    return .object(members)
  }

  /// The object without a member.
  func removing(_ key: String) -> JSONValue {
    guard case .object(let members) = self else { return self }
    return .object(members.filter { $0.key != key })
  }
}
