internal import FoundationEssentials

/// The rules by which a watch decides when a search is asked again. Pure; `WatchSchedule` applies them.
struct WatchRhythm: Hashable, Sendable {
  /// The time for which a quiet search is asked as often as the others.
  static let firstDay = Duration.seconds(86_400)

  let every: Duration
  private let isExact: Bool
  let longest: Duration
  /// Searches that are due within a slot are asked together, at its end.
  private let slot: Duration
  /// The same for searches that wait for their lane.
  private let laneSlot: Duration

  init(every: Duration, isExact: Bool) {
    self.every = every
    self.isExact = isExact
    longest = max(every, min(every * 12, .seconds(3600)))
    slot = min(every / 20, .seconds(60))
    laneSlot = min(slot, .seconds(15))
  }

  /// Returns whether a search is asked at the interval of `--every`, however quiet it is.
  func isLiteral(_ turn: WatchTurn, at now: Duration) -> Bool {
    isExact || now - turn.added < Self.firstDay
  }

  /// The moment at which a lane may be asked for a search that is due.
  func opening(of lane: WatchLane) -> Duration { Self.rounded(lane.opens, upTo: laneSlot) }

  /// Schedules a search after it has been asked.
  ///
  /// - Parameters:
  ///   - shortest: The shortest interval that its server should see.
  ///   - date: The wall clock at that moment.
  ///   - random: A number from 0 to 1.
  func finish(
    _ turn: inout WatchTurn, on lane: inout WatchLane, _ answer: WatchSchedule.Answer,
    shortest: Duration, at now: Duration, date: Date, random: Double
  ) {
    if answer != .unanswered { lane.hasAnswered = true }
    var interval = every
    switch answer {
    case .answered(let newest, let pages):
      lane.rateLimits = 0
      turn.rejections = 0
      // Later pages were asked for, too.
      lane.take(max(pages, 1) - 1)
      if let newest { turn.newest = max(newest, turn.newest ?? newest) }
      let quiet = turn.newest.map { date.timeIntervalSince($0) }
      // A search that never found a post counts as the quietest.
      interval =
        isLiteral(turn, at: now)
        ? every : quiet.map { .seconds(min(max($0 / 10, 0), 1e9)) } ?? longest
    case .failed, .unanswered: break
    case .rejected:
      turn.rejections = min(turn.rejections + 1, 16)
      interval = every * (1 << turn.rejections)
    case .rateLimited(let until):
      lane.rateLimits = min(lane.rateLimits + 1, 5)
      let named = until.map { Duration.seconds(min($0.timeIntervalSince(date), 86_400)) }
      let wait = named ?? .seconds(60) * (1 << (lane.rateLimits - 1))
      lane.closedUntil = max(lane.closedUntil, now + max(wait, .zero))
    }
    interval = max(min(max(interval, every), longest), shortest)
    turn.interval = interval
    let jitter =
      interval > every ? interval / 1000 * Int((min(max(random, 0), 1) * 100).rounded()) : .zero
    turn.due = max(Self.rounded(turn.begun + interval + jitter, upTo: slot), now)
  }

  /// Ends the round of a lane with its last search.
  func end(_ turn: WatchTurn, on lane: inout WatchLane, shortest: Duration) {
    lane.isSilent = !lane.hasAnswered
    guard lane.isSilent else { return }
    lane.closedUntil = max(lane.closedUntil, turn.begun + max(every, shortest))
  }

  private static func rounded(_ moment: Duration, upTo slot: Duration) -> Duration {
    guard slot > .zero, moment > .zero else { return max(moment, .zero) }
    // The quotient is not exact.
    let near = slot * Int((moment / slot).rounded())
    return near >= moment ? near : near + slot
  }
}
