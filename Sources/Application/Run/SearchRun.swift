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
package final class SearchRun: Sendable {
  private let surroundings: Surroundings
  private let settings: RunSettings
  /// The part of a plan that the run is; nil for all of it.
  private let part: PlanPart?
  private let engine: SearchEngine
  private let session: SearchSession
  private let progress: (any ProgressDisplay)?
  /// True if the run writes or repeats a recording.
  private let isRecorded: Bool
  /// A last line for people who may not know about all networks.
  private let hint: String?
  private let begin = ContinuousClock.now
  private let history: RunHistory?
  private let delivery: Delivery?
  /// The posts that a terminal has shown already, by `Post.identityHash`.
  private let shown: Set<Int>?
  private let phase = Mutex(RunPhase.running)
  /// The number of posts written before the end of the run.
  private let written = Mutex(0)

  /// A run that asks the networks.
  ///
  /// - Parameters:
  ///   - plan: The run's plan, adapted to what the history has.
  ///   - shown: The posts that a terminal has shown already.
  ///   - makeRecorder: Begins the recording that the run writes; returns nil for none.
  init(
    _ run: PreparedRun, plan: [PlannedSearch], history: RunHistory?, shown: Set<Int>?,
    in surroundings: Surroundings, recorder makeRecorder: SearchSession.RecorderMaker
  ) throws {
    let settings = run.settings
    (self.settings, part, hint, delivery) = (
      settings, run.part, run.hint(in: surroundings), run.delivery
    )
    (self.surroundings, self.history, self.shown) = (surroundings, history, shown)
    isRecorded = settings.client.recordingFolder != nil
    session = try SearchSession(settings, in: surroundings, recorder: makeRecorder)
    progress = settings.reports.progressLine(in: surroundings)
    session.use(settings, for: plan)
    engine = session.engine(
      for: plan, limits: settings.limits, now: settings.now,
      memory: history?.mode == .keep ? nil : history,
      keeper: history?.backfill)
  }

  /// A run that asks no server. What it prints depends on nothing but its answers, and it remembers
  /// nothing.
  init(
    _ run: PreparedRun, plan: [PlannedSearch], in session: SearchSession,
    isRecorded: Bool = false, _ surroundings: Surroundings
  ) {
    (settings, part) = (run.settings, run.part)
    self.surroundings = surroundings
    self.isRecorded = isRecorded
    self.session = session
    engine = session.engine(
      for: plan, limits: run.settings.limits, now: run.settings.now)
    (progress, history, delivery, hint, shown) = (nil, nil, nil, nil, nil)
  }

  /// Runs the plan and prints the posts found; a signal ends the process in here.
  package func perform() async throws -> CommandStatus {
    surroundings.host.makeRoom(forDescriptors: settings.client.jobs * 4 + 256)
    surroundings.host.catchSignals { self.interrupt(by: $0) }
    // Not canceled with the others, so that the last wait is reported, too.
    async let told: Void = session.reportWaits(of: engine, settings)
    await withTaskGroup { group in
      if let progress { group.addTask { await progress.show { self.progressParts } } }
      if settings.output.streams { group.addTask { await self.stream() } }
      await engine.run()
      group.cancelAll()
    }
    await told
    JSON.releaseParsers()
    let isMine = phase.withLock { $0.end() }
    guard isMine else { await surroundings.host.waitForSignal() }
    let result = Result { try present(engine.findings) }
    if let signal = phase.withLock({ $0.beginDelivery() }) { surroundings.host.die(of: signal) }
    let isDelivered = history?.cannotJudge == true ? true : await deliver()
    await session.shutdown()
    session.reportCache(settings)
    // That the posts could not be written is said first, whatever else fails.
    var failure: (any Error)?
    do {
      try await session.finishRecording()
      try session.reportStatistics(engine.findings.outcomes, took: .now - begin, settings)
    } catch { failure = error }
    if let note = sampleNote { surroundings.report(note) }
    if let hint { surroundings.report(hint) }
    if let history {
      surroundings.host.closeOutput()
      history.tidy()
    }
    var status = try result.get()
    if let failure { throw failure }
    if !isDelivered, status == .success, settings.verdict.failOn != .none { status = .partial }
    // Releasing the posts one by one would take longer than printing them.
    surroundings.host.end(with: status)
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

  /// The least time that is left for passing new posts on, even when time is up.
  private static let shortestDelivery = Duration.seconds(1)

  /// Names the batches that no run delivers any more, if this one delivers nothing itself.
  private func reportStranded(in outbox: any HistoryStore) {
    guard history?.mode != .keep else { return }
    do throws(HistoryError) {
      let line = try StrandedBatches(in: outbox, except: [], now: surroundings.now()).line
      if let line, !settings.reports.isQuiet { surroundings.report(line) }
    } catch {
      surroundings.report("\(error)")
    }
  }

  /// The parts of the progress line: counters, then whatever the run waits for.
  private var progressParts: [String] { engine.progress.parts + session.waits }

  /// Writes each post as soon as its position is final.
  private func stream() async {
    var pause = Duration.zero
    for await _ in engine.arrivals {
      // A canceled sleep is followed by the end of the arrivals.
      if pause > .zero { try? await Task.sleep(for: pause) }
      pause = .zero
      let begin = ContinuousClock.now
      // The end of the run writes the last ones.
      guard let (found, frontier) = engine.settled, frontier > -.infinity else { continue }
      let posts = merge.posts(of: found)
      // Everything is merged again each time, which takes longer the more there is. A pause in between
      // keeps this below a fifth of the time.
      pause = (ContinuousClock.now - begin) * 4
      let settled = posts.prefix { post in
        !post.isFuture && post.createdAt.map { $0.timeIntervalSince1970 >= frontier + 1 } ?? false
      }
      let first = written.withLock { $0 }
      guard settled.count > first, history?.cannotJudge != true else { continue }
      guard phase.withLock({ $0.beginStreaming() }) else { return }
      // Posts would land in the middle of the line.
      progress?.end()
      do {
        try RunPrinter(settings: settings, surroundings: surroundings)
          .write(settled, skipping: first)
        written.withLock { $0 = settled.count }
      } catch {
        // The reader has gone: the end of the run finds the same when it writes the rest.
        engine.end(unfinished: .cancelled)
      }
      if let signal = phase.withLock({ $0.endStreaming() }) { presentAndDie(of: signal) }
    }
  }

  /// Handles the first signal: says so, ends all searches, prints what has arrived, and dies by the
  /// signal.
  private func interrupt(by signal: Int32) {
    let interruption = phase.withLock { $0.interrupt(by: signal) }
    history?.endWaits()
    progress?.end()
    let news =
      switch interruption {
      case .nothing: "the output is being written"
      case .die: "what was not passed on will be sent by the next run"
      case .print, .leave: "printing what has arrived"
      }
    surroundings.report("interrupted; \(news)")
    if interruption == .die {
      delivery?.stop()
      surroundings.host.die(of: signal)
    }
    guard interruption != .nothing else { return }
    engine.end(unfinished: .cancelled)
    if interruption == .print { presentAndDie(of: signal) }
  }

  /// The line that tells a person on a terminal that there are more posts; nil where no sample was cut.
  private var sampleNote: String? {
    guard surroundings.errorScreen != nil, !settings.reports.isQuiet,
      !settings.history.printsNewOnly
    else { return nil }
    let cut = engine.readings.lazy.filter { reading in
      guard let cap = reading.search.cap else { return false }
      return reading.search.isCapDefault && reading.found >= cap
    }
    return cut.first?.search.cap.map { cap in
      "a sample of \(cap) from each search; -n 50 gives the newest 50"
    }
  }

  private func presentAndDie(of signal: Int32) -> Never {
    do { _ = try present(engine.findings, isHurried: true) } catch { surroundings.report(error) }
    surroundings.host.die(of: signal)
  }

  private var merge: Merge { settings.merge() }

  private func present(_ findings: Findings, isHurried: Bool = false) throws -> CommandStatus {
    // Of ten thousand searches, perhaps three had arrived before the signal.
    let isBrief = isHurried && history?.backfill == nil
    let readings = history == nil ? Readings() : isBrief ? engine.arrivedReadings : engine.readings
    if !isHurried, delivery == nil { history?.beginWriting(readings) }
    let found = merge.posts(of: findings.found)
    guard let history else {
      return try present(found, of: findings, readings, isHurried: isHurried)
    }
    let turn = try history.turn(isNeeded: true)
    return try withExtendedLifetime(turn) {
      guard !settings.output.streams else {
        // What was streamed is printed already, and only remembered.
        let written = written.withLock { $0 }
        if history.cannotJudge, written > 0 { history.mark(found.prefix(written)) }
        try history.checkJudgement(hasPrinted: written > 0)
        return try present(found, of: findings, readings, isHurried: isHurried)
      }
      return try present(
        try history.unprinted(found, from: readings), of: findings, readings, isHurried: isHurried)
    }
  }

  /// Prints posts and remembers them.
  private func present(
    _ posts: [Post], of findings: Findings, _ readings: Readings, isHurried: Bool
  ) throws -> CommandStatus {
    let alerts = history?.alerts(after: engine.readings) ?? []
    var result = RunResult(
      posts: posts[...], outcomes: findings.outcomes, isIncomplete: findings.isIncomplete,
      excluded: findings.excluded, alerts: alerts, now: settings.now)
    result.part = part
    let printing = Result {
      try RunPrinter(
        settings: settings, surroundings: surroundings, isHurried: isHurried,
        isBesideHistory: { [history] in history?.isBeingWritten ?? false }, shown: shown
      )
      .write(
        result, written: written.withLock { $0 }, hasOnlyNews: history?.hasOnlyNews ?? false,
        isKnown: { history?.knows($0) ?? false })
    }
    // What nobody could read is still new to the next run. A plain run marks nothing as printed: it
    // keeps what it found even if its reader has gone.
    if history?.hasOnlyNews != false { try printing.get() }
    if isRecorded, findings.holdsPrivate, !settings.reports.isQuiet {
      surroundings.report("the recording holds posts that are not public: do not share it")
    }
    // Remembered only now: if the run ends before, nothing is lost.
    if let history { remember(posts, readings, in: history, isHurried: isHurried) }
    try printing.get()
    let status = RunVerdict(
      outcomes: findings.outcomes, postCount: posts.count, failOn: settings.verdict.failOn,
      failsOnEmpty: settings.verdict.failsOnEmpty, hasSilence: alerts.hasSilence
    ).status
    // The next run will print the same posts again.
    return status == .success && history?.hasFailed == true ? .cannotWrite : status
  }

  private func remember(
    _ posts: [Post], _ readings: Readings, in history: RunHistory, isHurried: Bool
  ) {
    let (outbox, held) = history.handOver(posts, from: readings, to: delivery, at: settings.now)
    history.commit(readings, printed: posts, outbox: outbox, isHurried: isHurried)
    if !settings.reports.isQuiet, let note = history.firstRunNote(after: readings, held: held) {
      surroundings.report(note)
    }
  }
}
