internal import Application
internal import SafeFiles
internal import TextFormats

/// The user's configuration file as commands change it: what else it holds stays as it is.
struct OwnConfiguration: Sendable {
  private static let largest = 1 << 20

  let path: String

  init(in context: Context) throws {
    guard let folder = ConfigurationFolder.path(in: context) else {
      throw CommandFailure(
        .badConfiguration, "cannot tell where the configuration file is: set HOME")
    }
    path = "\(folder)/config.json"
  }

  /// The object of settings; an empty one if the file does not exist.
  func document() throws -> JSONValue {
    let bytes: [UInt8]
    do {
      bytes = try BoundedRead.bytes(of: path, limit: Self.largest)
    } catch .missing {
      return .object([])
    } catch {
      throw CommandFailure(.badConfiguration, "\(error)")
    }
    let document: JSONValue
    do throws(DocumentError) { document = try JSONValue(reading: bytes) } catch {
      throw CommandFailure(.badConfiguration, "\(path): \(error)")
    }
    guard case .object = document else {
      throw CommandFailure(.badConfiguration, "\(path): expected an object of settings")
    }
    return document
  }

  /// Changes the object while no other process does, and replaces the file as a whole where it differs.
  func change<Value>(
    _ change: (inout JSONValue) throws -> Value
  ) throws -> Value {
    try Directories.create(above: path, mode: 0o700)
    return try FileLock.hold(path) {
      let old = try document()
      var new = old
      let value = try change(&new)
      if new != old { try write(new) }
      return value
    }.get()
  }

  private func write(_ document: JSONValue) throws(FileWriteError) {
    var file = try FileReplacement(of: path)
    try file.write(document.fileBytes)
    try file.commit()
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
