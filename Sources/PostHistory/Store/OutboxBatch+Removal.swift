internal import TextFormats

extension OutboxBatch {
  /// The batch without the posts of an address or id, and the identities of those posts.
  package func withoutPosts(named name: String) -> (rest: OutboxBatch, removed: Set<String>) {
    let posts = lines.split(separator: "\n").map { WaitingPost($0) }
    let kept = posts.indices.filter { !posts[$0].isNamed(name) }
    guard kept.count < posts.count else { return (self, []) }
    var rest = self
    rest.lines = kept.map { posts[$0].line + "\n" }.joined()
    rest.taken = kept.count { $0 < taken }
    return (rest, Set(posts.filter { $0.isNamed(name) }.map(\.identity)))
  }
}

/// A post as a line of a batch.
private struct WaitingPost {
  let line: Substring
  /// Its address among the posts of its network, its id and its address.
  private let names: [String?]

  init(_ line: Substring) {
    self.line = line
    // A line that is not JSON, as an earlier version may have left it, has no name.
    let post = try? JSONValue(reading: Array(line.utf8))
    names = ["uri", "id", "url"].map { key in
      if case .string(let name)? = post?[key] { name } else { nil }
    }
  }

  var identity: String { names[0] ?? String(line) }

  func isNamed(_ name: String) -> Bool { names.contains(name) }
}
