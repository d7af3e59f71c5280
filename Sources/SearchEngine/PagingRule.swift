internal import FoundationEssentials
internal import SearchModel
internal import SearchSources

/// Decides which search is asked for a further page, where only the N newest posts of all are wanted.
///
/// A search's pages go back in time, so what has not come of it is no newer than its bound: the oldest
/// moment that has come, and the slack of its source. What cannot reach the N-th newest post so far is
/// not asked for. Of the others a search is asked only when that is sure to be of use: it reaches
/// further up than any other, or its last page holds a post that is one of the N newest whatever the
/// others bring. So no search gets more than one page ahead of what a reader who knew all answers
/// would have asked for. As long as one search has not answered at all, it may bring anything.
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

  /// The latest moment that is not the future, in seconds since 1970.
  private let latest: Double
  private var tally: NewestTally
  /// How many searches have not answered their first page.
  private var unanswered: Int
  private var waiting: [Contender] = []
  /// The bounds of the searches that have answered and are asked for a further page.
  private var asking: [Int: Double] = [:]
  /// How many posts the records hold.
  private var held = 0
  /// How many they may hold before they are looked through.
  private var mostHeld: Int

  /// - Returns: nil where there is no limit, or none that can be passed.
  init?(_ plan: [PlannedSearch], limit: Int?, now: Date) {
    guard let limit else { return nil }
    var searches = 0
    var mostPosts: Int? = 0
    for case .ask(let search) in plan {
      searches += 1
      mostPosts = mostPosts.flatMap { most in search.cap.map { min(most, limit) + $0 } }
    }
    if let mostPosts, mostPosts <= limit { return nil }
    latest = now.timeIntervalSince1970 + Merge.toleratedLead
    tally = NewestTally(limit: limit)
    unanswered = searches
    mostHeld = Self.fewestToDrop + 2 * limit
  }

  /// What is held beyond the limit before it is worth to be looked through.
  private static let fewestToDrop = 2048

  /// How many posts of a search's next page can be of use: one more than are missing to the N newest,
  /// since that one shows whether there is anything left to ask for.
  func useful(of record: SearchRecord, slack: Double) -> Int {
    guard record.pages > 0 else { return tally.limit + 1 }
    return tally.limit + 1 - tally.count(after: record.bound(slack: slack))
  }

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
  mutating func advance(
    _ index: Int, in records: inout [SearchRecord], of plan: [PlannedSearch]
  ) -> [Int] {
    if asking.removeValue(forKey: index) == nil { unanswered -= 1 }
    if records[index].ending == nil, case .ask(let search) = plan[index] {
      if records[index].rest == .nothing {
        records[index].finish(isRestWanted: true)
      } else {
        let hasPage = if case .page = records[index].rest { true } else { false }
        waiting.append(
          Contender(
            index: index, bound: records[index].bound(slack: search.source.traits.orderSlack),
            newest: records[index].newestOfPage.rounded(.down), hasPage: hasPage))
      }
    }
    guard unanswered == 0 else { return [] }
    waiting.removeAll { contender in
      guard contender.bound < tally.threshold else { return false }
      records[contender.index].finish(isRestWanted: false)
      return true
    }
    let ready = sureToBeOfUse
    for contender in ready { asking[contender.index] = contender.bound }
    waiting.removeAll { asking[$0.index] != nil }
    if asking.isEmpty {
      // Nobody can bring anything any more, so what could not be asked for is missing.
      for contender in waiting { records[contender.index].finish(isRestWanted: true) }
      waiting = []
    }
    return ready.map(\.index)
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
