internal import SafeFiles
package import TextFormats

/// The user's configuration file, as commands change it. All other settings in it stay as they are.
package struct OwnConfiguration: Sendable {
  /// The largest file that is read.
  package static let largest = 1 << 20

  private let file: SharedFile

  package var path: String { file.path }

  /// The file in a folder of the user's own configuration.
  package init(in folder: String) { self.init(at: "\(folder)/config.json") }

  package init(at path: String) { file = SharedFile(path: path, limit: Self.largest) }

  /// The object of settings; an empty one if the file does not exist.
  package func document() throws -> JSONValue { try document(file.read) }

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
  package func change<Value>(_ change: (inout JSONValue) throws -> Value) throws -> Value {
    try file.change { read in
      let old = try document(read)
      var new = old
      let value = try change(&new)
      return (new == old ? nil : new.fileBytes, value)
    }
  }
}

extension JSONValue {
  /// A configuration with the settings of a source, which is left out once it has none.
  package func setting(source name: String, to settings: JSONValue) -> JSONValue {
    let sources = self["sources"] ?? .object([])
    return setting(
      "sources",
      to: settings == .object([]) ? sources.removing(name) : sources.setting(name, to: settings))
  }

  /// The object with one member replaced or appended.
  package func setting(_ key: String, to value: JSONValue) -> JSONValue {
    guard case .object(var members) = self else { return .object([JSONMember(key, value)]) }
    if let index = members.firstIndex(where: { $0.key == key }) {
      members[index].value = value
    } else {
      members.append(JSONMember(key, value))
    }
    return .object(members)
  }

  /// The object without a member.
  package func removing(_ key: String) -> JSONValue {
    guard case .object(let members) = self else { return self }
    return .object(members.filter { $0.key != key })
  }
}
