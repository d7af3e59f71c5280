internal import PostHistory
internal import SearchEngine
internal import SearchModel

/// Decides which searches of a watch are asked, and when: all of them (`LonePlanner`), or the share of one machine of
/// several (`WatchWorker`).
protocol RoundPlanner: Sendable {
  /// Decides which requests may be sent; nil where all may.
  var permits: WatchPermits? { get }

  /// Keeps the right to ask until the task is canceled.
  func keepLeases() async

  /// Continues with another plan.
  ///
  /// - Parameter origins: For each search of the plan, its place in the earlier one.
  func use(_ preparation: PreparedRun, from origins: [Int?])

  /// The next moment at which there may be something to ask, and the place of a search that is asked then, if it is
  /// known; nil if that depends on the rounds under way, or nothing is left.
  ///
  /// - Parameters:
  ///   - now: The time since the watch began.
  ///   - room: The number of rounds that may begin besides those under way.
  func next(at now: Duration, room: Int) -> (moment: Duration, place: Int?)?

  /// Takes the searches of the rounds that begin now.
  func take(at now: Duration, room: Int) throws -> [RoundTake]

  /// Notes that a history made a round impossible; throws where the watch cannot go on.
  func postpone(because error: HistoryError) throws

  /// Schedules the next round of each search that a round has asked.
  func finish(_ round: WatchRound, at now: Duration)

  /// The interval at which a search was last scheduled.
  func interval(of place: Int) -> Duration

  /// Ends every wait, as the process is about to die.
  func endWaits()

  /// Leaves the searches to others.
  func leave()
}

/// The searches of one round.
struct RoundTake: Sendable {
  /// Their places in the plan, in order.
  let places: [Int]
  /// The history that machines share, and the right to ask these searches.
  var shared: (store: any HistoryStore, lease: WatchLease)?

  /// The costs of the last 24 hours that count for them, by source; nil for those of this watch.
  func spent(in plan: [PlannedSearch]) -> [SourceName: Int]? {
    guard let spent = shared?.lease.spent else { return nil }
    guard spent > 0, let place = places.first else { return [:] }
    return [plan[place].source: spent]
  }
}
