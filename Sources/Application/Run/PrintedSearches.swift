internal import SearchModel

/// The searches whose posts were printed.
///
/// Posts are looked at until a search that is asked about is found: few are asked about, and most of them
/// are among the first ones.
struct PrintedSearches {
  private struct Search: Hashable {
    let tag: String
    let source: SourceName
  }

  private var found: Set<Search> = []
  /// The posts that were not looked at.
  private var rest: ArraySlice<Post>

  init(of posts: ArraySlice<Post> = []) { rest = posts }

  /// True if there were no posts.
  var isEmpty: Bool { rest.isEmpty && found.isEmpty }

  /// Looks at some more posts, all of them, which need not be kept.
  mutating func add(_ posts: [Post]) {
    for post in posts { add(post) }
  }

  mutating func contains(_ outcome: SearchOutcome) -> Bool {
    let search = Search(tag: outcome.tag, source: outcome.source)
    while !found.contains(search) {
      guard let post = rest.popFirst() else { return false }
      add(post)
    }
    return true
  }

  private mutating func add(_ post: Post) {
    for tag in post.tags { found.insert(Search(tag: tag, source: post.source)) }
  }
}
