internal import FoundationEssentials
internal import HeapModule
internal import SearchModel

/// The moments of the N newest posts so far, each post counted once: what a further page must reach.
/// Posts that may be joined by their link count as one, of the newest moment of them.
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
  let joinsByLink: Bool
  /// May hold older moments of a post, too; never as its smallest.
  private var newest = Heap<Entry>()
  /// The moment of each post that counts, by its identity or link.
  private var moments: [Int: Double] = [:]

  init(limit: Int, joinsByLink: Bool) {
    self.limit = limit
    self.joinsByLink = joinsByLink
  }

  /// The moment of the N-th newest post; minus infinity while there are fewer.
  private(set) var threshold = -Double.infinity

  /// Counts a dated post.
  mutating func add(_ post: Post, at date: Date) {
    let second = Self.second(of: date)
    guard second >= threshold else { return }
    // Two with one link are perhaps not joined, as their texts differ: then too few are counted, which
    // costs a page and loses nothing.
    let identity = joinsByLink ? post.copyKey : post.identityHash
    guard second > moments[identity] ?? -.infinity else { return }
    moments[identity] = second
    newest.insert(Entry(second: second, identity: identity))
    while let last = newest.min {
      if moments[last.identity] == last.second {
        guard moments.count > limit else { break }
        moments[last.identity] = nil
      }
      newest.removeMin()
    }
    if moments.count == limit, let last = newest.min { threshold = last.second }
  }

  /// How many of the N newest are newer than a moment.
  func count(after second: Double) -> Int { moments.values.count { $0 > second } }

  static func second(of date: Date) -> Double { date.timeIntervalSince1970.rounded(.down) }
}
