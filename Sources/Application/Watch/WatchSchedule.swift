internal import FoundationEssentials
internal import HeapModule
internal import QueuedHTTP
internal import SearchEngine
internal import SearchModel
internal import SearchSources

/// The times at which a watch asks each of its searches. Pure: clocks and random numbers are passed in.
///
/// Moments are durations since the start of the watch, on a clock that never jumps and runs while the
/// machine sleeps. Dates of the wall clock, which may jump, only tell how old a search's newest post is.
///
/// A search is asked again after `--every`, or later:
/// - after its first day, and not with `--exactly`, after a tenth of the age of its newest post, so that
///   quiet searches are asked less often, but no later than 12 times `--every` or an hour, whichever is
///   less;
/// - once a minute at most on a server that is not on this machine;
/// - when its lane allows another request: its pace, its bound on cost spread over a day, and the time
///   until which its server has asked to be left alone;
/// - when the round of its lane that is under way has ended;
/// - plus up to a tenth of an interval longer than `--every` at random, so that many watches do not ask
///   in step.
///
/// A lane whose server did not answer is asked for one search at a time, until it answers.
///
/// Missed rounds are not made up for: after the machine has slept each search is asked once.
struct WatchSchedule: Sendable {
  /// A search as the schedule sees it.
  struct Member: Hashable, Sendable {
    var lane: Lane
    /// The number of requests that the lane allows in given lengths of time.
    var allowances: [Allowance] = []
    /// The shortest interval that its server should see.
    var shortest = Duration.zero
  }

  /// The result of asking a search.
  enum Answer: Hashable, Sendable {
    /// - Parameters:
    ///   - newest: The date of its newest post, if it has any.
    ///   - pages: The requests that were made.
    case answered(newest: Date?, pages: Int)
    /// It may be answered at the next attempt.
    case failed
    /// The same, and nothing at all came from its server.
    case unanswered
    /// It will hardly succeed until somebody changes something.
    case rejected
    /// Its lane must wait, until a date if the server named one.
    case rateLimited(until: Date?)
  }

  private struct State: Sendable {
    /// Nil for a search that is never asked.
    let lane: Int?
    let shortest: Duration
    /// The moment at which it became part of the watch.
    var added = Duration.zero
    var due = Duration.zero
    var isUnderWay = false
    var begun = Duration.zero
    var newest: Date?
    /// Rejections in a row.
    var rejections = 0
    var interval = Duration.zero
  }

  /// The place of a search in its lane.
  private struct Turn: Comparable, Sendable {
    let due: Duration
    let index: Int

    static func < (one: Turn, other: Turn) -> Bool {
      (one.due, one.index) < (other.due, other.index)
    }
  }

  private struct LaneState: Sendable {
    var buckets: [Bucket]
    /// The searches that are not under way.
    var turns = Heap<Turn>()
    /// The moment until which the server wants to be left alone.
    var closedUntil = Duration.zero
    var rateLimits = 0
    /// The searches of its round that have not been answered yet.
    var underWay = 0
    /// True if its round was answered, at least in part.
    var hasAnswered = false
    /// True if nothing came from its server the last time.
    var isSilent = false

    /// The moment from which it may be asked.
    var opens: Duration {
      buckets.reduce(closedUntil) { max($0, $1.opens) }
    }
  }

  /// The time for which a quiet search is asked as often as the others.
  static let firstDay = Duration.seconds(86_400)

  let every: Duration
  private let isExact: Bool
  private let longest: Duration
  /// Searches that are due within a slot are asked together, at its end.
  private let slot: Duration
  /// The same for searches that wait for their lane.
  private let laneSlot: Duration
  private var states: [State]
  private var lanes: [LaneState] = []
  /// The latest moment that was passed in: the clock is not followed backwards.
  private var now = Duration.zero

