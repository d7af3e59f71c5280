internal import FoundationEssentials
internal import SearchModel

/// The point back to which a search has been read: the latest date that a post still to come can have.
///
/// This one rule decides when a search has passed a bound: `--since`, the N-th newest post, or what
/// `--stream` may print. If the order is exact, a page that ends with a post before a date proves that
/// only older ones follow; one wrong date among the others proves nothing. If it is approximate, the
/// last 20 posts in a row must lie before it, or as many as the largest page had, counted across pages.
/// Without an order nothing is proof. Pinned, undated and future posts prove nothing. Where a network
/// sorts by dates of its own, which are never earlier than its posts' dates, those are the proof.
struct ReadingFrontier: Sendable {
  /// The number of consecutive posts that prove that a search in approximate order has passed a date.
  static let shortestProof = 20

  /// In seconds since 1970; infinity while nothing is proven. Whole seconds, rounded down, if the order
  /// is approximate.
  private(set) var moment = Double.infinity
  /// The loosest order of all pages so far.
  private(set) var order = PageOrder.exact
  /// True if the last page began at an earlier date than the one before.
  private(set) var isReceding = false
  /// True if a post was pinned.
  private(set) var hasPinned = false
  private var newestOfPage = Double.infinity
  /// The dates of the last consecutive posts in approximate order, as many as a proof needs. Half the
  /// size of `Date`, since thousands of searches may wait at once.
  private var run: [UInt32] = []
  private var lengthOfProof = Self.shortestProof

  /// Receives the posts of the next page.
  ///
  /// - Parameters:
  ///   - sortDates: The dates by which the network sorts, if those are others.
  ///   - latest: The latest date that does not count as future, in seconds since 1970.
  mutating func take(
    _ posts: [Post], sortedBy sortDates: [Date] = [], order pageOrder: PageOrder, latest: Double
  ) {
    order = max(order, pageOrder)
    var count = 0
    var last = Double.infinity
    var newest = -Double.infinity
    let isApproximate = order == .approximate
    if isApproximate { run.reserveCapacity(run.count + max(posts.count, sortDates.count)) }
    func note(_ second: Double) {
      guard second <= latest else { return }
      count += 1
      last = second
      newest = max(newest, second)
      if isApproximate { run.append(UInt32(min(max(second, 0), Self.lastSecond))) }
    }
    // By their indices, as a copy of a post is two retains.
    for index in posts.indices {
      if posts[index].isPinned {
        hasPinned = true
      } else if sortDates.isEmpty, let second = posts[index].createdSeconds {
        note(second)
      }
    }
    for date in sortDates { note(date.timeIntervalSince1970) }
    isReceding = count > 0 && (newest < newestOfPage || last < moment && order == .exact)
    if count > 0 { newestOfPage = newest }
    switch order {
    case .exact: moment = min(moment, last)
    case .approximate:
      lengthOfProof = max(lengthOfProof, count)
      if run.count > lengthOfProof { run.removeFirst(run.count - lengthOfProof) }
      moment = run.count < lengthOfProof ? .infinity : run.max().map(Double.init) ?? .infinity
    case .unordered:
      moment = .infinity
      run = []
    }
  }

  /// The middle one of the dates of the last posts in approximate order, in seconds since 1970; nil in any other.
  private(set) var middle: UInt32?

  /// Frees what only the next page needs.
  mutating func release() {
    middle = run.isEmpty ? nil : run.sorted()[run.count / 2]
    run = []
  }

  /// Returns whether all posts still to come are proven to be older than a date.
  func hasPassed(_ date: Date) -> Bool {
    let second = date.timeIntervalSince1970
    return switch order {
    case .exact: moment < second
    case .approximate: moment + 1 <= second
    case .unordered: false
    }
  }

  private static let lastSecond = Double(UInt32.max)
}
