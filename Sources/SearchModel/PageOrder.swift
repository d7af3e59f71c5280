/// The order in which a network lists the posts of a search, page after page.
///
/// It decides what proves that a search has passed a bound, such as `--since` or the N-th newest post.
/// The stricter order is the smaller one.
package enum PageOrder: Hashable, Comparable, CaseIterable, Sendable {
  /// Strictly newest first, apart from pinned posts: the first older post proves that only older ones
  /// follow.
  case exact
  /// Newest first on the whole, with posts out of place: backdated, edited or from slower servers.
  case approximate
  /// Not by date at all: no page says anything about the dates on the next one.
  case unordered
}
