internal import SearchModel

/// Gathers the posts of an answer: each once, and the items that are none counted.
struct PageBuilder {
  private(set) var posts: [Post] = []
  private var brokenItems = 0
  private var uris: Set<String> = []

  /// How many items have come, broken ones and doubles too.
  private(set) var items = 0

  /// - Parameter count: How many items the answer holds; a list that lies costs no memory to speak of.
  init(expecting count: Int = 0) {
    posts.reserveCapacity(min(count, 1000))
    uris.reserveCapacity(min(count, 1000))
  }

  /// Adds an item; nil when it could not be read.
  mutating func add(_ post: Post?) {
    items += 1
    guard let post else {
      brokenItems += 1
      return
    }
    if uris.insert(post.uri).inserted { posts.append(post) }
  }

  /// The page; one that would begin where this one did is no next page.
  func page(
    next: Cursor?, after current: Cursor?, missing: String? = nil, gap: String? = nil,
    notes: [String] = []
  ) -> Page {
    Page(
      posts: posts, next: next == current ? nil : next, brokenItems: brokenItems,
      missing: missing, gap: gap, notes: notes)
  }
}
