internal import FoundationEssentials
internal import TextFormats

extension OutboxBatch {
  /// The batch without the posts of some addresses or ids, and the identities of those posts.
  package func withoutPosts(
    named names: Set<String>
  ) -> (rest: OutboxBatch, removed: Set<String>) {
    let posts = lines.split(separator: "\n").map { WaitingPost($0) }
    let kept = posts.indices.filter { !posts[$0].isNamed(names) }
    guard kept.count < posts.count else { return (self, []) }
    var rest = self
    rest.lines = kept.map { posts[$0].line + "\n" }.joined()
    rest.taken = kept.count { $0 < taken }
    return (rest, Set(posts.filter { $0.isNamed(names) }.map(\.identity)))
  }
}

extension Outbox {
  /// Removes the posts of some addresses or ids from those that were given up; returns their number.
  package func removeUndelivered(named names: Set<String>) throws(HistoryError) -> Int {
    var all: Set<String> = []
    for posts in try undelivered() {
      let batch = OutboxBatch(receiver: "", lines: posts.lines, created: .distantPast)
      let (rest, removed) = batch.withoutPosts(named: names)
      guard !removed.isEmpty else { continue }
      try keep(UndeliveredPosts(name: posts.name, lines: rest.lines))
      all.formUnion(removed)
    }
    return all.count
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

  func isNamed(_ others: Set<String>) -> Bool {
    names.contains { $0.map(others.contains) ?? false }
  }
}
