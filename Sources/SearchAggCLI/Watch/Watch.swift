internal import FoundationEssentials
internal import Glibc
internal import PostHistory
internal import Printing
internal import QueuedHTTP
internal import SearchEngine
internal import SearchModel
internal import SearchSources
internal import Synchronization

/// A run without end: it asks each search again and again, and prints what is new.
///
/// One client serves all polls, with its connections, limits, cool-downs, cache and sessions. Which
/// search is asked when is decided by `WatchSchedule`; a poll is a run of the searches that are due.
final class Watch: Sendable {
  /// A poll that is under way.
  private struct Poll: Sendable {
    let engine: SearchEngine
    let settings: RunSettings
    let history: RunHistory
    /// The places of its searches in the plan.
    let indices: [Int]
  }

  /// Loads tags and configuration; the queries of the command line stay the same.
  typealias Load = @Sendable () throws -> RunPreparation

  private let context: Context
  private let load: Load
  private let output: WatchOutput
  private let client: HTTPClient?
  private let transport: any Transport
  private let cache: DiskCache?
  private let monitor: RunMonitor?
  private let sessions: SessionFile?
  private let software: SoftwareFile?
  private let begin: Duration
  /// Passes new posts on; it changes with the configuration.
  private let delivery: Mutex<Delivery?>
  private let hasFailedDelivery = Mutex(false)

  private let phase = Mutex(RunPhase.running)
  private let poll = Mutex<Poll?>(nil)
  private let record: Mutex<WatchRecord>
  private let line = Mutex<ProgressLine?>(nil)
  private let wantsReload = Mutex(false)
  /// The history, which stays open between polls.
  private let state = Mutex<(store: (any HistoryStore)?, identity: FileIdentity?)>((nil, nil))

  /// - Parameter preparation: The result of the first `load`.
  init(
    _ preparation: RunPreparation, in context: Context, load: @escaping Load
  ) throws(CommandFailure) {
    let settings = preparation.settings
    self.context = context
    self.load = load
    output = try WatchOutput(settings, in: context)
    var configuration = settings.clientConfiguration(in: context)
    let isWatched =
      settings.showsStatistics || settings.statisticsPath != nil
      || settings.progressLine(in: context)?.isAnimated == true
    monitor = isWatched ? RunMonitor() : nil
    configuration.observer = monitor
    cache = configuration.cache as? DiskCache
    let client = context.transport == nil ? HTTPClient(configuration: configuration) : nil
    self.client = client
    transport = context.transport ?? client ?? HTTPClient()
    sessions = SessionFile.own(in: context)
    software = SoftwareFile.own(in: context)
    begin = context.steadyClock.now()
    record = Mutex(WatchRecord(preparation.plan))
    delivery = Mutex(try Self.delivery(for: preparation, in: context))
  }

  /// A batch that failed is tried again at the next poll, then after 1, 3, 7 and 15 times this wait.
  private static func delivery(
    for preparation: RunPreparation, in context: Context
  ) throws(CommandFailure) -> Delivery? {
    try Delivery.wanted(
      by: preparation, backOff: min(preparation.settings.every, .seconds(300)), in: context)
  }

  /// Polls until time is up, and prints the outcomes; on a signal the process dies in here.
  func perform(_ first: RunPreparation) async throws -> CommandStatus {
    var preparation = first
    var schedule = schedule(for: preparation)
    setPaces(of: preparation.plan)
    if context.isProcess {
      ProcessSetup.raiseDescriptorLimit(to: preparation.settings.jobs * 4 + 256)
      SignalWatch.start(hangup: hangup) { self.interrupt(by: $0) }
    }
    do {
      while preparation.settings.watchDuration.map({ now < $0 }) ?? true {
        if wantsReload.withLock({ takeTrue(&$0) }) { reload(&preparation, &schedule) }
        let due = schedule.take(at: now)
        if !due.isEmpty {
          try await ask(due, preparation, &schedule)
        } else if let next = schedule.next {
          try await wait(for: next, preparation)
        } else {
          // Nothing can be asked: the outcomes say why.
          break
        }
      }
    } catch OutputFailure.closed {
      guard phase.withLock({ $0.end() }) else { await waitForSignal() }
      await client?.shutdown()
      return .success
    }
    guard phase.withLock({ $0.end() }) else { await waitForSignal() }
    let settings = preparation.settings
    let record = record.withLock { $0 }
    try output.end(record.outcomes, excluded: record.excluded, isHurried: false)
    if let signal = phase.withLock({ $0.beginDelivery() }) { SignalWatch.die(of: signal) }
    await client?.shutdown()
    try monitor?.report(
      record.outcomes, took: now, in: settings, to: context)
    let status = RunVerdict(
      outcomes: record.outcomes, postCount: record.posts, failOn: settings.failOn,
      failsOnEmpty: settings.failsOnEmpty
    ).status
    let hasFailed = hasFailedDelivery.withLock { $0 } && settings.failOn != .none
    return status == .success && hasFailed ? .partial : status
  }

