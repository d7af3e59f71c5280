internal import FoundationEssentials
internal import PostHistory
internal import SearchEngine
internal import SearchModel
internal import Synchronization

/// The planner of a watch that shares its searches with no other machine: it follows a `WatchSchedule`.
final class LonePlanner: RoundPlanner {
  private let schedule: Mutex<WatchSchedule>

  init(_ preparation: PreparedRun) { schedule = Mutex(Self.schedule(for: preparation)) }

  private static func schedule(for preparation: PreparedRun) -> WatchSchedule {
    let settings = preparation.settings
    return WatchSchedule(
      preparation.plan.map { planned in
        guard case .ask(let search) = planned else { return nil }
        return WatchSchedule.Member(search, limits: settings.limits)
      }, every: settings.pace.every, isExact: settings.pace.isExact)
  }

  var permits: WatchPermits? { nil }

  func keepLeases() {}

  func use(_ preparation: PreparedRun, from origins: [Int?]) {
    schedule.withLock { schedule in
      var later = Self.schedule(for: preparation)
      later.takeOver(schedule, from: origins)
      schedule = later
    }
  }

  func next(at now: Duration, room: Int) -> (moment: Duration, place: Int?)? {
    schedule.withLock { $0.next }.map { ($0.moment, $0.index) }
  }

  /// The schedule itself bounds what is under way.
  func take(at now: Duration, room: Int) -> [RoundTake] {
    schedule.withLock { $0.take(at: now) }.map { RoundTake(places: $0) }
  }

  func postpone(because error: HistoryError) throws { throw error }

  func finish(_ round: WatchRound, at now: Duration) {
    let outcomes = round.engine.findings.outcomes
    for (offset, reading) in round.engine.readings.enumerated() {
      guard let place = round.places[offset] else { continue }
      let answer = WatchSchedule.Answer(reading, pages: outcomes[offset].pages ?? 1)
      schedule.withLock {
        $0.finish(place, answer, at: now, date: round.now, random: Double.random(in: 0...1))
      }
    }
  }

  func interval(of place: Int) -> Duration { schedule.withLock { $0.interval(of: place) } }

  func endWaits() {}

  func leave() {}
}
