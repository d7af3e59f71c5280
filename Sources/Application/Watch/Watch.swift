internal import FoundationEssentials
internal import PostHistory
internal import Printing
internal import SearchEngine
internal import SearchModel
internal import SearchSources
internal import Synchronization

/// A run without end: it asks each search again and again, and prints what is new.
///
/// A `RoundPlanner` decides when each search is asked. Each lane has its own rounds (`WatchRound`), which
/// run side by side; one writer prints and remembers what they bring (`WatchWriter`), and new posts are
/// passed on at the same time (`WatchDelivery`). One client serves all rounds, with its connections,
/// limits, cool-downs, cache and sessions.
package final class Watch: Sendable {
  /// Loads tags and configuration; the queries of the command line stay the same.
  package typealias Load = @Sendable () throws -> PreparedRun

  private enum Event: Sendable {
    /// All searches of a round have an outcome.
    case ended(round: Int)
    /// The moment has come that the watch waited for.
    case woke(Duration)
  }

  /// The state of the loop of `perform`.
  private struct Progress {
    var preparation: PreparedRun
    var nextRound = 0
    /// The next moment at which the loop is woken.
    var alarm: Duration?
  }

  private let surroundings: Surroundings
  private let load: Load
  private let writer: WatchWriter
  private let runner: RoundRunner
  private let planner: any RoundPlanner
  private let begin: Duration
  /// Passes new posts on; it changes with the configuration.
  private let delivery: Mutex<(batches: Delivery, worker: WatchDelivery)?>
  /// The deliveries that reloads have replaced, until each has ended.
  private let ending = Mutex<[WatchDelivery]>([])
  private let progress: WatchProgress

  private let phase = Mutex(RunPhase.running)
  /// The rounds that are under way or not written yet.
  private let rounds = Mutex<[Int: WatchRound]>([:])
  /// The next search to ask, for the progress line.
  private let next = Mutex<(search: PlannedSearch?, moment: Duration)?>(nil)
  private let wantsReload = Mutex(false)

  /// - Parameter preparation: The result of the first `load`.
  package init(
    _ preparation: PreparedRun, in surroundings: Surroundings, load: @escaping Load
  ) throws {
    let settings = preparation.settings
    self.surroundings = surroundings
    self.load = load
    writer = try WatchWriter(preparation, in: surroundings)
    planner = WatchWorker(preparation, in: surroundings) ?? LonePlanner(preparation)
    runner = RoundRunner(settings, in: surroundings, permits: planner.permits)
    progress = WatchProgress { settings.reports.progressLine(in: surroundings) }
    begin = surroundings.steadyClock.now()
    delivery = Mutex(Self.delivery(for: preparation))
  }

  private static func delivery(
    for preparation: PreparedRun
  ) -> (batches: Delivery, worker: WatchDelivery)? {
    preparation.delivery.map { (batches: $0, worker: WatchDelivery($0)) }
  }

  /// Asks until time is up, and prints the outcomes; on a signal the process dies in here.
  package func perform(_ first: PreparedRun) async throws -> CommandStatus {
    runner.use(first)
    surroundings.host.makeRoom(forDescriptors: first.settings.client.jobs * 4 + 256)
    surroundings.host.catchSignals(
      reload: { self.wantsReload.withLock { $0 = true } }, { self.interrupt(by: $0) })
    let (workers, feed) = AsyncStream.makeStream(of: WatchDelivery.self)
    async let deliveries: Void = run(workers)
    let settings: RunSettings
    do {
      settings = try await watch(first, feed)
    } catch OutputFailure.closed {
      guard phase.withLock({ $0.end() }) else { await surroundings.host.waitForSignal() }
      endDeliveries(feed)
      await deliveries
      await runner.shutdown()
      return .success
    }
    guard phase.withLock({ $0.end() }) else { await surroundings.host.waitForSignal() }
    progress.hide()
    try writer.end(isHurried: false)
    if let signal = phase.withLock({ $0.beginDelivery() }) { surroundings.host.die(of: signal) }
    planner.leave()
    endDeliveries(feed)
    await deliveries
    await runner.shutdown()
    try runner.report(writer.outcomes, took: now, settings)
    let status = writer.status(settings)
    let hasFailed = deliveryWorker?.hasFailed ?? false
    return status == .success && hasFailed && settings.verdict.failOn != .none ? .partial : status
  }

  /// Runs deliveries: one that a reload begins waits until the old one has ended.
  private func run(_ workers: AsyncStream<WatchDelivery>) async {
    for await worker in workers {
      await worker.run()
      ending.withLock { $0.removeAll { $0 === worker } }
    }
  }

  /// The worker that passes posts on now; nil where nothing receives any.
  private var deliveryWorker: WatchDelivery? { delivery.withLock { $0?.worker } }

  private func endDeliveries(_ feed: AsyncStream<WatchDelivery>.Continuation) {
    deliveryWorker?.finish()
    feed.finish()
  }

  /// The time since the watch began.
  private var now: Duration { surroundings.steadyClock.now() - begin }

  // MARK: - The loop

  /// The time after which a reader who has gone, or a wanted reload, is noticed.
  private static let pollInterval = Duration.seconds(1)

  /// Asks until time is up, or nothing can be asked; returns the latest settings.
  private func watch(
    _ first: PreparedRun, _ deliveries: AsyncStream<WatchDelivery>.Continuation
  ) async throws -> RunSettings {
    if let deliveryWorker { deliveries.yield(deliveryWorker) }
    return try await withThrowingDiscardingTaskGroup { group in
      defer {
        endRounds()
        group.cancelAll()
      }
      group.addTask { await self.planner.keepLeases() }
      var progress = Progress(preparation: first)
      try await loop(&progress, deliveries, in: &group)
      return progress.preparation.settings
    }
  }

  private func loop(
    _ progress: inout Progress, _ deliveries: AsyncStream<WatchDelivery>.Continuation,
    in group: inout ThrowingDiscardingTaskGroup<any Error>
  ) async throws {
    let (events, feed) = AsyncStream.makeStream(of: Event.self)
    feed.yield(.woke(.zero))
    for await event in events {
      switch event {
      case .ended(let round): try await finish(round)
      case .woke(let moment): if progress.alarm == moment { progress.alarm = nil }
      }
      if writer.isClosed { throw OutputFailure.closed }
      if wantsReload.withLock({ takeTrue(&$0) }) { reload(&progress, deliveries) }
      let isOver = progress.preparation.settings.pace.duration.map { now >= $0 } ?? false
      if !isOver { try await startRounds(&progress, feed, in: &group) }
      let isIdle = rounds.withLock { $0.isEmpty }
      let next = isOver ? nil : planner.next(at: now, room: room(in: progress))
      // Nothing can be asked, or not any more: the outcomes say why.
      if isIdle, next == nil { return }
      show(next, progress.preparation, in: &group)
      setAlarm(next?.moment, &progress, feed, in: &group)
      if isIdle { runner.tidy() }
    }
  }

  /// Returns whether a value is true, and makes it false.
  private func takeTrue(_ value: inout Bool) -> Bool {
    defer { value = false }
    return value
  }

  /// Wakes the loop at the next moment at which there is something to do.
  private func setAlarm(
    _ next: Duration?, _ progress: inout Progress, _ feed: AsyncStream<Event>.Continuation,
    in group: inout ThrowingDiscardingTaskGroup<any Error>
  ) {
    var moment = min(next ?? .seconds(Int64.max >> 1), now + Self.pollInterval)
    if let end = progress.preparation.settings.pace.duration, end > now {
      moment = min(moment, end)
    }
    if let alarm = progress.alarm, alarm <= moment { return }
    progress.alarm = moment
    group.addTask {
      await self.surroundings.steadyClock.sleep(max(moment - self.now, .zero))
      feed.yield(.woke(moment))
    }
  }

  // MARK: - Rounds

  /// Starts the rounds that are due, each on a task of its own.
  private func startRounds(
    _ progress: inout Progress, _ feed: AsyncStream<Event>.Continuation,
    in group: inout ThrowingDiscardingTaskGroup<any Error>
  ) async throws {
    for round in try takeRounds(progress) {
      let number = progress.nextRound
      progress.nextRound += 1
      rounds.withLock { $0[number] = round }
      // A signal that came meanwhile has not seen it.
      guard phase.withLock({ $0 == .running }) else { await surroundings.host.waitForSignal() }
      group.addTask {
        await self.runner.run(round)
        feed.yield(.ended(round: number))
      }
    }
  }

  /// The rounds that are due.
  private func takeRounds(_ progress: Progress) throws -> [WatchRound] {
    let preparation = progress.preparation
    return try planner.take(at: now, room: room(in: progress)).compactMap { take in
      do {
        return try runner.round(
          take, of: preparation, spent: take.spent(in: preparation.plan) ?? writer.spent(at: now))
      } catch let error as HistoryError {
        try planner.postpone(because: error)
        return nil
      }
    }
  }

  /// The number of rounds that may begin besides those under way.
  private func room(in progress: Progress) -> Int {
    progress.preparation.settings.client.jobs - rounds.withLock { $0.count }
  }

  /// Prints what a round has found, passes it on, and schedules the next one.
  private func finish(_ number: Int) async throws {
    guard phase.withLock({ $0.beginStreaming() }) else { await surroundings.host.waitForSignal() }
    guard let round = rounds.withLock({ $0.removeValue(forKey: number) }) else { return }
    let result = Result { try write(round) }
    if let signal = phase.withLock({ $0.endStreaming() }) { endAndDie(of: signal) }
    planner.finish(round, at: now)
    _ = try result.get()
    writer.reportIntervals(of: round) { planner.interval(of: $0) }
    if case .success(true) = result, let outbox = round.history.store {
      deliveryWorker?.wake(for: outbox)
    }
  }

  /// Returns whether the round was remembered.
  @discardableResult
  private func write(_ round: WatchRound, isHurried: Bool = false) throws -> Bool {
    try writer.write(
      round, at: now, for: delivery.withLock { $0?.batches }, isHurried: isHurried,
      hide: progress.hide)
  }

  /// Ends the rounds that are under way, whose searches are asked by the next watch.
  private func endRounds() {
    for round in rounds.withLock({ $0.values.map(\.self) }) {
      writer.keepCosts(of: round, at: now)
      round.engine.end(unfinished: .cancelled)
    }
  }

  // MARK: - Progress

  /// Shows how far the rounds are, or what is asked next.
  private func show(
    _ next: (moment: Duration, place: Int?)?, _ preparation: PreparedRun,
    in group: inout ThrowingDiscardingTaskGroup<any Error>
  ) {
    self.next.withLock {
      $0 = next.map { next in
        (search: next.place.map { preparation.plan[$0] }, moment: next.moment)
      }
    }
    guard let line = progress.begin() else { return }
    group.addTask { await line.show { self.progressParts } }
  }

  private var progressParts: [String] {
    let rounds = rounds.withLock { $0.values.map(\.self) }
    guard rounds.isEmpty else {
      return RunProgress(sum: rounds.map(\.engine.progress)).parts + runner.waits
    }
    guard let (planned, moment) = next.withLock({ $0 }) else { return [] }
    let posts = "\(Plural.count(writer.posts, "post")) so far"
    guard case .ask(let search) = planned else { return planned == nil ? [posts] : [] }
    let left = max(moment - now, .zero).roundedUpToSeconds.inWords
    return ["next: \(search.source.name) \(search.query.text) in \(left)", posts]
  }

  // MARK: - Signals

  /// Reloads tags and configuration; if they have a mistake, nothing changes.
  private func reload(
    _ progress: inout Progress, _ deliveries: AsyncStream<WatchDelivery>.Continuation
  ) {
    do {
      let new = try load()
      let newDelivery = Self.delivery(for: new)
      let origins = new.origins(in: progress.preparation)
      planner.use(new, from: origins)
      writer.move(to: new.plan, from: origins)
      rounds.withLock { rounds in for number in rounds.keys { rounds[number]?.move(to: origins) } }
      let isQuiet = progress.preparation.settings.reports.isQuiet
      progress.preparation = new
      let old = delivery.withLock { delivery in
        defer { delivery = newDelivery }
        return delivery
      }
      if let old {
        ending.withLock { $0.append(old.worker) }
        old.worker.finish()
      }
      if let worker = newDelivery?.worker { deliveries.yield(worker) }
      runner.use(new)
      guard !isQuiet else { return }
      for line in new.warnings { surroundings.report(line) }
      surroundings.report(
        "reloaded: \(Plural.count(new.queryCount, "tag"))")
    } catch {
      surroundings.report("not reloaded; keeping the old settings: \(error.shown)")
    }
  }

  /// Handles the first signal: says so, prints what has arrived and the outcomes, and dies by the signal.
  private func interrupt(by signal: Int32) {
    let interruption = phase.withLock { $0.interrupt(by: signal) }
    runner.endWaits()
    planner.endWaits()
    progress.hide()
    surroundings.report("interrupted; the watch ends")
    switch interruption {
    case .nothing: return
    case .leave:
      // The loop is writing a round, and ends the others after it.
      stopDeliveries()
    case .print: endAndDie(of: signal)
    case .die:
      stopDeliveries()
      surroundings.host.die(of: signal)
    }
  }

  /// Stops the delivery, and those that reloads have replaced, as the process is about to die.
  private func stopDeliveries() {
    for worker in ending.withLock({ $0 }) { worker.stop() }
    deliveryWorker?.stop()
  }

  /// Prints what the other rounds have found so far, then the outcomes, and dies.
  private func endAndDie(of signal: Int32) -> Never {
    stopDeliveries()
    runner.cancelAll()
    var failure: (any Error)?
    for (_, round) in rounds.withLock({ $0 }).sorted(by: { $0.key < $1.key }) {
      round.engine.end(unfinished: .cancelled)
      // What one round could not write stays new, and hinders no other one.
      do { try write(round, isHurried: true) } catch { failure = failure ?? error }
    }
    do { try writer.end(isHurried: true) } catch { failure = failure ?? error }
    if let failure { surroundings.report(failure) }
    planner.leave()
    surroundings.host.die(of: signal)
  }
}

extension PreparedRun {
  /// For each search of this plan, its place in an earlier one; nil for a new search.
  fileprivate func origins(in earlier: PreparedRun) -> [Int?] {
    var places: [SearchKey: Int] = [:]
    for (index, planned) in earlier.plan.enumerated() {
      if case .ask(let search) = planned { places[SearchKey(search)] = index }
    }
    return plan.map { planned in
      if case .ask(let search) = planned { places[SearchKey(search)] } else { nil }
    }
  }
}
