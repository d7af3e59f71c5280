internal import FoundationEssentials
internal import SearchModel
internal import TextFormats

/// The posts that a deletion names: by addresses or ids, and by what a query says of authors, tags and networks.
package struct PostSelection {
  private let names: Set<String>
  private let query: HistoryQuery?

  package init(named names: Set<String>, or query: HistoryQuery? = nil) {
    self.names = names
    self.query = query
  }

  fileprivate func contains(_ post: WaitingPost) -> Bool {
    post.isNamed(names) || query.map(post.matches) == true
  }
}

extension OutboxBatch {
  /// The batch without some posts, and the identities of those posts.
  package func without(_ selection: PostSelection) -> (rest: OutboxBatch, removed: Set<String>) {
    let posts = lines.split(separator: "\n").map { WaitingPost($0) }
    let isMeant = posts.map(selection.contains)
    guard isMeant.contains(true) else { return (self, []) }
    let kept = posts.indices.filter { !isMeant[$0] }
    var rest = self
    rest.lines = kept.map { posts[$0].line + "\n" }.joined()
    rest.taken = kept.count { $0 < taken }
    return (rest, Set(posts.indices.filter { isMeant[$0] }.map { posts[$0].identity }))
  }
}

extension Outbox {
  /// Removes posts from those that were given up; returns the identities of those that were there.
  package func removeUndelivered(_ selection: PostSelection) throws(HistoryError) -> Set<String> {
    var all: Set<String> = []
    for posts in try undelivered() {
      let batch = OutboxBatch(receiver: "", lines: posts.lines, created: .distantPast)
      let (rest, removed) = batch.without(selection)
      guard !removed.isEmpty else { continue }
      try keep(UndeliveredPosts(name: posts.name, lines: rest.lines))
      all.formUnion(removed)
    }
    return all
  }

  /// The identities of the posts that wait or were given up.
  package func waiting(_ selection: PostSelection) throws(HistoryError) -> Set<String> {
    let lines =
      try batches(before: .distantFuture, except: []).map(\.lines) + undelivered().map(\.lines)
    return lines.reduce(into: []) { all, lines in
      let batch = OutboxBatch(receiver: "", lines: lines, created: .distantPast)
      all.formUnion(batch.without(selection).removed)
    }
  }
}

/// A post as a line of a batch.
private struct WaitingPost {
  let line: Substring
  /// Nil for a line that is not JSON, as an earlier version may have left it.
  private let value: JSONValue?

  init(_ line: Substring) {
    self.line = line
    value = try? JSONValue(reading: Array(line.utf8))
  }

  /// Its address among the posts of its network.
  var identity: String { text("uri") ?? String(line) }

  func isNamed(_ names: Set<String>) -> Bool {
    ["uri", "id", "url"].contains { text($0).map(names.contains) ?? false }
  }

  func matches(_ query: HistoryQuery) -> Bool {
    guard let source = text("source"), let server = PostBody.nowhere else { return false }
    if !query.tags.isEmpty {
      guard case .array(let tags)? = value?["tags"],
        tags.contains(where: { $0.text.map(query.tags.contains) ?? false })
      else { return false }
    }
    var draft = PageDraft(source: SourceName(rawValue: source), server: server)
    draft.add(
      PackedPost(
        id: "", uri: "", author: author("author") ?? Author(), text: text("text") ?? "",
        repostedBy: author("reposted_by"), in: &draft))
    return draft.posts().allSatisfy(HistoryFilter(query).passes)
  }

  private func author(_ key: String) -> Author? {
    guard let author = value?[key], case .object = author else { return nil }
    return Author(handle: author.text("handle") ?? "", name: author.text("name"))
  }

  private func text(_ key: String) -> String? { value?.text(key) }
}