  /// The time since the watch began.
  private var now: Duration { context.steadyClock.now() - begin }

  /// Returns whether a value is true, and makes it false.
  private func takeTrue(_ value: inout Bool) -> Bool {
    defer { value = false }
    return value
  }

  // MARK: - Polls

  private func schedule(for preparation: RunPreparation) -> WatchSchedule {
    WatchSchedule(
      preparation.plan.map { planned in
        guard case .ask(let search) = planned else { return nil }
        return WatchSchedule.Member(search, limits: preparation.settings.limits)
      }, every: preparation.settings.every)
  }

  private func setPaces(of plan: [PlannedSearch]) {
    for case .ask(let search) in plan {
      if let pace = search.endpoint.statedPace { client?.setPace(pace, for: search.lane) }
    }
  }

  /// Asks searches, prints what is new, and remembers it.
  private func ask(
    _ indices: [Int], _ preparation: RunPreparation, _ schedule: inout WatchSchedule
  ) async throws {
    let poll = try begin(indices, preparation)
    self.poll.withLock { $0 = poll }
    let line = poll.settings.progressLine(in: context)
    self.line.withLock { $0 = line }
    await withTaskGroup { group in
      if let line, line.isAnimated {
        group.addTask {
          await line.show { poll.engine.progress.parts + (self.monitor?.waits ?? []) }
        }
      } else if !poll.settings.isQuiet {
        group.addTask { await self.reportWaits(of: poll.engine) }
      }
      await poll.engine.run()
      group.cancelAll()
    }
    guard phase.withLock({ $0.end() }) else { await waitForSignal() }
    let result = Result { try finish(poll) }
    self.poll.withLock { $0 = nil }
    if let signal = phase.withLock({ $0.beginDelivery() }) { endAndDie(of: signal) }
    plan(poll, in: &schedule)
    try result.get()
    if let delivery = delivery.withLock({ $0 }), let outbox = poll.history.store {
      let isDelivered = await delivery.deliver(from: outbox)
      hasFailedDelivery.withLock { $0 = !isDelivered }
    }
    guard phase.withLock({ $0.resume() }) else { await waitForSignal() }
  }

  private func begin(_ indices: [Int], _ preparation: RunPreparation) throws -> Poll {
    var settings = preparation.settings
    // A clock that a setting has stopped stays so.
    if context.variable("SEARCHAGG_NOW") == nil { settings.now = context.now() }
    // Money spent in one poll after the other adds up.
    settings.limits.costs.period = "day"
    settings.limits.costs.spent = record.withLock { $0.costs.spent(at: now) }
    let plan = indices.map { preparation.plan[$0] }
    let history = try RunHistory(
      for: settings, filter: RunRecord.filter(preparation.reader), plan: plan, in: context,
      store: store(for: settings))
    guard let history, !history.hasFailed else {
      throw CommandFailure(
        .cannotWrite, "a watch cannot tell which posts are new without its state")
    }
    state.withLock { $0 = (history.store, FileIdentity(settings.history.path(in: context))) }
    let engine = SearchEngine(
      plan: history.adapted(plan), transport: transport, limits: settings.limits,
      now: settings.now, clock: context.now, memory: history, sessionStore: sessions,
      softwareStore: software)
    return Poll(engine: engine, settings: settings, history: history, indices: indices)
  }

  /// The history of the poll before, unless somebody has moved its file away.
  private func store(for settings: RunSettings) -> (any HistoryStore)? {
    let identity = FileIdentity(settings.history.path(in: context))
    return state.withLock { $0.identity != nil && $0.identity == identity ? $0.store : nil }
  }

