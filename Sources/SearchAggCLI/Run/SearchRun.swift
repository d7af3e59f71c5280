internal import ExchangeRecording
internal import FoundationEssentials
internal import Glibc
internal import PostHistory
internal import Printing
internal import QueuedHTTP
internal import SafeFiles
internal import SearchEngine
internal import SearchModel
internal import Synchronization
internal import TextFormats

/// One run from the plan to the last line: it searches, shows its progress, prints once, and ends.
final class SearchRun: Sendable {
  private let context: Context
  private let settings: RunSettings
  private let engine: SearchEngine
  /// Nil in a replay and offline, where no server is asked.
  private let client: HTTPClient?
  private let recorder: ExchangeRecorder?
  /// True if the run writes or repeats a recording.
  private let isRecorded: Bool
  private let cache: DiskCache?
  private let progress: ProgressLine?
  /// The watcher of the requests, where somebody wants to know.
  private let monitor: RunMonitor?
  /// A last line for a person who may not know of all networks.
  private let hint: String?
  private let begin = ContinuousClock.now
  private let history: RunHistory?
  private let delivery: Delivery?
  private let phase = Mutex(RunPhase.running)
  /// The number of posts written before the end of the run.
  private let written = Mutex(0)

  /// - Parameters:
  ///   - hint: A last line on standard error.
  ///   - recording: The recording that the run writes.
  ///   - credentials: The values that must not be recorded, by variable.
  init(
    _ plan: [PlannedSearch], settings: RunSettings, hint: String? = nil,
    history: RunHistory? = nil, delivery: Delivery? = nil,
    recording: Recording? = nil, credentials: [String: String] = [:], in context: Context
  ) throws {
    self.hint = hint
    self.context = context
    self.settings = settings
    self.history = history
    self.delivery = delivery
    // Before the client, which begins the first thread.
    if context.isProcess { ProcessSetup.useLargeHeapSteps() }
    var configuration = settings.clientConfiguration(in: context)
    progress = settings.progressLine(in: context)
    let isWatched =
      settings.showsStatistics || settings.statisticsPath != nil || progress?.isAnimated == true
    monitor = isWatched ? RunMonitor() : nil
    configuration.observer = monitor
    cache = configuration.cache as? DiskCache
    let client = HTTPClient(configuration: configuration)
    self.client = client
    recorder = try recording?.recorder(over: client, credentials: credentials, clock: context.now)
    isRecorded = recording != nil
    for case .ask(let search) in plan {
      if let pace = search.endpoint.statedPace { client.setPace(pace, for: search.lane) }
    }
    engine = SearchEngine(
      plan: plan, transport: recorder ?? client, limits: settings.limits, now: settings.now,
      clock: context.now, memory: history?.mode == .keep ? nil : history, keeper: history?.backfill,
      sessionStore: SessionFile.own(in: context),
      // A replay knows of a server only what was asked in the recorded run.
      softwareStore: recording == nil ? SoftwareFile.own(in: context) : nil)
  }

  /// A run whose requests are answered from a recording.
  convenience init(
    _ plan: [PlannedSearch], settings: RunSettings, replaying replay: ExchangeReplay,
    in context: Context
  ) {
    self.init(
      plan, settings: settings, over: replay, sessions: ReplayedSessions(replay: replay),
      isRecorded: true, in: context)
  }

  /// A run that asks no server.
  init(
    _ plan: [PlannedSearch], settings: RunSettings, over transport: any Transport,
    sessions: (any SessionStore)? = nil, isRecorded: Bool = false, in context: Context
  ) {
    self.context = context
    self.isRecorded = isRecorded
    self.settings = settings
    client = nil
    recorder = nil
    // What a replay prints depends on nothing but the recording, and offline nothing is learned.
    (history, delivery) = (nil, nil)
    cache = nil
    engine = SearchEngine(
      plan: plan, transport: transport, limits: settings.limits, now: settings.now,
      clock: context.now, sessionStore: sessions)
    progress = nil
    monitor = nil
    hint = nil
  }

  /// Runs the plan and prints what it found; on a signal the process dies in here.
  func perform() async throws -> CommandStatus {
    if context.isProcess {
      ProcessSetup.raiseDescriptorLimit(to: settings.jobs * 4 + 256)
      SignalWatch.start { self.interrupt(by: $0) }
    }
    // Not canceled with the others, so that the last wait is told, too.
    async let told: Void = reportWaits()
    await withTaskGroup { group in
      if let progress { group.addTask { await progress.show { self.progressParts } } }
      if settings.streams { group.addTask { await self.stream() } }
      await engine.run()
      group.cancelAll()
    }
    await told
    let isMine = phase.withLock { $0.end() }
    guard isMine else { await waitForSignal() }
    let result = Result { try present(engine.findings) }
    if let signal = phase.withLock({ $0.beginDelivery() }) { SignalWatch.die(of: signal) }
    let isDelivered = await deliver()
    await client?.shutdown()
    reportCache()
    do { try await recorder?.finish() } catch {
      throw CommandFailure(.cannotWrite, "the recording is incomplete: \(error)")
    }
    try monitor?.report(
      engine.findings.outcomes, took: .now - begin, in: settings, to: context)
    if let hint { context.report(hint) }
    var status = try result.get()
    if !isDelivered, status == .success, settings.failOn != .none { status = .partial }
    // Releasing the posts one by one would take longer than printing them.
    if context.isProcess { exit(status.rawValue) }
    return status
  }

  /// Passes new posts on; returns whether that worked.
  private func deliver() async -> Bool {
    guard let outbox = history?.store else { return true }
    guard let delivery else {
      reportStranded(in: outbox)
      return true
    }
    let left = settings.limits.longest.map { max($0 - (.now - begin), Self.shortestDelivery) }
    return await delivery.deliver(from: outbox, within: left)
  }

