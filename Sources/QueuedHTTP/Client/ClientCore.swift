internal import Dispatch
internal import FoundationEssentials
internal import Synchronization

/// What the client's faces, its operations and its worker thread share.
///
/// A decision is made inside the lock and carried out outside of it: no call of libcurl, no
/// continuation and no closure runs while it is held.
final class ClientCore: Sendable {
  let configuration: HTTPClient.Configuration
  let waker: Waker
  let executor: WorkerExecutor
  let state: Mutex<ClientState>
  /// What stands between the requests and the cache; nil without one.
  let shelf: ResponseShelf?
  /// Where the cache is asked and told, one request after another.
  let caching = DispatchQueue(label: "QueuedHTTP.caching")
  private let judges = DispatchQueue(label: "QueuedHTTP.judges", attributes: .concurrent)
  /// Where files get their names.
  private let filing = DispatchQueue(label: "QueuedHTTP.filing", attributes: .concurrent)
  private let telling = DispatchQueue(label: "QueuedHTTP.telling")
  let removals = Removals()
  /// The requests for what the cache answered with although it was no longer fresh.
  let refreshes = Mutex<Set<JoinKey>>([])
  private let observers = ProgressObservers()
  /// Why the client's own name cannot be sent, if it cannot.
  private let nameFault: HTTPError?
  private let identities = Atomic<UInt64>(0)
  private let received = Atomic<Int>(0)
  private let sent = Atomic<Int>(0)
  private let opened = Atomic<Int>(0)
  private let reused = Atomic<Int>(0)

  init(_ configuration: HTTPClient.Configuration) {
    self.configuration = configuration
    waker = Waker()
    executor = WorkerExecutor(waker: waker)
    shelf = ResponseShelf(configuration)
    let isNameSound = configuration.userAgent.map(Hop.isFieldValue) ?? true
    nameFault =
      isNameSound
      ? nil : HTTPError(.badRequest, reason: "the client's User-Agent has control characters")
    state = Mutex(
      ClientState(
        RequestQueue.Rules(
          limit: configuration.concurrency, laneLimit: configuration.perLane,
          capacity: configuration.capacity, ageing: configuration.ageing)))
  }

  var now: Instant { Instant(moment: .now, date: configuration.now()) }

  func makeID() -> RequestID {
    RequestID(rawValue: identities.wrappingAdd(1, ordering: .relaxed).newValue)
  }

  var counts: QueueCounts {
    let moment = Moment.now
    var counts = state.withLock { $0.snapshot(at: moment) }
    counts.connectionsOpened = opened.load(ordering: .relaxed)
    counts.connectionsReused = reused.load(ordering: .relaxed)
    return counts
  }

  /// How far all is.
  var progress: ClientProgress {
    var progress = ClientProgress()
    progress.counts = counts
    progress.bytesReceived = received.load(ordering: .relaxed)
    progress.bytesSent = sent.load(ordering: .relaxed)
    return progress
  }

  func observeProgress() -> AsyncStream<ClientProgress> { observers.observe { self.progress } }

  /// Where a request is; nil when it is not in the queue yet, or no more.
  func state(of id: RequestID) -> HTTPOperation.State? {
    guard let entry = state.withLock({ $0.queue.entries[$0.shared.transfer(of: id) ?? id] }) else {
      return nil
    }
    switch entry.stage {
    case .waiting where entry.firstStart == nil, .outside: return .queued
    case .waiting, .sleeping: return .waitingToRetry
    case .running: return .running
    }
  }

  /// Takes a request in, or ends it when it cannot be sent.
  func submit(
    _ request: HTTPRequest, _ id: RequestID, priority: RequestPriority, _ delivery: Delivery
  ) {
    let request = configuration.observer?.prepare(request, id: id.rawValue) ?? request
    do throws(HTTPError) {
      let ticket = try Ticket(
        id: id, request: request, delivery: delivery, hasCache: shelf != nil)
      if let nameFault, request.headers["User-Agent"] == nil { throw nameFault }
      configuration.observer?.queued(ObservedRequest(ticket))
      if configuration.joinsEqualRequests, let key = ticket.joinKey {
        return try join(ticket, by: key, priority: priority)
      }
      let now = now
      carryOut(state.withLock { $0.submit(ticket, priority: priority, now: now) })
      if ticket.isLookedUp { lookUp(ticket) }
    } catch {
      state.withLock { $0.countRefusal() }
      configuration.observer?.finished(
        ObservedRequest(id: id, malformed: request), with: .failure(error))
      delivery.deliver(.failure(error))
    }
  }

