internal import FoundationEssentials
internal import Glibc
internal import PostHistory
internal import QueuedHTTP
internal import SearchEngine
internal import SearchModel
internal import Synchronization

/// Makes and runs the polls of a watch, which share one client, with its connections, limits, cool-downs
/// and cache, and the sessions and the history.
final class WatchPoller: Sendable {
  private let context: Context
  private let client: HTTPClient?
  private let transport: any Transport
  private let monitor: RunMonitor?
  /// True if no progress line says what a server makes the polls wait for.
  private let reportsWaits: Bool
  private let sessions: SessionFile?
  private let software: SoftwareFile?
  /// The history, which stays open between polls.
  private let state = Mutex<(store: (any HistoryStore)?, identity: FileIdentity?)>((nil, nil))

  init(_ settings: RunSettings, in context: Context) {
    self.context = context
    var configuration = settings.clientConfiguration(in: context)
    let isAnimated = settings.progressLine(in: context)?.isAnimated == true
    reportsWaits = !isAnimated
    let isWatched = settings.showsStatistics || settings.statisticsPath != nil || isAnimated
    monitor = isWatched ? RunMonitor() : nil
    configuration.observer = monitor
    let client = context.transport == nil ? HTTPClient(configuration: configuration) : nil
    self.client = client
    transport = context.transport ?? client ?? HTTPClient()
    sessions = SessionFile.own(in: context)
    software = SoftwareFile.own(in: context)
  }

  /// The reasons why requests wait at this moment.
  var waits: [String] { monitor?.waits ?? [] }

  /// Keeps the limits of these settings, and the paces of the networks of their plan.
  func use(_ preparation: RunPreparation) {
    client?.setConcurrency(preparation.settings.jobs)
    client?.setLaneLimit(preparation.settings.limits.perLane)
    for case .ask(let search) in preparation.plan {
      if let pace = search.endpoint.statedPace { client?.setPace(pace, for: search.lane) }
    }
  }

  func cancelAll() { client?.beginCancelAll() }

  func shutdown() async { await client?.shutdown() }

  /// Reports the statistics that the settings ask for.
  func report(_ outcomes: [SearchOutcome], took: Duration, _ settings: RunSettings) throws {
    try monitor?.report(outcomes, took: took, in: settings, to: context)
  }

  /// Prepares a poll of some searches of a plan.
  ///
  /// - Parameters:
  ///   - spent: The costs of the last day, by source.
  ///   - written: The number of polls that were written before.
  func poll(
    _ indices: [Int], of preparation: RunPreparation, spent: [SourceName: Int], written: Int
  ) throws -> WatchPoll {
    var settings = preparation.settings
    // A clock that a setting has stopped stays so.
    if context.variable("SEARCHAGG_NOW") == nil { settings.now = context.now() }
    // Money spent in one poll after the other adds up.
    settings.limits.costs.period = "day"
    settings.limits.costs.spent = spent
    let plan = indices.map { preparation.plan[$0] }
    let history = try RunHistory(
      for: settings, filter: RunRecord.filter(preparation.reader), plan: plan, in: context,
      store: store(for: settings))
    guard let history, !history.hasFailed else {
      throw CommandFailure(
        .cannotWrite, "a watch cannot tell which posts are new without its state")
    }
    state.withLock { $0 = (history.store, FileIdentity(settings.history.path(in: context))) }
    let lanes = plan.compactMap { planned in
      if case .ask(let search) = planned { search.lane } else { nil }
    }
    let engine = SearchEngine(
      plan: history.adapted(plan), transport: PollTransport(base: transport, lanes: Set(lanes)),
      limits: settings.limits, now: settings.now, clock: context.now, memory: history,
      sessionStore: sessions, softwareStore: software)
    return WatchPoll(
      engine: engine, settings: settings, history: history, spentBefore: spent,
      writtenBefore: written, places: indices)
  }

  /// The history of the poll before, unless somebody has moved its file away.
  private func store(for settings: RunSettings) -> (any HistoryStore)? {
    let identity = FileIdentity(settings.history.path(in: context))
    return state.withLock { $0.identity != nil && $0.identity == identity ? $0.store : nil }
  }

  /// Asks the searches of a poll, until each has an outcome.
  func run(_ poll: WatchPoll) async {
    await withTaskGroup { group in
      if reportsWaits, !poll.settings.isQuiet {
        group.addTask { await self.reportWaits(of: poll.engine) }
      }
      await poll.engine.run()
      group.cancelAll()
    }
  }

  private func reportWaits(of engine: SearchEngine) async {
    for await wait in engine.waits {
      context.report(
        "\(wait.source) (\(wait.server)) asked for a pause; waiting \(wait.duration.inWords)")
    }
  }
}

/// The file behind a path, which may be replaced by another of the same name.
private struct FileIdentity: Hashable, Sendable {
  private let device: UInt
  private let number: UInt

  init?(_ path: String?) {
    var status = stat()
    guard let path, stat(path, &status) == 0 else { return nil }
    (device, number) = (UInt(status.st_dev), UInt(status.st_ino))
  }
}
