import Foundation

/// A folder for one test, gone when the test is.
final class Folder: Sendable {
  let path: String

  init() throws {
    path = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  subscript(_ name: String) -> String { "\(path)/\(name)" }

  /// What stands in it, hidden files included.
  var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
  }

  func write(_ text: String, to name: String, mode: Int = 0o644) throws {
    try Data(text.utf8).write(to: URL(filePath: self[name]))
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: self[name])
  }

  func text(of name: String) throws -> String {
    String(decoding: try Data(contentsOf: URL(filePath: self[name])), as: UTF8.self)
  }

  func mode(of name: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: self[name])[.posixPermissions] as? Int
  }

  func link(_ name: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(atPath: self[name], withDestinationPath: target)
  }

  func linkTarget(of name: String) throws -> String {
    try FileManager.default.destinationOfSymbolicLink(atPath: self[name])
  }
}
