package import FoundationEssentials
internal import QueuedHTTP
package import SearchModel
package import SearchSources
internal import Synchronization

/// Runs a plan: requests pages, logs in where needed, and collects results.
///
/// `findings` is available at any time, so that a signal can print the results so far.
package final class SearchEngine: Sendable {
  private let transport: any Transport
  private let limits: RunLimits
  private let now: Date
  private let clock: @Sendable () -> Date
  private let memory: (any PostMemory)?
  private let keeper: (any ReadingKeeper)?
  private let sessions: SessionKeeper
  private let software: SoftwareKeeper
  private let state: Mutex<RunState>
  /// The status that last made each lane wait: 503 means the server, and not a quota.
  private let coolDowns = Mutex<[Lane: Int]>([:])
  private let gate = ReadingGate()
  /// Signals arrivals; unread signals are merged.
  package let arrivals: AsyncStream<Void>
  private let news: AsyncStream<Void>.Continuation
  private let waitBoard = WaitBoard()

  /// - Parameters:
  ///   - now: The run's current date, which post dates are compared with.
  ///   - clock: The real clock, which measures waits.
  package init(
    plan: [PlannedSearch], transport: any Transport, limits: RunLimits, now: Date,
    clock: @escaping @Sendable () -> Date, memory: (any PostMemory)? = nil,
    keeper: (any ReadingKeeper)? = nil,
    sessionStore: (any SessionStore)? = nil,
    softwareStore: (any SoftwareStore)? = nil
  ) {
    self.transport = transport
    self.limits = limits
    self.now = now
    self.clock = clock
    self.memory = memory
    self.keeper = keeper
    sessions = SessionKeeper(
      transport: transport, limits: limits, store: sessionStore, waits: waitBoard, clock: clock)
    software = SoftwareKeeper(
      transport: transport, limits: limits, store: softwareStore, waits: waitBoard)
    (arrivals, news) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    var state = RunState(plan: plan, limits: limits, now: now)
    state.groupEqualRequests()
    self.state = Mutex(state)
  }

  /// The results so far, in plan order; a search that has not ended counts as canceled.
  package var findings: Findings { state.withLock { $0.findings } }

  /// The posts that each search has read so far, in plan order.
  package var readings: Readings { state.withLock { $0.readings } }

  /// The same without the searches that nothing has arrived for, as most of a run that a signal ends.
  package var arrivedReadings: Readings { state.withLock { $0.arrivedReadings } }

  /// The results so far, and the latest date, in seconds since 1970, that a post still to come can
  /// have: newer posts are complete.
  ///
  /// Nil while posts of any date may arrive.
  package var settled: (found: [FoundPosts], frontier: Double)? {
    state.withLock { state in
      let frontier = state.frontier
      return frontier < .infinity ? (state.findings.found, frontier) : nil
    }
  }

  /// The costs so far on networks that charge, with those that counted from the beginning.
  package var spent: [SourceName: Int] { state.withLock { $0.spent } }
  /// The same with the most that the pages in progress may cost: a request that was sent is charged, even if nobody
  /// waits for its response.
  package var mostSpent: [SourceName: Int] { state.withLock { $0.mostSpent } }

  /// The first wait of each server.
  package var waits: AsyncStream<ServerWait> { waitBoard.news }

  package var progress: RunProgress {
    var progress = state.withLock { $0.progress }
    let now = clock()
    progress.waits = waitBoard.waits(at: now)
    return progress
  }

  /// Ends the run at once: nothing new starts, every transfer is canceled, and searches without an
  /// outcome get this one.
  package func end(unfinished ending: Ending) {
    state.withLock { $0.end(unfinished: ending) }
    transport.beginCancelAll()
  }

  /// Runs the plan to its end, or until time is up.
  package func run() async {
    await withTaskGroup { group in
      group.addTask { await self.askAll() }
      if let longest = limits.longest {
        group.addTask { await self.endLate(after: longest) }
      }
      // Whichever comes first; the other is canceled.
      await group.next()
      group.cancelAll()
    }
    waitBoard.close()
  }

  private func endLate(after longest: Duration) async {
    do {
      try await transport.waitOut(longest)
    } catch {
      return  // The run ended in time.
    }
    let failure = Failure(
      .temporary, message: "time is up after \(longest.inWords)",
      advice: "give the run more time with --max-time")
    let number = state.withLock { state in
      state.end(unfinished: .failed(failure))
      return state.nextStep()
    }
    transport.beginCancelAll()
    await transport.note(RunStep(number, .timeUp))
  }

  /// The page that the current task requests.
  @TaskLocal private static var requested: PageJob?

  /// The searches that the current task requests a page for; an observer of the client can tell whose a new request is.
  package static var asking: [Search] { requested?.readers.map(\.search) ?? [] }

  /// The next step of the run.
  private enum Step: Sendable {
    case ask(PageJob)
    case stopWaiting(after: Duration)
  }

  private func askAll() async {
    let (steps, feed) = AsyncStream.makeStream(of: Step.self)
    let first = state.withLock { $0.start() }
    if first.isEmpty { feed.finish() }
    for job in first { feed.yield(.ask(job)) }
    await withDiscardingTaskGroup { group in
      for await step in steps {
        switch step {
        case .ask(let job): group.addTask { await self.ask(job, feed) }
        case .stopWaiting(let patience):
          group.addTask { await self.stopWaiting(after: patience, feed) }
        }
      }
      // Only an unneeded timer is left.
      group.cancelAll()
    }
  }

  private func stopWaiting(
    after patience: Duration, _ feed: AsyncStream<Step>.Continuation
  ) async {
    do {
      try await transport.waitOut(patience: patience)
    } catch {
      return  // The run ended in time.
    }
    let (next, number) = state.withLock { state in
      state.stopWaiting()
      return (state.start(), state.nextStep())
    }
    await transport.note(RunStep(number, .patienceLost))
    for job in next { feed.yield(.ask(job)) }
  }

  /// Requests a page, and continues with one of the pages that become possible; the others go to the
  /// feed.
  private func ask(_ job: PageJob, _ feed: AsyncStream<Step>.Continuation) async {
    var job = job
    while true {
      let asked = job
      let answered = await Self.$requested.withValue(asked) {
        await self.answers(to: asked)
      }
      let (taken, move) = state.withLock { state in
        // Together with what follows, so that it depends on the order of pages alone.
        (
          state.take(answered, to: asked),
          keeper == nil ? state.move(after: answered, to: asked) : nil
        )
      }
      if let keeper {
        keeper.keep(state.withLock { $0.readings(of: asked.readers.map(\.index)) })
      }
      let next = move ?? state.withLock { $0.move(after: answered, to: asked) }
      if let closed = taken.closed { end(closed) }
      if next.pauses, let pause = answered.pause { note(pause, of: asked.asker.search) }
      news.yield()
      await transport.note(taken.step)
      if let patience = next.patience { feed.yield(.stopWaiting(after: patience)) }
      if next.isIdle { feed.finish() }
      for other in next.jobs.dropFirst() { feed.yield(.ask(other)) }
      guard let first = next.jobs.first else { return }
      job = first
    }
  }

  /// Ends what waits on a closed lane. Requests under way are worth waiting for if the server was
  /// reached.
  private func end(_ closed: ClosedLane) {
    if closed.isReached {
      transport.cancelWaiting(group: closed.lane.group)
    } else {
      transport.cancel(group: closed.lane.group)
    }
  }

  /// The results of a page request.
  private func answers(to job: PageJob) async -> AnsweredPage {
    do {
      let judged = try await response(to: job)
      let response = judged.response
      let pause: AnsweredPage.Pause?
      switch judged.judgement {
      case .refusal(let refusal):
        if response.isSuccess { transport.removeCached(response) }
        // An error is the same for all readers, and read once.
        return AnsweredPage(
          answers: job.readers.map { answer(refusal.result, to: $0) }, hasAnswered: true)
      case .answer(let end, _):
        // A quota that a stored response calls spent was that of an earlier run.
        let isStored = response.timings.fromCache && response.origin != .revalidated
        pause =
          isStored ? nil : end.map { AnsweredPage.Pause(begin: judged.page.answered, end: $0) }
      }
      let alike = sharers(of: job, as: judged.page)
      let asked = await informed(judged.page, toRead: response, for: job.asker.search)
      guard alike.count < job.sharers.count else {
        return AnsweredPage(
          answers: await answers(in: response, asked, to: job.readers), hasAnswered: true,
          pause: pause)
      }
      // The others make their own requests, sequentially.
      let readers = [job.asker] + alike
      var answers: [Int: PageAnswer] = [:]
      let read = await self.answers(in: response, asked, to: readers)
      for (reader, answer) in zip(readers, read) {
        answers[reader.index] = answer
      }
      for reader in job.sharers where answers[reader.index] == nil {
        let own = PageJob(asker: reader, sharers: [], cursor: job.cursor)
        answers[reader.index] = await self.answers(to: own).answers.first
      }
      return AnsweredPage(
        answers: job.readers.map { answers[$0.index] ?? .failure(.cancelled) }, hasAnswered: true,
        pause: pause)
    } catch {
      return AnsweredPage(
        answers: Array(repeating: .failure(Ending(error)), count: job.sharers.count + 1),
        hasAnswered: Ending.hasAnswered(before: error))
    }
  }

  /// The page with what its source needs to know to read a response.
  private func informed(
    _ page: PageRequest, toRead response: HTTPResponse, for search: Search
  ) async -> PageRequest {
    let need = search.source.softwareNeed(toRead: response, of: page)
    if case .none = need { return page }
    var page = page
    page.software = await software.software(need, for: search, asking: page)
    return page
  }

  /// The sharers of a page whose requests are still equal now that the server's software is known.
  private func sharers(of job: PageJob, as asked: PageRequest) -> [PageJob.Reader] {
    guard asked.software != nil, !job.sharers.isEmpty else { return job.sharers }
    let request = SharedRequest(asked, of: job.asker.search)
    return job.sharers.filter { SharedRequest(asked.read(by: $0), of: $0.search) == request }
  }

  /// Reads a response for all its readers. Texts are searched outside the lock.
  private func answers(
    in response: HTTPResponse, _ asked: PageRequest, to all: [PageJob.Reader]
  ) async -> [PageAnswer] {
    await gate.pass(size: response.body.count) { read(response, asked, by: all) }
  }

  private func read(
    _ response: HTTPResponse, _ asked: PageRequest, by all: [PageJob.Reader]
  ) -> [PageAnswer] {
    guard let source = all.first?.search.source else { return [] }
    var answers: [PageAnswer] = []
    for first in stride(from: 0, to: all.count, by: Self.readersAtOnce) {
      let readers = all[first..<min(first + Self.readersAtOnce, all.count)]
      // Responses after the end of the run are ignored, to leave the cores to printing.
      if state.withLock({ $0.isOver }) {
        answers += readers.map { _ in .failure(.cancelled) }
        continue
      }
      let pages = source.pages(from: response, to: readers.map(asked.read(by:)))
      // Otherwise a server that calls it unchanged would keep it for all runs to come.
      if pages.contains(where: \.isUnsound) { transport.removeCached(response) }
      answers += zip(readers, pages).map { answer($1, to: $0) }
    }
    return answers
  }

  private func answer(
    _ page: Result<Page, SourceFault>, to reader: PageJob.Reader
  ) -> PageAnswer {
    switch page {
    case .success(let page):
      .page(
        page, KeptPosts(of: page, found: reader.search, filter: limits.filter, memory: memory))
    case .failure(let fault): .failure(Ending(fault))
    }
  }

  /// The number of readers served before checking for the end of the run.
  private static let readersAtOnce = 64

  /// Requests a page, after a new login if the session has expired.
  private func response(to job: PageJob) async throws -> JudgedResponse {
    let search = job.asker.search
    var asked = limits.page(job.asker, at: job.cursor, now: now)
    asked.software = await software.software(for: search, asking: asked)
    asked.session = try await sessions.session(for: search, asking: asked, insteadOf: nil)
    let response = try await send(asked, for: job.asker)
    guard let expired = asked.session, response.judgement.isExpiredSession else { return response }
    asked.session = try await sessions.session(for: search, asking: asked, insteadOf: expired)
    return try await send(asked, for: job.asker)
  }

  /// The failure that caused a cool-down if the server was unavailable; nil for a quota.
  private func unavailability(of lane: Lane, after error: any Error) -> Failure? {
    guard let error = error as? HTTPError, error.code == .coolingDown,
      coolDowns.withLock({ $0[lane] }) == 503
    else { return nil }
    return Failure(
      .temporary, status: 503, message: "the server is unavailable", advice: "try again later",
      until: error.retryMoment)
  }

  private func send(
    _ page: PageRequest, for reader: PageJob.Reader
  ) async throws -> JudgedResponse {
    let search = reader.search
    let source = search.source
    var request = try source.request(for: page)
    limits.prepare(&request, of: search)
    let judge = ResponseJudge(source, page, of: request)
    request.mayKeep = { !judge.page.hasSecrets(in: $0) }
    request.judge = { [self] response, now in
      let wanted = judge.judged(response, at: now).judgement.verdict
      if case .coolDown = wanted { coolDowns.withLock { $0[search.lane] = response.status } }
      let verdict = limits.bounded(wanted, on: response, now: now)
      switch verdict {
      case .coolDown(let until?), .extendCoolDown(let until):
        waitBoard.note(until, of: search, now: now)
      case .done, .retry, .retryAfter, .coolDown(nil), .doneThenCoolDown: break
      }
      return verdict
    }
    do {
      let response = try await transport.send(request, for: reader.index)
      if let arrival = transport.arrival(of: response) {
        return judge.judged(response, at: arrival)
      }
      return judge.judged(response) ?? judge.judged(response, at: clock())
    } catch {
      throw unavailability(of: search.lane, after: error) ?? Self.placed(error, of: request)
    }
  }

  /// The error, with the server that a redirect led to if that is another one.
  private static func placed(_ error: any Error, of request: HTTPRequest) -> any Error {
    guard var error = error as? HTTPError, let asked = ServerAddress.origin(of: request.url),
      let origin = ServerAddress.origin(of: error.address), origin != asked
    else { return error }
    error.reason = "redirected to \(origin): \(error.reason)"
    return error
  }

  private func note(_ pause: AnsweredPage.Pause, of search: Search) {
    guard limits.allows(waitUntil: pause.end, from: pause.begin) else { return }
    waitBoard.note(pause.end, of: search, now: pause.begin)
  }

  /// The first page of a search.
  package static func firstPage(
    of search: Search, limits: RunLimits, now: Date
  ) -> PageRequest {
    let wanted = RunState.wantedAtFirst(of: search, within: limits)
    return limits.page(
      PageJob.Reader(index: 0, search: search, wanted: wanted), at: nil, now: now)
  }
}

extension Result<Page, SourceFault> {
  /// True if the same request may get more the next time: the response could not be read, or not to its end.
  fileprivate var isUnsound: Bool {
    switch self {
    case .success(let page): page.gap != nil
    case .failure: true
    }
  }
}
