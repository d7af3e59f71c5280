internal import FoundationEssentials
internal import PostHistory
internal import QueuedHTTP
internal import SearchEngine
internal import SearchModel
internal import SharedHistory

/// Commits what a round under a lease has found.
protocol LeaseCommitter: Sendable {
  /// Prints and commits what a round has found, and ends its lease.
  ///
  /// - Parameters:
  ///   - posts: The posts that may be printed, in their order.
  ///   - write: Prints posts.
  ///   - batch: Returns what to store of the round when these posts were printed.
  func commit(
    _ round: WatchRound, under lease: WatchLease, posts: [Post],
    write: ([Post]) throws -> Void, batch: ([Post]) -> RunBatch
  ) throws -> LeaseCommit
}

/// The fate of a round under a lease.
enum LeaseCommit {
  case printed([Post])
  /// Another worker has the lane, and finds the same.
  case takenOver
  /// The state was lost: what was found is still new to the next worker.
  case lost
}

/// Searches of a lane that a worker asks, as long as the lane is leased to it.
struct WatchLease: Sendable {
  let committer: any LeaseCommitter
  /// The lane of the schedule.
  let name: Lane
  let lease: LaneLease
  let work: SharedWork
  let rhythm: WatchRhythm
  /// The searches in the order of the round, as the state has them and as the schedule does.
  let searches: [(turn: SharedTurn, member: WatchSchedule.Member)]

  /// The cost that counted on the lane when it was taken: that of the last 24 hours.
  var spent: Int {
    let hour = Self.hour(lease.begun)
    return Int(lease.lane.costs.filter { $0.hour > hour - 24 }.reduce(0) { $0 + $1.amount })
  }

  static func hour(_ moment: Int64) -> Int64 { moment / 3_600_000 }

  /// The state of the lane and its searches after a round.
  ///
  /// - Parameters:
  ///   - lane: The lane with what was asked since.
  ///   - cost: What the round has cost.
  ///   - now: Milliseconds on the clock of all workers.
  ///   - date: The round's now.
  func choice(
    after readings: Readings, on lane: WatchLane, cost: Int, now: Int64, date: Date
  ) -> SharedWork.Choice {
    var lane = lane
    let moment = Duration.milliseconds(now)
    var turns: [SharedTurn] = []
    var last: (turn: WatchTurn, shortest: Duration)?
    for (search, reading) in zip(searches, readings) {
      // The next worker asks the searches that this watch did not reach before its end.
      if case .cancelled = reading.ending { continue }
      var turn = WatchTurn(search.turn)
      turn.begun = .milliseconds(lease.begun)
      // Later pages were counted when they were asked for.
      rhythm.finish(
        &turn, on: &lane, WatchSchedule.Answer(reading, pages: 1), shortest: search.member.shortest,
        at: moment, date: date, random: Double.random(in: 0...1))
      turns.append(turn.shared(as: search.turn.search, failure: reading.ending.failureMessage))
      last = (turn, search.member.shortest)
    }
    if let last { rhythm.end(last.turn, on: &lane, shortest: last.shortest) }
    var shared = lane.shared(lease.lane)
    shared.costs = shared.costs.filter { $0.hour > Self.hour(now) - 24 }
    if cost > 0 { shared.costs.append(.init(hour: Self.hour(now), amount: Int64(cost))) }
    return .init(
      lane: shared, turns: turns, opening: rhythm.opening(of: lane).roundedMilliseconds)
  }
}

extension Ending {
  /// The reason of a failure; nil for none.
  fileprivate var failureMessage: String? {
    switch self {
    case .failed(let failure), .rateLimited(_, let failure): failure.message
    case .completed, .partial, .skipped, .cancelled: nil
    }
  }
}
