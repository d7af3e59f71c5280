internal import FoundationEssentials
internal import SearchModel
internal import SearchSources

/// Decides which search is asked for a further page, where only the N newest posts of all are wanted.
///
/// A search's pages go back in time, so what has not come of it is no newer than its `ReadingFrontier`
/// says. A search that cannot reach the N-th newest post so far is finished. Of the others one is asked
/// only when that is sure to be of use: it reaches further up than any other, or its last page holds a
/// post that is one of the N newest whatever the others bring. So no search gets more than one page
/// ahead of what a reader who knew all answers would have asked for.
///
/// As long as one search has not answered at all, it may bring anything, and the others wait for it:
/// until their patience ends, some time after half of them have answered.
struct PagingRule: Sendable {
  /// A search with something left that waits for a decision.
  private struct Contender: Sendable {
    let index: Int
    /// The newest moment that what has not come of it may be of.
    let bound: Double
    /// The newest moment on its last page.
    let newest: Double
    /// Whether it can be asked for what is left.
    let hasPage: Bool
  }

  /// What those that have answered wait for, while others have not.
  private enum Wait: Sendable {
    case half
    /// The end of their patience, which somebody has yet to measure, or is measuring.
    case patience(isMeasured: Bool)
    case nothing
  }

  /// The latest moment that is not the future, in seconds since 1970.
  private let latest: Double
  private var tally: NewestTally
  private let searches: Int
  /// How many searches have not answered their first page.
  private var unanswered: Int
  private var wait = Wait.half
  private var waiting: [Contender] = []
  /// The bounds of the searches that have answered and are asked for a further page.
  private var asking: [Int: Double] = [:]
  /// How many posts the records hold.
  private var held = 0
  /// How many they may hold before they are looked through.
  private var mostHeld: Int

  /// - Returns: nil where there is no limit, or none that can be passed.
  init?(_ plan: [PlannedSearch], limits: RunLimits, now: Date) {
    guard let limit = limits.newest else { return nil }
    var searches = 0
    var mostPosts: Int? = 0
    for case .ask(let search) in plan {
      searches += 1
      mostPosts = mostPosts.flatMap { most in search.cap.map { min(most, limit) + $0 } }
    }
    if let mostPosts, mostPosts <= limit { return nil }
    latest = now.timeIntervalSince1970 + Merge.toleratedLead
    tally = NewestTally(limit: limit, joinsByLink: limits.joinsByLink)
    self.searches = searches
    unanswered = searches
    mostHeld = Self.fewestToDrop + 2 * limit
  }

  /// What is held beyond the limit before it is worth looking through.
  private static let fewestToDrop = 2048

  /// How many posts of a search's next page can be of use: one more than are missing to the N newest,
  /// since that one shows whether there is anything left to ask for.
  func useful(of record: SearchRecord) -> Int {
    guard record.pages > 0 else { return tally.limit + 1 }
    return tally.limit + 1 - tally.count(after: record.bound)
  }

  /// The moment, in seconds since 1970, before which it depends on the order of arrival what was read;
  /// nil where that does no harm.
  ///
  /// Where posts are joined by their link, an older post may fill a place or be listed as a copy.
  var cut: Double? { tally.joinsByLink && tally.threshold > -.infinity ? tally.threshold : nil }

  /// Counts the new posts of a search, and lets go what cannot be one of the N newest any more.
  mutating func count(_ posts: [Post], in records: inout [SearchRecord], at index: Int) {
    for post in posts {
      guard let date = post.createdAt, date.timeIntervalSince1970 <= latest else { continue }
      tally.add(post, at: date)
    }
    held += posts.count
    guard tally.threshold > -.infinity else { return }
    // A second is left for copies whose date is cut to one.
    let floor = tally.threshold - 1
    held -= records[index].posts.count
    records[index].drop(before: floor)
    held += records[index].posts.count
    guard held > mostHeld else { return }
    held = 0
    for index in records.indices {
      records[index].drop(before: floor)
      held += records[index].posts.count
    }
    mostHeld = max(mostHeld, 2 * held)
  }

  /// Decides after a page or a failure of a search; returns the searches that may go on.
  mutating func advance(_ index: Int, in records: inout [SearchRecord]) -> [Int] {
    if asking.removeValue(forKey: index) == nil { unanswered -= 1 }
    if case .half = wait, unanswered * 2 <= searches { wait = .patience(isMeasured: false) }
    if records[index].ending == nil {
      if records[index].isWaitingForMore, records[index].bound >= tally.threshold {
        let hasPage = if case .page = records[index].rest { true } else { false }
        waiting.append(
          Contender(
            index: index, bound: records[index].bound,
            newest: records[index].newestOfPage.rounded(.down), hasPage: hasPage))
      } else {
        finish(index, in: &records)
      }
    }
    return decide(in: &records)
  }

  /// Whether `losePatience` is to be called when the run's patience ends; true only once.
  mutating func beginsPatience() -> Bool {
    guard case .patience(isMeasured: false) = wait, unanswered > 0 else { return false }
    wait = .patience(isMeasured: true)
    return true
  }

  /// Stops waiting for those that have not answered; returns the searches that may go on.
  mutating func losePatience(in records: inout [SearchRecord]) -> [Int] {
    wait = .nothing
    return decide(in: &records)
  }

  /// Finishes all that wait, at the end of the run's time: what they brought is complete as far as they
  /// were asked, and those they waited for have failed.
  mutating func end(in records: inout [SearchRecord]) {
    for contender in waiting { records[contender.index].finish(isRestWanted: true) }
    waiting = []
  }

  private mutating func decide(in records: inout [SearchRecord]) -> [Int] {
    if unanswered > 0 {
      guard case .nothing = wait else { return [] }
    }
    finishPassed(in: &records)
    let ready = sureToBeOfUse
    for contender in ready { asking[contender.index] = contender.bound }
    if !ready.isEmpty { waiting.removeAll { asking[$0.index] != nil } }
    if asking.isEmpty, unanswered == 0 { finishWaiting(in: &records) }
    return ready.map(\.index)
  }

  /// Finishes those that cannot reach the N-th newest post any more.
  private mutating func finishPassed(in records: inout [SearchRecord]) {
    // What one of them brought counts only now, and others may then be passed, too.
    while case let threshold = tally.threshold,
      case let passed = waiting.filter({ $0.bound < threshold }), !passed.isEmpty
    {
      waiting.removeAll { $0.bound < threshold }
      for contender in passed { finish(contender.index, in: &records) }
    }
  }

  /// Finishes all that wait: nobody can bring anything any more, so what could not be asked for is
  /// missing, unless it is too old to matter.
  private mutating func finishWaiting(in records: inout [SearchRecord]) {
    for contender in waiting {
      count(records[contender.index].settle(), in: &records, at: contender.index)
    }
    for contender in waiting { finish(contender.index, in: &records) }
    waiting = []
  }

  private mutating func finish(_ index: Int, in records: inout [SearchRecord]) {
    count(records[index].settle(), in: &records, at: index)
    records[index].finish(isRestWanted: records[index].bound >= tally.threshold)
  }

  /// Those that reach as far up as any other, or whose last page is sure to be of use.
  private var sureToBeOfUse: [Contender] {
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
      let others = contender.bound == highest ? second : highest
      return contender.bound >= others
        || (contender.newest > others && contender.newest >= tally.threshold)
    }
  }
}
