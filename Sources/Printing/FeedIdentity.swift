internal import FoundationEssentials
internal import SearchModel

/// The identifiers of a feed and its entries, the same on every run of the same searches.
struct FeedIdentity {
  /// `urn:uuid:` and a UUID of version 5, made from the tags and sources of the run.
  let feed: String
  let title: String
  /// The date of the newest post, or the run's now when no post has one.
  let updated: Date

  init(_ result: RunResult) {
    let tags = result.tags
    let sources = Set(result.outcomes.map(\.source.rawValue)).sorted()
    let name = (["tags"] + tags.sorted() + ["sources"] + sources).joined(separator: "\n")
    feed = "urn:uuid:\(ContentDigest.uuid(of: name))"
    title = tags.isEmpty ? "searchagg" : "searchagg: \(tags.joined(separator: ", "))"
    updated =
      result.posts.first { !$0.isFuture && $0.createdAt != nil }?.createdAt ?? result.now
  }

  /// Returns the identifier of a post's entry.
  static func entry(of post: borrowing Post) -> String {
    "urn:uuid:\(ContentDigest.uuid(of: "\(post.source.rawValue)\n\(post.uri)"))"
  }

  /// Returns the title of a post, or the beginning of its text in place of one.
  static func title(of post: borrowing Post) -> String {
    if let title = post.title, !title.isEmpty { return title }
    let line = post.text.split(whereSeparator: \.isNewline).first ?? ""
    guard line.count > longestTitle else { return line.isEmpty ? "Untitled" : String(line) }
    let start = line.prefix(longestTitle)
    let end = start.lastIndex(of: " ") ?? start.endIndex
    return start[..<end] + "…"
  }

  private static let longestTitle = 80
}
