internal import FoundationEssentials
internal import HeapModule
internal import SearchModel
internal import SearchSources

/// Decides which searches get a further page when only the N newest posts of all are wanted.
///
/// A search's pages go back in time, so its remaining posts are no newer than its `ReadingFrontier`. A
/// search that cannot reach the N-th newest post so far is finished. Any other gets a page only if that
/// is sure to be useful: its frontier is the newest of all, or its last page holds a post that is one
/// of the N newest whatever the others bring. So no search reads more than one page beyond what an
/// omniscient reader would have requested.
///
/// A search that has not answered may bring anything, so the others wait for it, until their patience
/// ends some time after half of them have answered.
struct PagingRule: Sendable {
  /// A search with more to read that waits for a decision.
  private struct Contender: Sendable {
    let index: Int
    /// The latest date of its remaining posts.
    let bound: Double
    /// The latest date on its last page.
    let newest: Double
    /// True if the rest can be requested.
    let hasPage: Bool
    /// True if its next page is read whatever the others have found, to know what is there.
    let looksBack: Bool
  }

  /// The event that searches which have answered wait for.
  private enum Wait: Sendable {
    case half
    /// The end of their patience; whether its timer has started.
    case patience(isTimed: Bool)
    case nothing
  }

  /// The latest date that does not count as future, in seconds since 1970.
  private let latest: Double
  private var tally: NewestTally
  private let searches: Int
  /// The number of searches whose first page has not arrived.
  private var unanswered: Int
  private var wait = Wait.half
  private var waiting: [Contender] = []
  /// The bounds of the searches with a further page in progress.
  private var asking: [Int: Double] = [:]
  /// The number of posts that the states hold.
  private var held = 0
  /// The number of posts they may hold before old ones are dropped.
  private var mostHeld: Int

  /// - Returns: nil without a limit, or if the limit cannot be exceeded.
  init?(_ plan: [PlannedSearch], limits: RunLimits, now: Date) {
    guard let limit = limits.newest else { return nil }
    var searches = 0
    var mostPosts: Int? = 0
    for case .ask(let search) in plan {
      searches += 1
      mostPosts = mostPosts.flatMap { most in
        search.cap.map { min(most, limit) + min($0, limit + 1) }
      }
    }
    if let mostPosts, mostPosts <= limit { return nil }
    latest = now.timeIntervalSince1970 + Merge.toleratedLead
    tally = NewestTally(limit: limit, joinsByLink: limits.joinsByLink)
    self.searches = searches
    unanswered = searches
    mostHeld = Self.fewestToDrop + 2 * limit
  }

  /// The number of posts beyond the limit from which dropping them pays.
  private static let fewestToDrop = 2048

  /// The number of useful posts on a search's next page: one more than are missing from the N newest,
  /// which shows whether there is anything left.
  func useful(of state: SearchState) -> Int {
    guard state.pages > 0 else { return Self.useful(ofNewest: tally.limit) }
    return tally.limit + 1 - tally.count(after: state.bound)
  }

  /// The number of useful posts on the first page of a search.
  static func useful(ofNewest limit: Int) -> Int { limit + 1 }

  /// The date, in seconds since 1970, before which results depend on the order of arrival; nil if that
  /// is harmless.
  ///
  /// If posts are joined by their link, an older post may fill a place or be listed as a copy.
  var cut: Double? { tally.joinsByLink && tally.threshold > -.infinity ? tally.threshold : nil }

  /// Counts the new posts of a search, and drops those that cannot be among the N newest.
  mutating func count(_ posts: [Post], in states: inout [SearchState], at index: Int) {
    for post in posts {
      guard let date = post.createdAt, date.timeIntervalSince1970 <= latest else { continue }
      tally.add(post, at: date)
    }
    held += posts.count
    guard tally.threshold > -.infinity else { return }
    // One second of tolerance for copies whose date is truncated.
    let floor = tally.threshold - 1
    held -= states[index].posts.count
    states[index].drop(before: floor)
    // Otherwise the few posts that are left would keep the rest of their page in memory.
    states[index].sharePosts(with: tally.known)
    held += states[index].posts.count
    guard held > mostHeld else { return }
    held = 0
    for index in states.indices {
      states[index].drop(before: floor)
      held += states[index].posts.count
    }
    mostHeld = max(mostHeld, 2 * held)
  }

  /// Decides after a page or failure of a search; returns the searches that may continue.
  mutating func advance(_ index: Int, in states: inout [SearchState]) -> [Int] {
    if asking.removeValue(forKey: index) == nil { unanswered -= 1 }
    if case .half = wait, unanswered * 2 <= searches { wait = .patience(isTimed: false) }
    if states[index].ending == nil {
      let isUseful = states[index].bound >= tally.threshold
      let looksBack = !isUseful && states[index].looksBackInstead()
      if states[index].isWaitingForMore, isUseful || looksBack {
        let hasPage = if case .page = states[index].rest { true } else { false }
        waiting.append(
          Contender(
            index: index, bound: states[index].bound,
            newest: states[index].newestOfPage.rounded(.down), hasPage: hasPage,
            looksBack: looksBack))
      } else {
        finish(index, in: &states)
      }
    }
    return decide(in: &states)
  }

