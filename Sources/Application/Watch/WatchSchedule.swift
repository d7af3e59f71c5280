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
/// - when its lane has no round under way, and there is room for another: the number of searches under way
///   is bounded, no lane has more than a tenth of them, and lanes take turns;
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
    var allowances: [WatchAllowance] = []
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
    /// It is unlikely to succeed until something is changed.
    case rejected
    /// Its lane must wait, until a date if the server named one.
    case rateLimited(until: Date?)
  }

  private struct State: Sendable {
    /// Nil for a search that is never asked.
    let lane: Int?
    let shortest: Duration
    var turn = WatchTurn()
    var isUnderWay = false
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
    var lane: WatchLane
    /// The searches that are not under way.
    var turns = Heap<Turn>()
    /// The searches of its round that have not been answered yet.
    var underWay = 0
  }

  /// The most searches that are under way at once: each takes some kilobytes until its round is written.
  static let mostUnderWay = 10_000

  private let rhythm: WatchRhythm
  private let mostUnderWay: Int
  private var states: [State]
  private var lanes: [LaneState] = []
  /// The lane that is asked first, as there was no room for it the last time.
  private var firstLane = 0
  /// The latest moment that was passed in: the clock is not followed backwards.
  private var now = Duration.zero

  /// - Parameters:
  ///   - members: The searches, by their indices from now on; nil for one that is never asked.
  ///   - isExact: Whether quiet searches are never asked less often.
  init(
    _ members: [Member?], every: Duration, isExact: Bool = false, mostUnderWay: Int = mostUnderWay
  ) {
    rhythm = WatchRhythm(every: every, isExact: isExact)
    self.mostUnderWay = mostUnderWay
    var known: [Lane: Int] = [:]
    var lanes: [LaneState] = []
    states = members.map { member in
      guard let member else { return State(lane: nil, shortest: .zero) }
      let lane = known[member.lane] ?? lanes.count
      if lane == lanes.count {
        known[member.lane] = lane
        lanes.append(LaneState(lane: WatchLane(member.allowances)))
      }
      return State(lane: lane, shortest: member.shortest)
    }
    self.lanes = lanes
    queueAll()
  }

  private mutating func queueAll() {
    for lane in lanes.indices { lanes[lane].turns = Heap() }
    for (index, state) in states.enumerated() where !state.isUnderWay {
      if let lane = state.lane { lanes[lane].turns.insert(Turn(due: state.turn.due, index: index)) }
    }
  }

  /// Takes over what another schedule knows about the same searches, after tags or settings changed.
  ///
  /// - Parameter origins: For each search of this schedule, its index in the other one.
  mutating func takeOver(_ other: WatchSchedule, from origins: [Int?]) {
    now = other.now
    for index in states.indices { states[index].turn.added = now }
    for (index, origin) in origins.enumerated() {
      guard let origin, let lane = states[index].lane,
        case let old = other.states[origin], let oldLane = old.lane
      else { continue }
      states[index].turn = old.turn
      states[index].isUnderWay = old.isUnderWay
      // A shorter `--every` counts at once.
      let interval =
        rhythm.isLiteral(old.turn, at: now) ? rhythm.every : rhythm.longest
      states[index].turn.due = min(
        old.turn.due, old.turn.begun + max(interval, states[index].shortest))
      if old.isUnderWay { lanes[lane].underWay += 1 }
      lanes[lane].lane.takeOver(other.lanes[oldLane].lane)
    }
    queueAll()
  }

  /// The interval at which a search was last scheduled.
  func interval(of index: Int) -> Duration { states[index].turn.interval }

  /// The next moment at which a search may be asked, and one that may be asked then; nil when there is
  /// none, or not before a round has ended.
  var next: (moment: Duration, index: Int)? {
    guard room >= mostOfLane else { return nil }
    var next: (moment: Duration, index: Int)?
    for lane in lanes where lane.underWay == 0 {
      guard let turn = lane.turns.min else { continue }
      let moment = max(turn.due, rhythm.opening(of: lane.lane))
      if next.map({ moment < $0.moment }) ?? true { next = (moment, turn.index) }
    }
    return next
  }

  /// Takes the searches that are due and may be asked now: for each lane that has some and is not being
  /// asked, the longest overdue first.
  mutating func take(at moment: Duration) -> [[Int]] {
    now = max(now, moment)
    var room = room
    var rounds: [[Int]] = []
    for offset in lanes.indices {
      let lane = (firstLane + offset) % lanes.count
      // Whole rounds only: each is written by itself.
      guard room >= mostOfLane else {
        firstLane = lane
        break
      }
      guard lanes[lane].underWay == 0, lanes[lane].lane.closedUntil <= now else { continue }
      // A server that does not answer leaves room for the others.
      let taken = takeTurns(of: lane, atMost: mostOfLane)
      room -= taken.count
      if !taken.isEmpty { rounds.append(taken.sorted()) }
    }
    return rounds
  }

  /// The most searches of a round.
  private var mostOfLane: Int { max(mostUnderWay / 10, 1) }

  /// The searches that may still begin.
  private var room: Int { mostUnderWay - lanes.reduce(0) { $0 + $1.underWay } }

  private mutating func takeTurns(of lane: Int, atMost room: Int) -> [Int] {
    lanes[lane].lane.refill(until: now)
    var taken: [Int] = []
    let most = lanes[lane].lane.isSilent ? 1 : room
    while taken.count < most, let turn = lanes[lane].turns.min, turn.due <= now,
      lanes[lane].lane.hasRoom
    {
      lanes[lane].turns.removeMin()
      lanes[lane].lane.take(1)
      states[turn.index].isUnderWay = true
      states[turn.index].turn.begun = now
      taken.append(turn.index)
    }
    lanes[lane].underWay = taken.count
    lanes[lane].lane.hasAnswered = false
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
    rhythm.finish(
      &states[index].turn, on: &lanes[lane].lane, answer, shortest: states[index].shortest, at: now,
      date: date, random: random)
    lanes[lane].turns.insert(Turn(due: states[index].turn.due, index: index))
    lanes[lane].underWay = max(lanes[lane].underWay - 1, 0)
    guard lanes[lane].underWay == 0 else { return }
    rhythm.end(states[index].turn, on: &lanes[lane].lane, shortest: states[index].shortest)
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