  /// The time that new posts get for being passed on, however late it is.
  private static let shortestDelivery = Duration.seconds(1)

  /// Names the batches that no run asks for any more, where this one passes nothing on.
  private func reportStranded(in outbox: any HistoryStore) {
    guard history?.mode != .keep else { return }
    do throws(HistoryError) {
      let line = try StrandedBatches(in: outbox, except: [], now: context.now()).line
      if let line, !settings.isQuiet { context.report(line) }
    } catch {
      context.report("\(error)")
    }
  }

  /// The parts of the progress line: counters, then whatever the run waits for.
  private var progressParts: [String] { engine.progress.parts + (monitor?.waits ?? []) }

  /// Names each server that the run waits for.
  private func reportWaits() async {
    guard !settings.isQuiet, progress?.isAnimated != true else { return }
    for await wait in engine.waits {
      context.report(
        "\(wait.source) (\(wait.server)) asked for a pause; waiting \(wait.duration.inWords)")
    }
  }

  /// Writes each post as soon as its position is final.
  private func stream() async {
    var pause = Duration.zero
    for await _ in engine.arrivals {
      // A canceled sleep is followed by the end of the arrivals.
      if pause > .zero { try? await Task.sleep(for: pause) }
      pause = .zero
      let begin = ContinuousClock.now
      // The last ones are written by the end of the run.
      guard let (found, frontier) = engine.settled, frontier > -.infinity else { continue }
      let posts = merge.posts(of: found)
      // Everything is merged again each time, which takes longer the more there is; new posts wait, so
      // that this never takes more than a fifth of the time.
      pause = (ContinuousClock.now - begin) * 4
      let settled = posts.prefix { post in
        !post.isFuture && post.createdAt.map { $0.timeIntervalSince1970 >= frontier + 1 } ?? false
      }
      let first = written.withLock { $0 }
      guard settled.count > first else { continue }
      guard phase.withLock({ $0.beginStreaming() }) else { return }
      // Posts would land in the middle of the line.
      progress?.end()
      do throws(OutputFailure) {
        try RunPrinter(settings: settings, context: context)
          .print(settled, skipping: first)
        written.withLock { $0 = settled.count }
      } catch {
        // The reader has gone: the end of the run finds the same when it writes the rest.
        engine.end(unfinished: .cancelled)
      }
      if let signal = phase.withLock({ $0.endStreaming() }) { presentAndDie(of: signal) }
    }
  }

  /// The first signal: says so, ends everything, prints what has arrived, and dies by the signal.
  private func interrupt(by signal: Int32) {
    let interruption = phase.withLock { $0.interrupt(by: signal) }
    history?.endWaits()
    progress?.end()
    let news =
      switch interruption {
      case .nothing: "the output is being written"
      case .die: "what was not passed on will be sent by the next run"
      case .print, .leave: "these posts had arrived"
      }
    // The process is about to die: there is nowhere else to report a failure.
    try? context.errors.write(Array("searchagg: interrupted; \(news)\n".utf8))
    if interruption == .die {
      delivery?.stop()
      SignalWatch.die(of: signal)
    }
    guard interruption != .nothing else { return }
    engine.end(unfinished: .cancelled)
    if interruption == .print { presentAndDie(of: signal) }
  }

  private func presentAndDie(of signal: Int32) -> Never {
    _ = try? present(engine.findings, isHurried: true)
    SignalWatch.die(of: signal)
  }

  /// The signal's own thread prints and ends the process; there is nothing to do until then.
  private func waitForSignal() async -> Never {
    while true {
      // A canceled sleep changes nothing.
      try? await Task.sleep(for: .seconds(1))
    }
  }

  /// Reports the cache's problem, and with -v its counts.
  private func reportCache() {
    guard let cache, !settings.isQuiet else { return }
    if let problem = cache.problem { context.report("the cache was not used: \(problem)") }
    guard settings.isVerbose else { return }
    guard let counts = client?.cacheCounts else { return }
    context.report(
      "cache: \(counts.hits) fresh, \(counts.revalidated) unchanged, \(counts.misses) fetched")
  }

  private var merge: Merge { settings.merge }

  private func present(_ findings: Findings, isHurried: Bool = false) throws -> CommandStatus {
    let posts = merge.posts(of: findings.found)
    let alerts = history?.alerts(after: engine.readings) ?? []
    try RunPrinter(settings: settings, context: context, isHurried: isHurried)
      .print(
        posts, written: written.withLock { $0 }, outcomes: findings.outcomes,
        isIncomplete: findings.isIncomplete, excluded: findings.excluded,
        hasOnlyNews: history.map { $0.mode != .keep } ?? false, alerts: alerts)
    if isRecorded, findings.holdsPrivate, !settings.isQuiet {
      context.report("the recording holds posts that are not public: do not share it")
    }
    // Only what was written is remembered: whatever ended the run before would have lost it.
    if let history {
      let readings = engine.readings
      let passedOn = delivery == nil ? [] : history.passedOn(posts, from: readings)
      history.commit(
        readings, printed: posts,
        outbox: delivery?.batches(of: passedOn, now: settings.now) ?? [], isHurried: isHurried)
      let held = delivery == nil ? 0 : posts.count - passedOn.count
      if !settings.isQuiet, let note = history.firstRunNote(after: readings, held: held) {
        context.report(note)
      }
    }
    let status = RunVerdict(
      outcomes: findings.outcomes, postCount: posts.count, failOn: settings.failOn,
      failsOnEmpty: settings.failsOnEmpty, hasSilence: alerts.hasSilence
    ).status
    // The next run will print the same posts again.
    return status == .success && history?.hasFailed == true ? .cannotWrite : status
  }
}
