internal import FoundationEssentials
internal import SearchModel

/// How far back a search has been read: the newest moment that a post which has not come may be of.
///
/// The one rule by which a search has passed a bound, be it `--since`, the N-th newest post or what
/// `--stream` may print. Where the order is exact, the first post before a moment proves that only older
/// ones follow. Where it is approximate, the last 20 posts in a row must lie before it, or as many
/// as the largest page held, counted across pages. Without an order nothing proves anything. Posts that
/// are pinned, undated or dated in the future say nothing about those that follow them.
struct ReadingFrontier: Sendable {
  /// How many posts in a row prove that a search whose order is approximate has passed a moment.
  static let shortestProof = 20

  /// In seconds since 1970; infinity as long as nothing is proven. Whole seconds, rounded down, where
  /// the order is approximate.
  private(set) var moment = Double.infinity
  /// The loosest order of all pages so far.
  private(set) var order = PageOrder.exact
  /// Whether the last page began further back than the one before it.
  private(set) var isReceding = false
  /// Whether a post was pinned.
  private(set) var hasPinned = false
  private var newestOfPage = Double.infinity
  /// The moments of the last posts in a row where the order is approximate, as long as a proof needs
  /// them. Half the size of a date each, as thousands of searches may wait at once.
  private var run: [UInt32] = []
  private var lengthOfProof = Self.shortestProof

  /// Takes the posts of the next page.
  ///
  /// - Parameter latest: The latest moment that is not the future, in seconds since 1970.
  mutating func take(_ posts: [Post], order pageOrder: PageOrder, latest: Double) {
    order = max(order, pageOrder)
    var count = 0
    var oldest = Double.infinity
    var newest = -Double.infinity
    if order == .approximate { run.reserveCapacity(run.count + posts.count) }
    for post in posts {
      if post.isPinned {
        hasPinned = true
        continue
      }
      guard let second = post.createdAt?.timeIntervalSince1970, second <= latest else { continue }
      count += 1
      oldest = min(oldest, second)
      newest = max(newest, second)
      if order == .approximate { run.append(UInt32(min(max(second, 0), Self.lastSecond))) }
    }
    isReceding = count > 0 && (newest < newestOfPage || oldest < moment && order == .exact)
    if count > 0 { newestOfPage = newest }
    switch order {
    case .exact: moment = min(moment, oldest)
    case .approximate:
      lengthOfProof = max(lengthOfProof, count)
      if run.count > lengthOfProof { run.removeFirst(run.count - lengthOfProof) }
      moment = run.count < lengthOfProof ? .infinity : run.max().map(Double.init) ?? .infinity
    case .unordered:
      moment = .infinity
      run = []
    }
  }

  /// Whether what has not come is proven to be older than a date.
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
