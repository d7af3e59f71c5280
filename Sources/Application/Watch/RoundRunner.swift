internal import FoundationEssentials
internal import Glibc
internal import PostHistory
internal import QueuedHTTP
internal import SearchEngine
internal import SearchModel
internal import SearchSources
internal import Synchronization
internal import TextFormats

/// Makes and runs the rounds of a watch, which share one session and one history.
final class RoundRunner: Sendable {
  private let surroundings: Surroundings
  private let session: SearchSession
  /// The history, which stays open between rounds.
  private let state = Mutex<(store: (any HistoryStore)?, identity: StateIdentity?)>((nil, nil))
  /// The wait for other processes that use the history.
  private let wait = LockWait()

  /// - Parameter permits: Decides which requests are sent, where machines share the searches.
  init(_ settings: RunSettings, in surroundings: Surroundings, permits: WatchPermits?) {
    var surroundings = surroundings
    if let permits, let transport = surroundings.transport {
      surroundings.transport = PermittedTransport(base: transport, permits: permits)
    }
    self.surroundings = surroundings
    session = SearchSession(settings, in: surroundings, gate: permits)
  }

  /// The reasons why requests wait at this moment.
  var waits: [String] { session.waits }

  /// Applies the limits of these settings, and the paces of the networks in their plan.
  func use(_ preparation: PreparedRun) {
    session.use(preparation.settings, for: preparation.plan)
  }

  func cancelAll() { session.cancelAll() }

  /// Ends every wait for other processes, as the process is about to die.
  func endWaits() { wait.end() }

  func shutdown() async { await session.shutdown() }

  /// Reports the statistics that the settings ask for.
  func report(
    _ outcomes: [SearchOutcome], took: Duration, _ settings: RunSettings
  ) throws {
    try session.reportStatistics(outcomes, took: took, settings)
  }

  /// Prepares a round of some searches of a plan.
  ///
  /// - Parameters:
  ///   - take: Those searches.
  ///   - spent: The costs of this watch in the last day, by source.
  func round(
    _ take: RoundTake, of preparation: PreparedRun, spent: [SourceName: Int]
  ) throws -> WatchRound {
    let shared = take.shared
    let settings = preparation.settings
    // A clock that was fixed by a setting stays fixed.
    let now = surroundings.isClockStopped ? settings.now : surroundings.now()
    let plan = take.places.map { preparation.plan[$0] }
    let history = try RunHistory(
      for: settings, at: now, filter: preparation.filter, plan: plan, in: surroundings,
      store: shared?.store ?? store(for: settings), wait: wait)
    guard let history, !history.hasFailed else {
      throw CommandFailure(
        .cannotWrite, "a watch cannot tell which posts are new without its state")
    }
    var spent = spent
    if shared == nil {
      state.withLock {
        $0 = (history.store, StateIdentity(settings.history.path(in: surroundings)))
      }
      if plan.contains(where: \.isCharged), let store = history.store {
        spent.merge(try store.costs(at: now), uniquingKeysWith: max)
      }
    }
    // The costs of all rounds of a day add up.
    var limits = settings.limits
    limits.costs.period = "day"
    limits.costs.spent = spent
    let engine = session.engine(
      for: history.adapted(plan), limits: limits, now: now, memory: history, isShared: true)
    return WatchRound(
      engine: engine, settings: settings, now: now, history: history, spentBefore: spent,
      lease: shared?.lease, places: take.places)
  }

  /// The open history of the previous round, unless its file was moved away.
  private func store(for settings: RunSettings) -> (any HistoryStore)? {
    let identity = StateIdentity(settings.history.path(in: surroundings))
    return state.withLock { $0.identity != nil && $0.identity == identity ? $0.store : nil }
  }

  /// Uses an idle moment to move what plain runs have left into the history's tables.
  func tidy() {
    do throws(HistoryError) {
      try state.withLock { $0.store }?.fold(within: Self.longestTidying)
    } catch {
      // The next round needs the history, and reports what is wrong with it.
    }
  }

  /// The time for which a signal may have to wait.
  private static let longestTidying = Duration.milliseconds(20)

  /// Asks the searches of a round, until each has an outcome.
  func run(_ round: WatchRound) async {
    await withTaskGroup { group in
      group.addTask { await self.session.reportWaits(of: round.engine, round.settings) }
      await round.engine.run()
      group.cancelAll()
    }
    JSON.releaseParsers()
  }
}

extension PlannedSearch {
  /// True if its network charges for it.
  fileprivate var isCharged: Bool {
    guard case .ask(let search) = self else { return false }
    return search.source.traits.cost != nil
  }
}

/// The state behind a path: a file, which may be replaced by another of the same name, or a database.
private enum StateIdentity: Hashable, Sendable {
  case file(device: UInt, number: UInt)
  case database(address: String)

  init?(_ path: String?) {
    guard let path else { return nil }
    if HistorySettings.isShared(path) {
      self = .database(address: path)
      return
    }
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self = .file(device: UInt(status.st_dev), number: UInt(status.st_ino))
  }
}