  /// - Parameters:
  ///   - members: The searches, by their indices from now on; nil for one that is never asked.
  ///   - isExact: Whether quiet searches are never asked less often.
  init(_ members: [Member?], every: Duration, isExact: Bool = false) {
    self.every = every
    self.isExact = isExact
    longest = max(every, min(every * 12, .seconds(3600)))
    slot = min(every / 20, .seconds(60))
    laneSlot = min(slot, .seconds(15))
    var known: [Lane: Int] = [:]
    var lanes: [LaneState] = []
    states = members.map { member in
      guard let member else { return State(lane: nil, shortest: .zero) }
      let lane = known[member.lane] ?? lanes.count
      if lane == lanes.count {
        known[member.lane] = lane
        lanes.append(LaneState(buckets: member.allowances.map { Bucket($0) }))
      }
      return State(lane: lane, shortest: member.shortest)
    }
    self.lanes = lanes
    queueAll()
  }

  private mutating func queueAll() {
    for lane in lanes.indices { lanes[lane].turns = Heap() }
    for (index, state) in states.enumerated() where !state.isUnderWay {
      if let lane = state.lane { lanes[lane].turns.insert(Turn(due: state.due, index: index)) }
    }
  }

  /// Takes over what another schedule knows about the same searches, after tags or settings changed.
  ///
  /// - Parameter origins: For each search of this schedule, its index in the other one.
  mutating func takeOver(_ other: WatchSchedule, from origins: [Int?]) {
    now = other.now
    for index in states.indices { states[index].added = now }
    for (index, origin) in origins.enumerated() {
      guard let origin, let lane = states[index].lane,
        case let old = other.states[origin], let oldLane = old.lane
      else { continue }
      states[index].newest = old.newest
      states[index].interval = old.interval
      states[index].begun = old.begun
      states[index].added = old.added
      states[index].isUnderWay = old.isUnderWay
      // A shorter `--every` counts at once.
      let interval = isLiteral(index) ? every : longest
      states[index].due = min(old.due, old.begun + max(interval, states[index].shortest))
      if old.isUnderWay { lanes[lane].underWay += 1 }
      lanes[lane].hasAnswered = other.lanes[oldLane].hasAnswered
      lanes[lane].isSilent = other.lanes[oldLane].isSilent
      lanes[lane].closedUntil = max(
        lanes[lane].closedUntil, other.lanes[oldLane].closedUntil)
      for place in lanes[lane].buckets.indices {
        let same = other.lanes[oldLane].buckets.first {
          $0.allowance == lanes[lane].buckets[place].allowance
        }
        if let same { lanes[lane].buckets[place] = same }
      }
    }
    queueAll()
  }

  /// The interval at which a search was last scheduled.
  func interval(of index: Int) -> Duration { states[index].interval }

  /// Returns whether a search is asked at the interval of `--every`, however quiet it is.
  private func isLiteral(_ index: Int) -> Bool {
    isExact || now - states[index].added < Self.firstDay
  }

  /// The next moment at which a search may be asked, and one that may be asked then; nil when there is
  /// none, or not before a round has ended.
  var next: (moment: Duration, index: Int)? {
    var next: (moment: Duration, index: Int)?
    for lane in lanes where lane.underWay == 0 {
      guard let turn = lane.turns.min else { continue }
      let moment = max(turn.due, Self.rounded(lane.opens, upTo: laneSlot))
      if next.map({ moment < $0.moment }) ?? true { next = (moment, turn.index) }
    }
    return next
  }

  /// Takes the searches that are due and may be asked now: for each lane that has some and is not being
  /// asked, the longest overdue first.
  mutating func take(at moment: Duration) -> [[Int]] {
    now = max(now, moment)
    return lanes.indices.compactMap { lane in
      guard lanes[lane].underWay == 0, lanes[lane].closedUntil <= now else { return nil }
      let taken = takeTurns(of: lane)
      return taken.isEmpty ? nil : taken.sorted()
    }
  }

  private mutating func takeTurns(of lane: Int) -> [Int] {
    for place in lanes[lane].buckets.indices { lanes[lane].buckets[place].refill(until: now) }
    var taken: [Int] = []
    let most = lanes[lane].isSilent ? 1 : Int.max
    while taken.count < most, let turn = lanes[lane].turns.min, turn.due <= now,
      lanes[lane].buckets.allSatisfy(\.hasRoom)
    {
      lanes[lane].turns.removeMin()
      for place in lanes[lane].buckets.indices { lanes[lane].buckets[place].take(1) }
      states[turn.index].isUnderWay = true
      states[turn.index].begun = now
      taken.append(turn.index)
    }
    lanes[lane].underWay = taken.count
    lanes[lane].hasAnswered = false
    return taken
  }

