package import ExchangeRecording
internal import FoundationEssentials
internal import QueuedHTTP
package import SearchEngine
internal import SearchModel
internal import SearchSources

/// The parts that all searches of a command share: the client with its cache, the sessions of networks,
/// the known software of servers, and the monitor of requests.
///
/// Run, watch, offline answer, replay, `sources check` and `sources login` each have one.
package final class SearchSession: Sendable {
  /// Makes the recorder of a client's exchanges.
  package typealias RecorderMaker = (_ client: any Transport) throws -> ExchangeRecorder?

  /// Sends the requests.
  package let transport: any Transport
  /// The sessions of earlier runs; nil where they cannot be kept.
  private let sessions: (any SessionStore)?
  private let software: (any SoftwareStore)?
  /// Nil where no server is asked.
  private let client: HTTPClient?
  private let cache: DiskCache?
  private let recorder: ExchangeRecorder?
  /// Nil where no statistics were asked for.
  private let monitor: RunMonitor?
  /// True if a progress line shows why requests wait, so that it need not be reported.
  private let showsWaits: Bool
  private let surroundings: Surroundings

  /// A session with the networks.
  ///
  /// - Parameter makeRecorder: Begins a recording; returns nil for none.
  package convenience init(
    _ settings: RunSettings, in surroundings: Surroundings,
    recorder makeRecorder: RecorderMaker
  ) rethrows {
    try self.init(settings, in: surroundings, recorder: makeRecorder, gate: nil)
  }

  /// - Parameter gate: Decides when each attempt of a request is sent.
  convenience init(
    _ settings: RunSettings, in surroundings: Surroundings, gate: (any RequestInterceptor)?
  ) {
    self.init(settings, in: surroundings, recorder: { _ in nil }, gate: gate)
  }

  private init(
    _ settings: RunSettings, in surroundings: Surroundings, recorder makeRecorder: RecorderMaker,
    gate: (any RequestInterceptor)?
  ) rethrows {
    self.surroundings = surroundings
    showsWaits = settings.reports.progressLine(in: surroundings)?.isAnimated == true
    let isWatched = settings.reports.hasStatistics || showsWaits
    monitor = isWatched ? RunMonitor() : nil
    var configuration = settings.clientConfiguration(in: surroundings)
    configuration.observer = monitor
    configuration.interceptor = gate
    cache = configuration.cache as? DiskCache
    client = surroundings.transport == nil ? HTTPClient(configuration: configuration) : nil
    let sender = surroundings.transport ?? client ?? NoTransport()
    recorder = try makeRecorder(sender)
    transport = recorder ?? sender
    sessions = SessionFile.own(in: surroundings)
    // A replay knows only what the recorded run asked about a server.
    software = recorder == nil ? SoftwareFile.own(in: surroundings) : nil
  }

  /// A session with the networks that records nothing.
  package convenience init(_ settings: RunSettings, in surroundings: Surroundings) {
    self.init(settings, in: surroundings, recorder: { _ in nil })
  }

  /// A session that asks no server.
  package init(
    over transport: any Transport, sessions: (any SessionStore)? = nil,
    software: (any SoftwareStore)? = nil, in surroundings: Surroundings
  ) {
    self.surroundings = surroundings
    self.transport = transport
    self.sessions = sessions
    self.software = software
    (client, cache, recorder, monitor) = (nil, nil, nil, nil)
    showsWaits = false
  }

  /// A session that repeats a recording.
  package convenience init(replaying replay: ExchangeReplay, in surroundings: Surroundings) {
    self.init(over: replay, sessions: ReplayedSessions(replay: replay), in: surroundings)
  }

  /// Applies the limits of the settings, and the paces that the networks of a plan state.
  func use(_ settings: RunSettings, for plan: [PlannedSearch]) {
    guard let client else { return }
    client.setConcurrency(settings.client.jobs)
    client.setLaneLimit(settings.limits.perLane)
    for case .ask(let search) in plan {
      if let pace = search.endpoint.statedPace { client.setPace(pace, for: search.lane) }
    }
  }

  /// The engine of a plan.
  ///
  /// - Parameter isShared: Whether other engines use this session meanwhile: to end this one then ends
  ///   no request of theirs.
  func engine(
    for plan: [PlannedSearch], limits: RunLimits, now: Date, memory: (any PostMemory)? = nil,
    keeper: (any ReadingKeeper)? = nil, isShared: Bool = false
  ) -> SearchEngine {
    var lanes: Set<Lane> = []
    if isShared { for case .ask(let search) in plan { lanes.insert(search.lane) } }
    return SearchEngine(
      plan: plan, transport: isShared ? LaneTransport(base: transport, lanes: lanes) : transport,
      limits: limits, now: now, clock: surroundings.now, memory: memory,
      keeper: keeper, sessionStore: sessions, softwareStore: software)
  }

  // MARK: - Reports

  /// The reasons why requests wait at this moment.
  var waits: [String] { monitor?.waits() ?? [] }

  /// Names each server that an engine waits for, unless a line shows them.
  func reportWaits(of engine: SearchEngine, _ settings: RunSettings) async {
    guard !settings.reports.isQuiet, !showsWaits else { return }
    for await wait in engine.waits {
      surroundings.report(
        "\(wait.source) (\(wait.server)) asked for a pause; waiting \(wait.duration.inWords)")
    }
  }

  /// Reports the cache's problem, and with -v its counts.
  func reportCache(_ settings: RunSettings) {
    guard let cache, !settings.reports.isQuiet else { return }
    if let problem = cache.problem { surroundings.report("the cache was not used: \(problem)") }
    guard settings.reports.isVerbose, let counts = client?.cacheCounts else { return }
    surroundings.report(
      "cache: \(counts.hits) fresh, \(counts.revalidated) unchanged, \(counts.misses) fetched")
  }

  /// Writes the statistics that the settings ask for.
  func reportStatistics(
    _ outcomes: [SearchOutcome], took: Duration, _ settings: RunSettings
  ) throws {
    try monitor?.report(outcomes, took: took, in: settings, to: surroundings)
  }

  // MARK: - The end

  /// Completes the recording, if there is one.
  func finishRecording() async throws {
    do { try await recorder?.finish() } catch {
      throw CommandFailure(.cannotWrite, "the recording is incomplete: \(error)")
    }
  }

  /// Ends every request.
  func cancelAll() { client?.beginCancelAll() }

  /// Ends the client; returns when it has.
  package func shutdown() async { await client?.shutdown() }
}
