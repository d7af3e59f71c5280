internal import SafeFiles

/// Posts that were given up: the name that people know them by, and a line of ndjson for each.
package struct UndeliveredPosts: Hashable, Sendable {
  package var name: String
  package var lines: String

  package init(name: String, lines: String) {
    self.name = name
    self.lines = lines
  }
}

/// The folder of posts that were given up, beside the file of a state.
package struct UndeliveredFolder: Hashable, Sendable {
  /// The largest file that is sent again.
  private static let largest = 256 << 20

  private let path: String

  /// The folder beside the file of a state; it need not exist.
  package init(beside state: String) {
    let parent = state.lastIndex(of: "/").map { state[..<$0] } ?? "."
    path = "\(parent)/undelivered"
  }

  package var isThere: Bool { BoundedRead.isThere(path) }

  /// The posts of all files, the oldest first.
  func all() throws(HistoryError) -> [UndeliveredPosts] {
    guard isThere else { return [] }
    return try stating { folder in
      let names = try folder.members().map(\.name)
        .filter { $0.hasSuffix(".ndjson") && !$0.hasPrefix(".") }
      return try names.sorted().map { name in
        let bytes = try BoundedRead.bytes(of: folder.file(name), limit: Self.largest)
        return UndeliveredPosts(name: name, lines: String(decoding: bytes, as: UTF8.self))
      }
    }
  }

  /// Writes posts to the file of their name, or removes it where none are left; returns its path.
  func keep(_ posts: UndeliveredPosts) throws(HistoryError) -> String {
    try stating { folder in
      let file = PrivateFile(path: folder.file(posts.name))
      if posts.lines.isEmpty {
        folder.remove(posts.name)
      } else {
        try file.write(Array(posts.lines.utf8))
      }
      return file.path
    }
  }

  private func stating<Value>(_ body: (PrivateFolder) throws -> Value) throws(HistoryError) -> Value
  {
    do {
      return try body(PrivateFolder(at: path))
    } catch let error as FileWriteError {
      throw .failed(path: error.path, reason: error.reason)
    } catch let error as FileReadError {
      throw .failed(path: error.path, reason: error.reason)
    } catch {
      throw .failed(path: path, reason: "\(error)")
    }
  }
}