  /// Schedules a search that was taken, after it has been asked.
  ///
  /// - Parameters:
  ///   - date: The wall clock at that moment.
  ///   - random: A number from 0 to 1.
  mutating func finish(
    _ index: Int, _ answer: Answer, at moment: Duration, date: Date, random: Double
  ) {
    guard states[index].isUnderWay, let lane = states[index].lane else { return }
    now = max(now, moment)
    states[index].isUnderWay = false
    if answer != .unanswered { lanes[lane].hasAnswered = true }
    var interval = every
    switch answer {
    case .answered(let newest, let pages):
      lanes[lane].rateLimits = 0
      states[index].rejections = 0
      // Later pages were asked for, too.
      for place in lanes[lane].buckets.indices {
        lanes[lane].buckets[place].take(max(pages, 1) - 1)
      }
      if let newest { states[index].newest = max(newest, states[index].newest ?? newest) }
      let quiet = states[index].newest.map { date.timeIntervalSince($0) }
      // A search that never found a post counts as the quietest.
      interval =
        isLiteral(index) ? every : quiet.map { .seconds(min(max($0 / 10, 0), 1e9)) } ?? longest
    case .failed, .unanswered: break
    case .rejected:
      states[index].rejections = min(states[index].rejections + 1, 16)
      interval = every * (1 << states[index].rejections)
    case .rateLimited(let until):
      lanes[lane].rateLimits = min(lanes[lane].rateLimits + 1, 5)
      let named = until.map { Duration.seconds(min($0.timeIntervalSince(date), 86_400)) }
      let wait = named ?? .seconds(60) * (1 << (lanes[lane].rateLimits - 1))
      lanes[lane].closedUntil = max(lanes[lane].closedUntil, now + max(wait, .zero))
    }
    interval = max(min(max(interval, every), longest), states[index].shortest)
    states[index].interval = interval
    let jitter =
      interval > every ? interval / 1000 * Int((min(max(random, 0), 1) * 100).rounded()) : .zero
    let due = max(Self.rounded(states[index].begun + interval + jitter, upTo: slot), now)
    states[index].due = due
    lanes[lane].turns.insert(Turn(due: due, index: index))
    endTurn(of: index, on: lane)
  }

  /// Ends the round of a lane with its last search.
  private mutating func endTurn(of index: Int, on lane: Int) {
    lanes[lane].underWay = max(lanes[lane].underWay - 1, 0)
    guard lanes[lane].underWay == 0 else { return }
    lanes[lane].isSilent = !lanes[lane].hasAnswered
    guard lanes[lane].isSilent else { return }
    let next = states[index].begun + max(every, states[index].shortest)
    lanes[lane].closedUntil = max(lanes[lane].closedUntil, next)
  }

  private static func rounded(_ moment: Duration, upTo slot: Duration) -> Duration {
    guard slot > .zero, moment > .zero else { return max(moment, .zero) }
    // The quotient is not exact.
    let near = slot * Int((moment / slot).rounded())
    return near >= moment ? near : near + slot
  }
}

extension WatchSchedule.Member {
  /// A search asks another machine once a minute at most.
  private static let shortestAbroad = Duration.seconds(60)

  /// - Parameter limits: The bounds on what a day may cost.
  init(_ search: Search, limits: RunLimits) {
    // Costs are counted for all servers of a source together.
    lane =
      search.source.traits.cost == nil ? search.lane : Lane(rawValue: search.source.name.rawValue)
    shortest = search.server.isLoopback ? .zero : Self.shortestAbroad
    if let pace = search.endpoint.statedPace {
      allowances.append(.init(requests: pace.requests, span: pace.interval))
    }
    let traits = search.source.traits
    if let cost = traits.cost, case let price = cost.of(posts: traits.pageSize.lowerBound),
      price > 0
    {
      let bound = limits.costs.bound(for: search.source.name) ?? cost.defaultBound
      allowances.append(.init(requests: max(bound / price, 1), span: .seconds(86_400)))
    }
  }
}
