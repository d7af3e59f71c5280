internal import Printing
internal import SearchEngine
internal import SearchModel

/// The memory of a watch: its latest outcomes, and its numbers of posts and costs. Pure.
///
/// Its size depends on the number of searches and not on the number of rounds.
struct WatchTotals: Sendable {
  /// The changes that a round has brought.
  struct News: Sendable {
    /// The outcomes of the round.
    var all: [SearchOutcome]
    /// The outcomes that differ from the previous round, without searches that are answered again.
    var changed: [SearchOutcome]
    /// The number of searches that failed before and are answered now.
    var recovered: Int
  }

  /// The latest outcome of each search, in plan order; canceled for one that was never asked.
  private(set) var outcomes: [SearchOutcome]
  /// The posts that filters have left out.
  private(set) var excluded = FilterTally()
  /// The number of posts printed.
  private(set) var posts = 0
  var costs = DailyCosts()

  init(_ plan: [PlannedSearch]) {
    outcomes = plan.map { planned in
      switch planned {
      case .ask(let search): search.outcome(.cancelled)
      case .skip(let outcome): outcome
      case .stored(let stored): stored.outcome ?? stored.search.outcome(.cancelled)
      }
    }
  }

  /// The totals after tags or settings changed, continued from earlier ones.
  ///
  /// - Parameter origins: For each search of the plan, its place in the earlier plan.
  init(_ plan: [PlannedSearch], after earlier: WatchTotals, from origins: [Int?]) {
    self = WatchTotals(plan)
    (excluded, posts, costs) = (earlier.excluded, earlier.posts, earlier.costs)
    for (index, origin) in origins.enumerated() {
      if let origin { outcomes[index] = earlier.outcomes[origin] }
    }
  }

  /// Notes the end of a round.
  ///
  /// - Parameters:
  ///   - latest: The outcomes of its searches.
  ///   - places: The places of its searches in the plan; nil for those that are no longer in it.
  ///   - posts: The number of posts that it printed.
  ///   - excluded: The posts that filters have left out of it.
  mutating func note(
    _ latest: [SearchOutcome], of places: [Int?], posts: Int,
    excluded: FilterTally = FilterTally()
  ) -> News {
    self.excluded.add(excluded)
    self.posts += posts
    var news = News(all: latest, changed: [], recovered: 0)
    for (place, outcome) in zip(places, latest) {
      guard let index = place else { continue }
      let before = outcomes[index].ending
      let now = outcome.ending
      outcomes[index] = outcome
      if before.isFailure, !now.isFailure, now.isAnswered {
        news.recovered += 1
      } else if OutcomeDetails(before).name != OutcomeDetails(now).name
        || before.message != now.message
      {
        news.changed.append(outcome)
      }
    }
    return news
  }
}

extension Ending {
  /// The reason, without times and counts, which differ each time.
  fileprivate var message: String? {
    switch self {
    case .completed, .cancelled: nil
    case .skipped(let reason, _): reason
    case .partial(_, let reason, let failure, _): failure?.message ?? reason
    case .rateLimited(_, let failure), .failed(let failure): failure.message
    }
  }
}

/// The costs of the last 24 hours on networks that charge, hour by hour. The state has them, too; these count
/// where it was replaced, or the clock was set by more than a day.
struct DailyCosts: Hashable, Sendable {
  private static let hours = 24

  private var byHour: [Int: [SourceName: Int]] = [:]

  /// The costs that count at a moment, by source.
  ///
  /// - Parameter now: The time since the watch began.
  func spent(at now: Duration) -> [SourceName: Int] {
    let hour = Self.hour(of: now)
    return byHour.filter { $0.key > hour - Self.hours }.values
      .reduce(into: [:]) { $0.merge($1, uniquingKeysWith: +) }
  }

  /// Notes the costs of a round.
  mutating func note(_ costs: [SourceName: Int], at now: Duration) {
    let hour = Self.hour(of: now)
    byHour = byHour.filter { $0.key > hour - Self.hours }
    byHour[hour, default: [:]].merge(costs, uniquingKeysWith: +)
  }

  private static func hour(of moment: Duration) -> Int { Int(moment / .seconds(3600)) }
}
