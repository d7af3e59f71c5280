internal import SafeFiles

/// A file of posts that were given up, in the folder beside the state.
package struct UndeliveredFile: Hashable, Sendable {
  /// The largest file that is sent again.
  private static let largest = 256 << 20

  package let name: String
  private let folder: String

  package var path: String { "\(folder)/\(name)" }

  package static func folder(beside path: String) -> String {
    let parent = path.lastIndex(of: "/").map { path[..<$0] } ?? "."
    return "\(parent)/undelivered"
  }

  /// The files beside a state, the oldest first.
  package static func all(beside path: String) throws -> [UndeliveredFile] {
    let folder = folder(beside: path)
    guard BoundedRead.isThere(folder) else { return [] }
    return try PrivateFolder(at: folder).members().map(\.name)
      .filter { $0.hasSuffix(".ndjson") && !$0.hasPrefix(".") }.sorted()
      .map { UndeliveredFile(name: $0, folder: folder) }
  }

  /// Its posts, as lines of ndjson.
  package func lines() throws -> String {
    let bytes = try BoundedRead.bytes(of: path, limit: Self.largest)
    return String(decoding: bytes, as: UTF8.self)
  }

  package func replaceLines(_ lines: some Sequence<Substring>) throws {
    try PrivateFile(path: path).write(Array((lines.joined(separator: "\n") + "\n").utf8))
  }

  package func remove() throws { try PrivateFolder(at: folder).remove(name) }
}
