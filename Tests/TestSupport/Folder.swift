package import Foundation

/// A temporary folder for one test.
package final class Folder: Sendable {
  package let path: String

  package init() throws {
    path =
      FileManager.default.temporaryDirectory
      .appending(path: "searchagg-\(UUID().uuidString)").resolvingSymlinksInPath().path
    try FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }

  deinit {
    // The system clears what a test made unremovable.
    try? FileManager.default.removeItem(atPath: path)
  }

  /// Removes it now; called at the end of a test, this also keeps it until then.
  package func remove() { try? FileManager.default.removeItem(atPath: path) }

  package var url: URL { URL(filePath: path) }

  /// The path of a name in it.
  package subscript(_ name: String) -> String { "\(path)/\(name)" }

  /// Its contents, including hidden files.
  package var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
  }

  /// Writes a file, creating its folders, and returns its path.
  @discardableResult
  package func write(_ text: String, to name: String, mode: Int = 0o644) throws -> String {
    let file = URL(filePath: self[name])
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: self[name])
    return self[name]
  }

  package func write(_ bytes: [UInt8], to name: String) throws {
    try Data(bytes).write(to: URL(filePath: self[name]))
  }

  /// The content of a file; nil if there is none.
  package func bytes(of name: String) -> [UInt8]? {
    FileManager.default.contents(atPath: self[name]).map { Array($0) }
  }

  package func text(of name: String) throws -> String {
    String(decoding: try Data(contentsOf: URL(filePath: self[name])), as: UTF8.self)
  }

  /// Changes the mode of the folder itself.
  package func setMode(_ mode: Int) throws {
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
  }

  package func mode(of name: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: self[name])[.posixPermissions] as? Int
  }

  package func link(_ name: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(atPath: self[name], withDestinationPath: target)
  }

  package func linkTarget(of name: String) throws -> String {
    try FileManager.default.destinationOfSymbolicLink(atPath: self[name])
  }
}