  func cancel(_ id: RequestID) {
    let now = now
    carryOut(state.withLock { $0.cancel(id, now: now) })
  }

  /// Lets a paused transfer go on.
  func resume(_ id: RequestID) {
    let isNews = state.withLock { state in
      guard state.records[id] != nil else { return false }
      state.commands.append(.resume(id))
      return true
    }
    if isNews { waker.wake() }
  }

  func cancel(group: RequestGroup) {
    cancel(Array(state.withLock { $0.members(of: group) }))
  }

  func cancel(where isMeant: (HTTPRequest) -> Bool) {
    // Asked outside the lock, since it may call the client.
    let all = state.withLock { $0.records.values.map(\.ticket) }
    cancel(all.compactMap { isMeant($0.request) ? $0.id : nil })
  }

  /// Ends several requests, some at a time, so that others get the lock in between.
  private func cancel(_ ids: [RequestID]) {
    // The latest first: those that run are ended last, so that their slots go to others.
    var rest = ids.sorted { $0.rawValue > $1.rawValue }[...]
    while !rest.isEmpty {
      let now = now
      let part = Array(rest.prefix(Self.mostAtOnce).reversed())
      rest = rest.dropFirst(Self.mostAtOnce)
      carryOut(state.withLock { $0.cancel(part, now: now) })
    }
  }

  /// How many requests are cancelled without opening the lock.
  private static let mostAtOnce = 500