  /// Prints what a poll has found, and remembers it; a signal's thread does so for one that it ends.
  private func finish(_ poll: Poll, isHurried: Bool = false) throws {
    let findings = poll.engine.findings
    let posts = poll.settings.merge.posts(of: findings.found)
    try output.write(posts.reversed(), isHurried: isHurried)
    // Only what was written is remembered.
    let readings = poll.engine.readings
    let delivery = delivery.withLock { $0 }
    let passedOn = delivery == nil ? posts : poll.history.passedOn(posts, from: readings)
    poll.history.commit(
      readings, printed: posts,
      outbox: delivery?.batches(of: passedOn, now: poll.settings.now) ?? [])
    let held = posts.count - passedOn.count
    if !poll.settings.isQuiet,
      let note = poll.history.firstRunNote(after: readings, held: held)
    {
      line.withLock { $0 }?.end()
      context.report(note)
    }
    let news = record.withLock { record in
      record.costs.note(poll.engine.spent, at: now)
      return record.note(
        findings.outcomes, of: poll.indices, posts: posts.count, excluded: findings.excluded)
    }
    report(news, posts, poll)
    guard !poll.history.hasFailed else {
      throw CommandFailure(
        .cannotWrite, "the watch ends, as it would print the same posts again")
    }
  }

  /// Names the searches that ended otherwise than the time before.
  private func report(_ news: WatchRecord.News, _ posts: [Post], _ poll: Poll) {
    let settings = poll.settings
    line.withLock { $0 }?.end()
    let told = settings.isQuiet ? news.changed.filter(\.ending.isFailure) : news.changed
    let isVerbose = settings.isVerbose && !settings.isQuiet
    for line in SummaryLines.lines(for: told, isVerbose: isVerbose) { context.report(line) }
    guard !settings.isQuiet else { return }
    if news.recovered > 0 {
      context.report(
        news.recovered == 1
          ? "1 search is answered again" : "\(news.recovered) searches are answered again")
    }
    if isVerbose { context.report(SummaryLines.closing(posts, outcomes: news.all)) }
  }

  /// Schedules the next poll of each search that was asked.
  private func plan(_ poll: Poll, in schedule: inout WatchSchedule) {
    let readings = poll.engine.readings
    let outcomes = poll.engine.findings.outcomes
    for (place, index) in poll.indices.enumerated() where place < readings.count {
      schedule.finish(
        index, WatchSchedule.Poll(readings[place], pages: outcomes[place].pages ?? 1),
        at: now, date: poll.settings.now, random: Double.random(in: 0...1))
    }
    guard poll.settings.isVerbose, !poll.settings.isQuiet else { return }
    for (place, index) in poll.indices.prefix(Self.namedSearches).enumerated() {
      let outcome = outcomes[place]
      context.report(
        "\(outcome.source) '\(outcome.tag)': every \(schedule.interval(of: index).inWords)")
    }
    if poll.indices.count > Self.namedSearches {
      context.report("and \(poll.indices.count - Self.namedSearches) more searches")
    }
  }

  /// The most searches whose intervals `-v` tells after a poll.
  private static let namedSearches = 20

  private func reportWaits(of engine: SearchEngine) async {
    for await wait in engine.waits {
      context.report(
        "\(wait.source) (\(wait.server)) asked for a pause; waiting \(wait.duration.inWords)")
    }
  }

  // MARK: - Between polls

  /// The time after which a reader who has gone, or a wanted reload, is noticed.
  private static let nap = Duration.seconds(1)

  /// Waits until a search may be asked, or something else is to be done.
  private func wait(
    for next: (moment: Duration, index: Int), _ preparation: RunPreparation
  ) async throws {
    let settings = preparation.settings
    let end = min(next.moment, settings.watchDuration ?? next.moment)
    let line = settings.progressLine(in: context, interval: Self.nap)
    guard let line, line.isAnimated else { return try await nap(until: end) }
    self.line.withLock { $0 = line }
    let search = preparation.plan[next.index]
    try await withThrowingTaskGroup { group in
      group.addTask {
        await line.show { self.waitingParts(search, until: next.moment) }
      }
      try await self.nap(until: end)
      group.cancelAll()
    }
  }

  private func nap(until end: Duration) async throws {
    while case let left = end - now, left > .zero, !wantsReload.withLock({ $0 }) {
      if output.isClosed { throw OutputFailure.closed }
      await context.steadyClock.sleep(min(left, Self.nap))
    }
  }

