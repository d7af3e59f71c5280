internal import FoundationEssentials
internal import HeapModule
internal import SearchModel

/// The moments of the N newest posts so far, each post counted once: what a further page must reach.
///
/// Moments are whole seconds since 1970. Copies of one post on two servers may differ by less than a
/// second, since one tells the milliseconds and the other does not; the rule must not hang on which
/// of them came first.
struct NewestTally: Sendable {
  private struct Entry: Comparable, Sendable {
    let second: Double
    let identity: Int

    static func < (one: Self, other: Self) -> Bool {
      (one.second, one.identity) < (other.second, other.identity)
    }
  }

  let limit: Int
  private var newest = Heap<Entry>()
  /// The identities of the posts in `newest`.
  private var identities: Set<Int> = []

  init(limit: Int) { self.limit = limit }

  /// The moment of the N-th newest post; minus infinity while there are fewer.
  private(set) var threshold = -Double.infinity

  /// Counts a dated post.
  mutating func add(_ post: Post, at date: Date) {
    let second = Self.second(of: date)
    guard second >= threshold, identities.insert(post.identityHash).inserted else { return }
    newest.insert(Entry(second: second, identity: post.identityHash))
    if newest.count > limit, let last = newest.popMin() { identities.remove(last.identity) }
    if newest.count == limit, let last = newest.min { threshold = last.second }
  }

  /// How many of the N newest are newer than a moment.
  func count(after second: Double) -> Int {
    newest.unordered.count { $0.second > second }
  }

  static func second(of date: Date) -> Double { date.timeIntervalSince1970.rounded(.down) }
}
