internal import Dispatch
internal import Synchronization

/// The state that the client's public face, its operations and its worker thread share.
///
/// Decisions are made inside the lock and performed outside of it: no call of libcurl, no
/// continuation and no closure runs while it is held.
final class ClientCore: Sendable {
  let configuration: ClientConfiguration
  let waker: Waker
  let executor: WorkerExecutor
  let state: Mutex<ClientState>
  /// Applies the rules of caching; nil without a cache.
  let cacheInterceptor: CacheInterceptor?
  /// Runs all use of the cache, one request after another: neither in the lock nor on the worker.
  let caching = DispatchQueue(label: "QueuedHTTP.caching")
  let judges = DispatchQueue(label: "QueuedHTTP.judges", attributes: .concurrent)
  /// Renames files when they are complete.
  let filing = DispatchQueue(label: "QueuedHTTP.filing", attributes: .concurrent)
  let cancellations = CancellationBarrier()
  let interceptions = InterceptionTasks()
  let refreshes = BackgroundRefreshes()
  private let delivering = DispatchQueue(label: "QueuedHTTP.delivering")
  private let observers = ProgressObservers()
  /// The reason the client's `User-Agent` cannot be sent; nil if it can.
  private let userAgentFault: HTTPError?
  private let identities = Atomic<UInt64>(0)
  private let totals = TrafficTotals()