  /// The parts of the line that says what is asked next.
  private func waitingParts(_ planned: PlannedSearch, until moment: Duration) -> [String] {
    guard case .ask(let search) = planned else { return [] }
    let left = Duration.seconds((max(moment - now, .zero) / .seconds(1)).rounded(.up))
    let posts = record.withLock { $0.posts }
    return [
      "next: \(search.source.name) \(search.query.text) in \(left.inWords)",
      posts == 1 ? "1 post so far" : "\(posts) posts so far",
    ]
  }

  // MARK: - Signals

  /// SIGHUP reloads where no terminal can have sent it by being closed.
  private var hangup: SignalWatch.Hangup {
    let hasTerminal =
      context.outputTerminal != nil || context.errorTerminal != nil || context.readSecret != nil
    return hasTerminal ? .ends : .reloads { self.wantsReload.withLock { $0 = true } }
  }

  /// Reads tags and configuration again; what cannot be used leaves everything as it was.
  private func reload(_ preparation: inout RunPreparation, _ schedule: inout WatchSchedule) {
    let isQuiet = preparation.settings.isQuiet
    do {
      let new = try load()
      let newDelivery = try Self.delivery(for: new, in: context)
      let origins = new.origins(in: preparation)
      var later = self.schedule(for: new)
      later.takeOver(schedule, from: origins)
      record.withLock { $0 = WatchRecord(new.plan, after: $0, from: origins) }
      (preparation, schedule) = (new, later)
      delivery.withLock { $0 = newDelivery }
      setPaces(of: new.plan)
      client?.setConcurrency(new.settings.jobs)
      client?.setLaneLimit(new.settings.limits.perLane)
      if !isQuiet {
        for line in new.warnings { context.report(line) }
        context.report(
          "reloaded: \(new.queries.count == 1 ? "1 tag" : "\(new.queries.count) tags")")
      }
    } catch {
      let reason = (error as? CommandFailure)?.message ?? "\(error)"
      context.report("not reloaded, the old settings stay: \(reason)")
    }
  }

  /// The first signal: says so, prints what has arrived and the outcomes, and dies by the signal.
  private func interrupt(by signal: Int32) {
    let interruption = phase.withLock { $0.interrupt(by: signal) }
    line.withLock { $0 }?.end()
    // The process is about to die: there is nowhere else to report a failure.
    try? context.errors.write(Array("searchagg: interrupted; the watch ends\n".utf8))
    switch interruption {
    case .nothing, .leave: return
    case .die:
      delivery.withLock { $0 }?.stop()
      endAndDie(of: signal)
    case .print:
      if let poll = poll.withLock({ $0 }) {
        poll.engine.end(unfinished: .cancelled)
        do { try finish(poll, isHurried: true) } catch {
          // What was not written stays new; the outcomes would not arrive either.
          SignalWatch.die(of: signal)
        }
      }
      endAndDie(of: signal)
    }
  }

  private func endAndDie(of signal: Int32) -> Never {
    let record = record.withLock { $0 }
    // Nobody is left who could be told of a failure.
    try? output.end(record.outcomes, excluded: record.excluded, isHurried: true)
    SignalWatch.die(of: signal)
  }

  /// The signal's own thread prints and ends the process; there is nothing to do until then.
  private func waitForSignal() async -> Never {
    while true {
      // A canceled sleep changes nothing.
      try? await Task.sleep(for: .seconds(1))
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

extension RunPreparation {
  /// For each search of this plan, its place in an earlier one; nil for a new search.
  fileprivate func origins(in earlier: RunPreparation) -> [Int?] {
    var places: [SearchKey: Int] = [:]
    for (index, planned) in earlier.plan.enumerated() {
      if case .ask(let search) = planned { places[SearchKey(search)] = index }
    }
    return plan.map { planned in
      if case .ask(let search) = planned { places[SearchKey(search)] } else { nil }
    }
  }
}

extension WatchSchedule.Poll {
  /// The result of a search as the schedule needs it.
  fileprivate init(_ reading: Reading, pages: Int) {
    switch reading.ending {
    case .rateLimited(let until, _): self = .rateLimited(until: until)
    case .failed(let failure) where failure.kind != .temporary: self = .rejected
    case .failed(let failure) where failure.until != nil:
      self = .rateLimited(until: failure.until)
    case .failed, .cancelled: self = .failed
    case .completed, .partial, .skipped: self = .answered(newest: reading.newest, pages: pages)
    }
  }
}