  /// Returns when the queue has room, when all is ended, or when the task is cancelled.
  func waitForRoom() async {
    let id = makeID()
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let seeker = RoomSeeker(id: id, continuation: continuation)
        if !state.withLock({ $0.seekRoom(seeker) }) { continuation.resume() }
        // The handler may have run before there was anything to forget.
        if Task.isCancelled { forgetRoomSeeker(id) }
      }
    } onCancel: {
      forgetRoomSeeker(id)
    }
  }

  private func forgetRoomSeeker(_ id: RequestID) {
    state.withLock { $0.forgetRoomSeeker(id) }?.continuation.resume()
  }

  /// Makes a change to the queue: a limit, a pace, a class.
  func change(_ make: (inout RequestQueue, Moment) -> [RequestQueue.Action]) {
    let now = now
    carryOut(state.withLock { $0.change(now: now, make) })
  }

  // MARK: - For the worker

  /// Takes note of the bytes that were moved since the worker began.
  func note(received: Int, sent: Int) {
    self.received.store(received, ordering: .relaxed)
    self.sent.store(sent, ordering: .relaxed)
    observers.tell { progress }
  }

  /// Takes note of what connections a transfer needed; before its end is told.
  func noteConnections(opened: Int, reused: Int) {
    self.opened.wrappingAdd(opened, ordering: .relaxed)
    self.reused.wrappingAdd(reused, ordering: .relaxed)
  }

  struct Work {
    var deadline: Moment?
    var concurrency: Int
    var isStopping: Bool
  }

  enum Outcome: Sendable {
    case response(HTTPResponse)
    /// A response whose body is in a file that waits for its name.
    case file(HTTPResponse, BodyFile)
    case fault(HTTPError)
  }

  /// Lets the queue do what became due, and hands out all commands.
  ///
  /// - Parameter commands: Empty; its memory takes those that come next.
  func takeWork(at moment: Moment, into commands: inout [WorkerCommand], via outbox: Outbox) -> Work
  {
    let (work, effects) = state.withLock { state in
      var effects = ClientState.Effects()
      if let deadline = state.nextDeadline(), deadline <= moment {
        effects = state.advance(now: Instant(moment: moment, date: configuration.now()))
      }
      swap(&commands, &state.commands)
      let work = Work(
        deadline: state.nextDeadline(), concurrency: state.queue.rules.limit,
        isStopping: state.phase == .stopping)
      return (work, effects)
    }
    carryOut(effects, via: outbox)
    return work
  }

  /// Tells the worker, before it sleeps, whether there are commands and when it must be up again.
  func pendingWork() -> (hasCommands: Bool, deadline: Moment?) {
    state.withLock { state in
      (!state.commands.isEmpty || state.phase == .stopping, state.queue.nextDeadline())
    }
  }

  /// Goes on with a request whose transfer ended.
  func finished(_ ticket: Ticket, _ outcome: Outcome, via outbox: Outbox) {
    switch outcome {
    case .fault(let error) where ticket.hasBegun:
      finish(ticket, .failure(error), via: outbox)
    case .response(let response) where ticket.hasBegun:
      finish(ticket, .success(response), via: outbox)
    case .file(let response, let file):
      // Waiting for the disk is nothing for the worker.
      judges.async { [self] in
        guard let refusal = ticket.request.refusal(of: response) else {
          return filing.async { [self] in finish(ticket, keep(file, of: ticket, response)) }
        }
        file.discard()
        finish(ticket, .failure(refusal))
      }
    case .fault(let error):
      let plan = RetryRules.plan(for: error, of: ticket.request)
      proceed(ticket, .failure(error), plan, via: outbox)
    case .response(let response) where ticket.validators != nil && response.status == 304:
      confirm(ticket, response)
    case .response(let response): weigh(ticket, response, via: outbox)
    }
  }

  /// Has a request wait for its turn in the lane that a redirect leads to.
  func moved(_ ticket: Ticket, _ leg: Leg, via outbox: Outbox) {
    let now = now
    carryOut(state.withLock { $0.move(ticket.id, to: leg, now: now) }, via: outbox)
  }

  /// Counts how often libcurl sent a request again; before its end is told.
  func noteRepetitions(_ count: Int, of id: RequestID) {
    state.withLock { $0.records[id]?.attempts += count }
  }

  /// Goes on with a request as its response asks for.
  func weigh(_ ticket: Ticket, _ response: HTTPResponse, via outbox: Outbox? = nil) {
    guard let judge = ticket.request.judge else {
      let plan = RetryRules.plan(
        for: response, to: ticket.request, now: configuration.now(),
        longestWait: configuration.longestServerWait)
      proceed(ticket, .success(response), plan, via: outbox)
      return
    }
    // The slot is held meanwhile: a word that cools the lane down comes before the next start.
    judges.async { [self] in
      let now = now
      let plan = RetryRules.plan(
        for: judge(response, now.date), on: response, now: now,
        longestWait: configuration.longestServerWait)
      proceed(ticket, .success(response), plan)
    }
  }

  /// Gives the file its name, unless the request has been cancelled; from then on it cannot be.
  private func keep(
    _ file: BodyFile, of ticket: Ticket, _ response: HTTPResponse
  ) -> Result<HTTPResponse, HTTPError> {
    guard state.withLock({ $0.claim(ticket.id) }) else {
      file.discard()
      return .success(response)
    }
    do throws(HTTPError) {
      try file.commit()
      return .success(response)
    } catch { return .failure(error) }
  }

  /// Tells the observer that an attempt began.
  func noteStart(of ticket: Ticket) {
    guard let observer = configuration.observer else { return }
    let attempts = state.withLock { $0.records[ticket.id]?.attempts }
    // One that was cancelled meanwhile has ended.
    if let attempts { observer.started(ObservedRequest(ticket), attempt: attempts) }
  }

  private func proceed(
    _ ticket: Ticket, _ result: Result<HTTPResponse, HTTPError>, _ plan: RetryRules.Plan,
    via outbox: Outbox? = nil
  ) {
    // What was worth another attempt is not worth keeping.
    let isKept = !plan.isRepeated
    guard plan != .end else { return end(ticket, result, isKept: isKept, via: outbox) }
    let now = now
    let chance = configuration.chance()
    let told = state.withLock { $0.proceed(ticket.id, plan: plan, chance: chance, now: now) }
    let isRepeated = told.isRepeated
    if let observer = configuration.observer, let wait = told.wait {
      if plan.coolsLane { observer.cooledDown(ticket.lane, for: wait) }
      if isRepeated { observer.retried(ObservedRequest(ticket), after: wait, because: result) }
    }
    carryOut(told.effects, via: outbox)
    if !isRepeated { end(ticket, result, isKept: isKept, via: outbox) }
  }

  /// Ends a request with what it has, once its response is checked.
  private func end(
    _ ticket: Ticket, _ result: Result<HTTPResponse, HTTPError>, isKept: Bool,
    via outbox: Outbox? = nil
  ) {
    guard case .success(let response) = result, !ticket.request.validations.isEmpty,
      !ticket.hasBegun
    else { return finish(ticket, result, isKept: isKept, via: outbox) }
    judges.async { [self] in
      let refusal = ticket.request.refusal(of: response)
      finish(ticket, refusal.map { .failure($0) } ?? result, isKept: isKept)
    }
  }

  private func finish(
    _ ticket: Ticket, _ result: Result<HTTPResponse, HTTPError>, isKept: Bool = false,
    via outbox: Outbox? = nil
  ) {
    let isTrouble = ticket.isCached && CacheRules.isTrouble(result)
    guard isTrouble || isNewsToCache(ticket, result) else {
      return settle(ticket, result, via: outbox)
    }
    // The slot is held meanwhile, so that no more bodies wait for the disk than transfers may run.
    caching.async { [self] in
      if isTrouble, substitute(for: ticket) { return }
      tellCache(of: ticket, result, isKept: isKept)
      settle(ticket, result)
    }
  }

  /// Tells how a request ended.
  func settle(
    _ ticket: Ticket, _ result: Result<HTTPResponse, HTTPError>, via outbox: Outbox? = nil
  ) {
    let now = now
    carryOut(state.withLock { $0.finish(ticket.id, result, now: now) }, via: outbox)
  }

  // MARK: - The end of all

  /// Ends everything at once; who waits is told afterwards, on another thread.
  @discardableResult
  func beginCancelAll(_ code: HTTPError.Code, isShutDown: Bool = false) -> UInt64 {
    let now = now
    let ((taken, seekers), number) = state.withLock { state in
      if isShutDown { state.phase = .stopping }
      return (state.takeAll(now: now), state.removals)
    }
    waker.wake()
    for seeker in seekers { seeker.continuation.resume() }
    if isShutDown { observers.end { progress } } else { observers.tell { progress } }
    guard !taken.isEmpty else { return number }
    removals.after(number) { [self] in
      telling.async { [self] in
        let reason = isShutDown ? "the client was shut down" : "cancelled"
        for record in taken.values.sorted(by: { $0.ticket.id.rawValue < $1.ticket.id.rawValue }) {
          var error = HTTPError(code, reason: reason)
          error.timings.attempts = record.attempts
          tell(.init(ticket: record.ticket, result: .failure(error)))
        }
      }
    }
    return number
  }

  /// Ends everything, and returns when no transfer runs.
  func cancelAll() async {
    let number = beginCancelAll(.cancelled)
    await withCheckedContinuation { waiter in
      removals.after(number) { waiter.resume() }
    }
    await finishFiling()
  }

  /// Returns when no file gets its name any more of what ended before.
  func finishFiling() async {
    await withCheckedContinuation { waiter in
      filing.async(flags: .barrier) { waiter.resume() }
    }
  }

  /// Says that there is no worker.
  func markBroken() {
    state.withLock { $0.phase = .broken }
    executor.close()
    removals.acknowledgeAll()
  }

  func carryOut(_ effects: ClientState.Effects, via outbox: Outbox? = nil) {
    // The worker looks at its commands again before it sleeps.
    if effects.needsWake, outbox == nil { waker.wake() }
    observers.tell { progress }
    for seeker in effects.admitted { seeker.continuation.resume() }
    if let outbox { return outbox.add(effects.settlements) }
    for settlement in effects.settlements { tell(settlement) }
  }

  /// Hands a request's end to who waits for it, with the address that libcurl was given, censored.
  func tell(_ settlement: ClientState.Settlement) {
    let ticket = settlement.ticket
    guard case .failure(var error) = settlement.result else {
      return deliver(settlement.result, to: ticket)
    }
    error.address = ticket.hop.address.censored
    guard mayHaveBeenDone(ticket, error) else { return deliver(.failure(error), to: ticket) }
    // Whoever is told asks for the news and not for what was kept.
    caching.async { [self, error] in
      tellCache(of: ticket, .failure(error), isKept: false)
      deliver(.failure(error), to: ticket)
    }
  }

  private func deliver(_ result: Result<HTTPResponse, HTTPError>, to ticket: Ticket) {
    configuration.observer?.finished(ObservedRequest(ticket), with: result)
    ticket.delivery.deliver(result)
  }
}