  /// Returns whether to call `stopWaiting` when the run's patience ends; true only once.
  mutating func beginsPatience() -> Bool {
    guard case .patience(isTimed: false) = wait, unanswered > 0 else { return false }
    wait = .patience(isTimed: true)
    return true
  }

  /// Stops waiting for searches that have not answered; returns those that may continue.
  mutating func stopWaiting(in states: inout [SearchState]) -> [Int] {
    wait = .nothing
    return decide(in: &states)
  }

  /// Finishes all waiting searches when time is up: their results are complete as far as requested, and
  /// the searches they waited for have failed.
  mutating func end(in states: inout [SearchState]) {
    for contender in waiting {
      states[contender.index].finish(isRestWanted: true)
    }
    waiting = []
  }

  private mutating func decide(in states: inout [SearchState]) -> [Int] {
    if unanswered > 0 {
      guard case .nothing = wait else { return [] }
    }
    finishPassed(in: &states)
    let ready = surelyUseful
    for contender in ready { asking[contender.index] = contender.bound }
    if !ready.isEmpty { waiting.removeAll { asking[$0.index] != nil } }
    if asking.isEmpty, unanswered == 0 { finishWaiting(in: &states) }
    return ready.map(\.index)
  }

  /// Finishes searches that can no longer reach the N-th newest post.
  private mutating func finishPassed(in states: inout [SearchState]) {
    // The results of a provisional search count only now, which may finish others, too.
    while case let threshold = tally.threshold,
      case let passed = waiting.filter({ $0.bound < threshold && !$0.looksBack }), !passed.isEmpty
    {
      waiting.removeAll { $0.bound < threshold && !$0.looksBack }
      for contender in passed { finish(contender.index, in: &states) }
    }
  }

  /// Finishes all waiting searches: nothing more will arrive, so posts that cannot be requested are
  /// missing unless they are too old to matter.
  private mutating func finishWaiting(in states: inout [SearchState]) {
    for contender in waiting {
      count(states[contender.index].settle(), in: &states, at: contender.index)
    }
    for contender in waiting { finish(contender.index, in: &states) }
    waiting = []
  }

  private mutating func finish(_ index: Int, in states: inout [SearchState]) {
    count(states[index].settle(), in: &states, at: index)
    states[index].finish(isRestWanted: states[index].canFollow(with: tally.threshold))
  }

  /// The searches with the newest frontier, and those whose next page is sure to be useful.
  private var surelyUseful: [Contender] {
    var highest = -Double.infinity
    var second = -Double.infinity
    for bound in waiting.lazy.filter(\.hasPage).map(\.bound) + asking.values {
      if bound > highest {
        (highest, second) = (bound, highest)
      } else {
        second = max(second, bound)
      }
    }
    return waiting.filter { contender in
      guard contender.hasPage else { return false }
      if contender.looksBack { return true }
      let others = contender.bound == highest ? second : highest
      return contender.bound >= others
        || (contender.newest > others && contender.newest >= tally.threshold)
    }
  }
}

/// The dates of the N newest posts so far, each post counted once: the bar for further pages. Posts
/// that may be joined by their link count as one, with the latest of their dates.
///
/// Dates are whole seconds since 1970. Copies of one post on two servers may differ by less than a
/// second, since only one of them has milliseconds; the order of arrival must not matter.
private struct NewestTally: Sendable {
  private struct Entry: Comparable, Sendable {
    let second: Double
    let identity: Int

    static func < (one: Self, other: Self) -> Bool {
      (one.second, one.identity) < (other.second, other.identity)
    }
  }

  let limit: Int
  let joinsByLink: Bool
  /// May also contain older dates of a post, but never as its minimum.
  private var newest = Heap<Entry>()
  /// Each post that counts, by its identity or link.
  private var counted: [Int: (second: Double, post: Post)] = [:]

  init(limit: Int, joinsByLink: Bool) {
    self.limit = limit
    self.joinsByLink = joinsByLink
  }

  /// The date of the N-th newest post; minus infinity while there are fewer.
  private(set) var threshold = -Double.infinity

  /// Counts a dated post.
  mutating func add(_ post: Post, at date: Date) {
    let second = Self.second(of: date)
    guard second >= threshold else { return }
    let identity = identity(of: post)
    guard second > counted[identity]?.second ?? -.infinity else { return }
    counted[identity] = (second, post)
    newest.insert(Entry(second: second, identity: identity))
    while let last = newest.min {
      if counted[last.identity]?.second == last.second {
        guard counted.count > limit else { break }
        counted[last.identity] = nil
      }
      newest.removeMin()
    }
    if counted.count == limit, let last = newest.min { threshold = last.second }
  }

  /// The number of the N newest posts after a date.
  func count(after second: Double) -> Int { counted.values.count { $0.second > second } }

  /// The equal one of the posts that count; nil if there is none.
  func known(_ post: Post) -> Post? {
    guard let known = counted[identity(of: post)]?.post, known == post else { return nil }
    return known
  }

  // Two posts with one link may not be joined, if their texts differ: then too few are counted, which
  // costs a page but loses nothing.
  private func identity(of post: Post) -> Int { joinsByLink ? post.copyKey : post.identityHash }

  static func second(of date: Date) -> Double { date.timeIntervalSince1970.rounded(.down) }
}