  init(_ configuration: ClientConfiguration) {
    var configuration = configuration
    if configuration.proxy == nil, !ProxyChoice.isInEnvironment {
      // libcurl would read half a dozen variables for each request.
      configuration.proxy = ""
      configuration.noProxy = configuration.noProxy ?? ""
    } else {
      configuration.noProxy = ProxyChoice.exemptHosts(of: configuration)
    }
    self.configuration = configuration
    waker = Waker()
    executor = WorkerExecutor(waker: waker)
    cacheInterceptor = CacheInterceptor(configuration)
    let isAgentValid = configuration.userAgent.map(Hop.isFieldValue) ?? true
    userAgentFault =
      isAgentValid
      ? nil
      : HTTPError(.badRequest, reason: "the client's User-Agent contains control characters")
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

  // MARK: - Counts and progress

  var counts: QueueCounts {
    let moment = Moment.now
    var counts = state.withLock { $0.snapshot(at: moment) }
    totals.complete(&counts)
    return counts
  }

  var progress: ClientProgress {
    var progress = ClientProgress()
    progress.counts = counts
    totals.complete(&progress)
    return progress
  }

  func observeProgress() -> AsyncStream<ClientProgress> { observers.observe { self.progress } }

  func setTraffic(received: Int, sent: Int) {
    totals.setBytes(received: received, sent: sent)
    observers.update { progress }
  }

  func countConnections(opened: Int, reused: Int) {
    totals.countConnections(opened: opened, reused: reused)
  }

  // MARK: - Submitting

  /// Adds a request, or ends it if it cannot be sent.
  func submit(
    _ request: HTTPRequest, _ id: RequestID, priority: RequestPriority, _ delivery: Delivery
  ) {
    if let observer = configuration.observer {
      admit(observer.prepare(request, id: id.rawValue), id, priority: priority, delivery)
    } else {
      admit(request, id, priority: priority, delivery)
    }
  }

  private func admit(
    _ request: HTTPRequest, _ id: RequestID, priority: RequestPriority, _ delivery: Delivery
  ) {
    var request = request
    if !configuration.headers.isEmpty { request.headers.fill(from: configuration.headers) }
    do throws(HTTPError) {
      let ticket = try Ticket(
        id: id, request: request, delivery: delivery, hasCache: cacheInterceptor != nil,
        isIntercepted: isIntercepting, enclosingClients: enclosingClients)
      if let userAgentFault, request.headers["User-Agent"] == nil { throw userAgentFault }
      configuration.observer?.queued(ObservedRequest(ticket))
      if configuration.joinsEqualRequests, let key = ticket.joinKey {
        return try join(ticket, by: key, priority: priority)
      }
      let now = now
      perform(state.withLock { $0.submit(ticket, priority: priority, now: now) })
      if ticket.isLookedUp { lookUp(ticket) }
    } catch {
      state.withLock { $0.countRefusal() }
      configuration.observer?.finished(
        ObservedRequest(id: id, malformed: request), with: .failure(error))
      delivery.deliver(.failure(error))
    }
  }

  /// Adds a request that may share the transfer of an equal one.
  private func join(
    _ ticket: Ticket, by key: JoinKey, priority: RequestPriority
  ) throws(HTTPError) {
    var request = ticket.request
    // These belong to each caller alone.
    request.group = nil
    request.deadline = nil
    let transfer = try Ticket(
      id: makeID(), request: request, delivery: .members, hasCache: cacheInterceptor != nil,
      isIntercepted: isIntercepting)
    let now = now
    let (effects, isNew) = state.withLock {
      $0.join(ticket, by: key, or: transfer, priority: priority, now: now)
    }
    if isNew { configuration.observer?.queued(ObservedRequest(transfer)) }
    perform(effects)
    if isNew, transfer.isLookedUp { lookUp(transfer) }
  }

  /// Makes a change to the queue: a limit or a pace.
  func change(_ body: (inout RequestQueue, Moment) -> [RequestQueue.Action]) {
    let now = now
    perform(state.withLock { $0.change(now: now, body) })
  }

  func setPriority(_ priority: RequestPriority, of id: RequestID) {
    let now = now
    perform(state.withLock { $0.setPriority(priority, of: id, now: now) })
  }

  /// The state of a request; nil if it is not in the queue yet, or no longer.
  func state(of id: RequestID) -> OperationState? { state.withLock { $0.state(of: id) } }

  /// Lets a paused transfer continue.
  func resume(_ id: RequestID) {
    if state.withLock({ $0.resume(id) }) { waker.wake() }
  }

  /// Returns when the queue has room, when everything was canceled, or when the task is canceled.
  func waitForRoom() async {
    let id = makeID()
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let waiter = CapacityWaiter(id: id, continuation: continuation)
        if !state.withLock({ $0.addCapacityWaiter(waiter) }) { continuation.resume() }
        // The handler may have run before there was anything to remove.
        if Task.isCancelled { removeCapacityWaiter(id) }
      }
    } onCancel: {
      removeCapacityWaiter(id)
    }
  }

  private func removeCapacityWaiter(_ id: RequestID) {
    state.withLock { $0.removeCapacityWaiter(id) }?.continuation.resume()
  }

  // MARK: - Canceling

  func cancel(_ id: RequestID) {
    let now = now
    perform(state.withLock { $0.cancel(id, now: now) })
  }

  func cancel(group: RequestGroup) {
    let meant = state.withLock { $0.tickets(of: group) }
    for ticket in meant { ticket.markForCancellation() }
    cancel(marked: meant)
  }

  func cancelWaiting(group: RequestGroup) {
    let now = now
    perform(
      state.withLock { state in
        state.cancelWaiting(state.tickets(of: group).map(\.id), now: now)
      })
  }

  func cancel(where isMeant: (HTTPRequest) -> Bool) {
    // Outside the lock, because the closure may call the client; and in one pass, because most of the
    // time goes into memory that is not in the processor's cache.
    let requests = state.withLock { $0.requests.table }
    var meant: [Ticket] = []
    requests.forEach { request in
      guard isMeant(request.ticket.request) else { return }
      request.ticket.markForCancellation()
      meant.append(request.ticket)
    }
    cancel(marked: meant)
    // If requests have ended meanwhile, this is the last reference to them.
    if requests.count > Self.batchSize { delivering.async { extendLifetime(requests) } }
  }

  /// The number of requests that are canceled without opening the lock.
  private static let batchSize = 500

  /// Cancels several requests, none of which starts any more: many of them on another thread, because
  /// that takes a while.
  private func cancel(marked tickets: consuming [Ticket]) {
    guard tickets.count > Self.batchSize else { return cancel(tickets.map(\.id)) }
    delivering.async { [self, tickets] in cancel(tickets.map(\.id)) }
  }

  /// Cancels several requests in batches, so that others get the lock in between.
  private func cancel(_ ids: [RequestID]) {
    // The newest first: running requests end last, so that their slots go to other requests.
    var rest = ids.sorted { $0.rawValue > $1.rawValue }[...]
    while !rest.isEmpty {
      let now = now
      let batch = Array(rest.prefix(Self.batchSize).reversed())
      rest = rest.dropFirst(Self.batchSize)
      perform(state.withLock { $0.cancel(batch, now: now) })
    }
  }

  /// Ends everything at once; results are delivered afterwards, on another thread.
  ///
  /// - Returns: The number that `cancellations` acknowledges once no transfer runs.
  @discardableResult
  func beginCancelAll(_ code: HTTPError.Code, isShutDown: Bool = false) -> UInt64 {
    let now = now
    let taken = state.withLock { $0.takeAll(isShutDown: isShutDown, now: now) }
    waker.wake()
    for waiter in taken.waiters { waiter.continuation.resume() }
    for request in taken.requests where request.isAtInterceptor {
      interceptions.cancel(request.ticket.id)
    }
    if isShutDown { observers.end { progress } } else { observers.update { progress } }
    guard !taken.requests.isEmpty else { return taken.removal }
    cancellations.after(taken.removal) { [self] in
      delivering.async { [self] in
        let reason = isShutDown ? "the client was shut down" : "canceled"
        for request in taken.requests.sorted(by: { $0.ticket.id.rawValue < $1.ticket.id.rawValue })
        {
          var error =
            request.ticket.isMarkedForCancellation
            ? HTTPError(.cancelled, reason: "canceled") : HTTPError(code, reason: reason)
          error.timings.attempts = request.attempts
          deliver(Settlement(ticket: request.ticket, result: .failure(error)))
        }
      }
    }
    return taken.removal
  }

  /// Ends everything, and returns when no transfer runs.
  func cancelAll() async {
    let number = beginCancelAll(.cancelled)
    await withCheckedContinuation { waiter in
      cancellations.after(number) { waiter.resume() }
    }
    await finishFiling()
  }

  /// Returns when no file of an earlier request can still be renamed.
  func finishFiling() async {
    await withCheckedContinuation { waiter in
      filing.async(flags: .barrier) { waiter.resume() }
    }
  }

  /// Returns when the cache has finished with earlier requests.
  func finishCaching() async {
    await withCheckedContinuation { waiter in caching.async { waiter.resume() } }
  }

  /// Notes that there is no worker thread.
  func markBroken() {
    state.withLock { $0.phase = .broken }
    executor.close()
    cancellations.acknowledgeAll()
  }

  // MARK: - Acting on decisions

  /// Performs what was decided inside the lock.
  ///
  /// - Parameter outbox: Takes the results on the worker thread, which delivers them later.
  func perform(_ effects: ClientState.Effects, _ outbox: Outbox? = nil) {
    // The worker looks at its commands again before it sleeps.
    if effects.needsWake, outbox == nil { waker.wake() }
    for id in effects.interrupted { interceptions.cancel(id) }
    for adaptation in effects.adaptations { adapt(adaptation) }
    observers.update { progress }
    for waiter in effects.admitted { waiter.continuation.resume() }
    if let outbox { return outbox.add(effects.settlements) }
    for settlement in effects.settlements { deliver(settlement) }
  }

  /// Hands a result to whoever waits for it; an error without an address gets that of the request, censored.
  func deliver(_ settlement: Settlement) {
    let ticket = settlement.ticket
    let result = settlement.result
    guard case .failure(var error) = result else { return deliver(result, to: ticket) }
    if error.address.isEmpty { error.address = ticket.hop.address.censored }
    guard let cacheInterceptor, cacheInterceptor.mayBeOutdated(by: error, of: ticket) else {
      return deliver(.failure(error), to: ticket)
    }
    // First, so that whoever hears of the error does not get the old response from the cache.
    caching.async { [self, error] in
      cacheInterceptor.update(
        with: .failure(error), of: ticket, isKept: false, now: configuration.now())
      deliver(.failure(error), to: ticket)
    }
  }

  private func deliver(_ result: Result<HTTPResponse, HTTPError>, to ticket: Ticket) {
    configuration.observer?.finished(ObservedRequest(ticket), with: result)
    ticket.delivery.deliver(result)
  }
}
