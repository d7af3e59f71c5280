internal import FoundationEssentials
package import SearchModel
internal import TextFormats

/// The posts that a terminal shows unless all are asked for: the newest ones, without those that have no
/// date.
package struct ScreenSelection: Sendable {
  package let posts: ArraySlice<Post>
  /// The lines that say what is not shown, and how to get it.
  package let closing: [String]

  /// - Parameters:
  ///   - all: The posts in the order of the output, those without a date last.
  ///   - most: The most posts to show.
  package init(_ all: [Post], most: Int = 50) {
    let isDated = { (post: Post) in post.createdAt.map(RFC3339.canWrite) ?? false }
    let dated = all.prefix(while: isDated)
    // Where no post has a date they are all that there is.
    let hasOrder = !dated.isEmpty
    let folded = hasOrder ? all.filter { !isDated($0) } : []
    let shown = hasOrder ? all.filter(isDated) : all
    posts = shown.prefix(most)

    var lines: [String] = []
    var sources: [SourceName] = []
    for post in folded where !sources.contains(post.source) { sources.append(post.source) }
    for source in sources {
      let count = folded.count { $0.source == source }
      lines.append("… \(Plural.count(count, "undated post")) from \(source)")
    }
    let rest = shown.count - posts.count
    if rest > 0 {
      lines.append("… \(Plural.count(rest, "more post")); show all with --all")
    } else if let last = lines.popLast() {
      lines.append("\(last); show all with --all")
    }
    closing = lines
  }
}
