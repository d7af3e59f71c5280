package import FoundationEssentials
internal import QueuedHTTP
package import SearchModel
internal import SearchSources
internal import Synchronization

/// Runs a plan: asks pages, judges answers, logs in where that is needed, and keeps what was found.
///
/// It knows no streams and no arguments. `findings` may be asked for at any moment, so that a signal
/// can print what has arrived.
package final class SearchEngine: Sendable {
  private let transport: any Transport
  private let limits: RunLimits
  private let now: Date
  private let clock: @Sendable () -> Date
  private let sessions: SessionKeeper
  private let programs: SoftwareKeeper
  private let state: Mutex<RunState>
  /// The status that made each lane wait last: 503 speaks of the server, and not of a quota.
  private let coolDowns = Mutex<[Lane: Int]>([:])
  /// Says that something has arrived; what nobody has heard yet is said once.
  package let arrivals: AsyncStream<Void>
  private let news: AsyncStream<Void>.Continuation
  private let waitBoard = Mutex(WaitBoard())
  /// The first wait that each server asks for.
  package let waits: AsyncStream<ServerWait>
  private let waitNews: AsyncStream<ServerWait>.Continuation

  /// - Parameters:
  ///   - now: The run's now, which dates are judged by.
  ///   - clock: The real clock, which waits are counted by.
  package init(
    plan: [PlannedSearch], transport: any Transport, limits: RunLimits, now: Date,
    clock: @escaping @Sendable () -> Date, sessionStore: (any SessionStore)? = nil,
    softwareStore: (any SoftwareStore)? = nil
  ) {
    self.transport = transport
    self.limits = limits
    self.now = now
    self.clock = clock
    sessions = SessionKeeper(
      transport: transport, limits: limits, store: sessionStore, clock: clock)
    programs = SoftwareKeeper(transport: transport, limits: limits, store: softwareStore)
    (arrivals, news) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    (waits, waitNews) = AsyncStream.makeStream()
    var state = RunState(plan: plan, limits: limits, now: now)
    state.groupEqualRequests()
    self.state = Mutex(state)
  }

  /// What was found so far, in plan order; a search that has not ended counts as cancelled.
  package var findings: Findings { state.withLock { $0.findings } }

  /// What was found so far, and the newest second, since 1970, that a post which is yet to come may be
  /// of: those above it are all there.
  ///
  /// Nil while anything may still come.
  package var settled: (found: [FoundPosts], frontier: Double)? {
    state.withLock { state in
      let frontier = state.frontier
      return frontier < .infinity ? (state.findings.found, frontier) : nil
    }
  }

  package var progress: RunProgress {
    var progress = state.withLock { $0.progress }
    let now = clock()
    progress.waits = waitBoard.withLock { $0.waits(at: now) }
    return progress
  }

  /// Ends the run at once: nothing new starts, every transfer is cancelled, and what has no outcome
  /// gets this one.
  package func end(unfinished ending: Ending) {
    state.withLock { $0.end(unfinished: ending) }
    transport.beginCancelAll()
  }

  /// Runs the plan to its end, or to the end of the time it has.
  package func run() async {
    await withTaskGroup { group in
      group.addTask { await self.askAll() }
      if let longest = limits.longest {
        group.addTask { await self.endLate(after: longest) }
      }
      // Whichever comes first; the other is cancelled when the group ends.
      await group.next()
      group.cancelAll()
    }
  }

  private func endLate(after longest: Duration) async {
    do {
      try await Task.sleep(for: longest)
    } catch {
      return  // The run ended in time.
    }
    end(
      unfinished: .failed(
        Failure(
          .temporary, message: "time is up after \(longest.inWords)",
          advice: "give the run more time with --max-time")))
  }

  /// What is to be done next.
  private enum Step: Sendable {
    case ask(PageJob)
    case losePatience(after: Duration)
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
        case .losePatience(let patience):
          group.addTask { await self.losePatience(after: patience, feed) }
        }
      }
      // Only the end of a wait that nobody needs any more is left.
      group.cancelAll()
    }
  }

  private func losePatience(
    after patience: Duration, _ feed: AsyncStream<Step>.Continuation
  ) async {
    do {
      try await Task.sleep(for: patience)
    } catch {
      return  // The run ended in time.
    }
    let next = state.withLock { state in
      state.losePatience()
      return state.start()
    }
    for job in next { feed.yield(.ask(job)) }
  }

  /// Asks a page, and goes on with one of those that its answer allows; the others go to the feed.
  private func ask(_ job: PageJob, _ feed: AsyncStream<Step>.Continuation) async {
    var job = job
    while true {
      let (answers, hasConnected) = await answers(to: job)
      let (next, closed, patience, isIdle) = state.withLock { state in
        let closed = state.take(answers, to: job, hasConnected: hasConnected)
        return (state.start(), closed, state.beginPatience(), state.isIdle)
      }
      if let closed { transport.cancel(group: closed.group) }
      news.yield()
      if let patience { feed.yield(.losePatience(after: patience)) }
      if isIdle { feed.finish() }
      for other in next.dropFirst() { feed.yield(.ask(other)) }
      guard let first = next.first else { return }
      job = first
    }
  }

  /// What each reader of a page has made of it, and whether the server was reached.
  private func answers(
    to job: PageJob
  ) async -> (answers: [PageAnswer], hasConnected: Bool) {
    do {
      let (response, asked) = try await response(to: job)
      // An error is the same for all readers, and read once.
      if let refusal = job.asker.search.source.refusal(in: response, to: asked) {
        return (job.readers.map { answer(refusal.result, to: $0) }, true)
      }
      let alike = sharers(of: job, as: asked)
      guard alike.count < job.sharers.count else {
        return (answers(in: response, asked, to: job.readers), true)
      }
      // The others make their own requests, one after the other.
      let readers = [job.asker] + alike
      var answers: [Int: PageAnswer] = [:]
      for (reader, answer) in zip(readers, self.answers(in: response, asked, to: readers)) {
        answers[reader.index] = answer
      }
      for reader in job.sharers where answers[reader.index] == nil {
        let own = PageJob(asker: reader, sharers: [], cursor: job.cursor)
        answers[reader.index] = await self.answers(to: own).answers.first
      }
      return (job.readers.map { answers[$0.index] ?? .failure(.cancelled) }, true)
    } catch {
      let failure = PageAnswer.failure(Ending(error))
      return (
        Array(repeating: failure, count: job.sharers.count + 1), Ending.hasConnected(before: error)
      )
    }
  }

  /// The sharers of a page whose requests are still equal now that the server's program is known.
  private func sharers(of job: PageJob, as asked: PageRequest) -> [PageJob.Reader] {
    guard asked.software != nil, !job.sharers.isEmpty else { return job.sharers }
    let request = SharedRequest(asked, of: job.asker.search)
    return job.sharers.filter { SharedRequest(asked.read(by: $0), of: $0.search) == request }
  }

  /// Reads a response for all who asked for it: texts are searched before the lock is taken.
  private func answers(
    in response: HTTPResponse, _ asked: PageRequest, to all: [PageJob.Reader]
  ) -> [PageAnswer] {
    guard let source = all.first?.search.source else { return [] }
    var answers: [PageAnswer] = []
    for first in stride(from: 0, to: all.count, by: Self.readersAtOnce) {
      let readers = all[first..<min(first + Self.readersAtOnce, all.count)]
      // What comes after the end of the run is not read: a signal has better use for the cores.
      if state.withLock({ $0.isOver }) {
        answers += readers.map { _ in .failure(.cancelled) }
        continue
      }
      let pages = source.pages(from: response, to: readers.map(asked.read(by:)))
      answers += zip(readers, pages).map { answer($1, to: $0) }
    }
    return answers
  }

  private func answer(
    _ page: Result<Page, SourceFault>, to reader: PageJob.Reader
  ) -> PageAnswer {
    switch page {
    case .success(let page):
      .page(page, KeptPosts(of: page, found: reader.search, filter: limits.filter))
    case .failure(let fault): .failure(Ending(fault))
    }
  }

  /// How many readers of one response are served until the end of the run is looked for.
  private static let readersAtOnce = 64

  /// Sends the request of a page, with one new login where the session has expired.
  private func response(
    to job: PageJob
  ) async throws -> (response: HTTPResponse, asked: PageRequest) {
    let search = job.asker.search
    var asked = limits.page(job.asker, at: job.cursor, now: now)
    asked.software = await programs.software(for: search, asking: asked)
    asked.session = try await sessions.session(for: search, asking: asked, insteadOf: nil)
    var response = try await send(asked, of: search)
    if let expired = asked.session,
      search.source.refusal(in: response, to: asked)?.isExpiredSession == true
    {
      asked.session = try await sessions.session(for: search, asking: asked, insteadOf: expired)
      response = try await send(asked, of: search)
    }
    asked.answered = transport.arrival(of: response) ?? clock()
    return (response, asked)
  }

  /// What an error means that ended a request because its lane is to wait: nil where it is a quota.
  private func unavailability(of lane: Lane, after error: any Error) -> Failure? {
    guard let error = error as? HTTPError, error.code == .coolingDown,
      coolDowns.withLock({ $0[lane] }) == 503
    else { return nil }
    return Failure(
      .temporary, status: 503, message: "the server is unavailable", advice: "try again later",
      until: error.retryMoment)
  }

  private func send(_ page: PageRequest, of search: Search) async throws -> HTTPResponse {
    let source = search.source
    var request = try source.request(for: page)
    request.lane = search.lane
    request.group = search.lane.group
    request.priority = search.priority
    limits.apply(to: &request)
    request.judge = { [self] response, now in
      var page = page
      page.answered = now
      let wanted = source.verdict(on: response, to: page)
      if case .coolDown = wanted { coolDowns.withLock { $0[search.lane] = response.status } }
      let verdict = limits.bounded(wanted, now: now)
      if case .coolDown(let until?) = verdict { note(wait: until, of: search, now: now) }
      return verdict
    }
    do {
      return try await transport.send(request)
    } catch {
      throw unavailability(of: search.lane, after: error) ?? error
    }
  }

  private func note(wait until: Date, of search: Search, now: Date) {
    if let wait = waitBoard.withLock({ $0.note(until, of: search, now: now) }) {
      waitNews.yield(wait)
    }
  }
}
