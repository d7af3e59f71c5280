/// The state that the client's lock guards: waiting and running requests, and the worker's commands.
///
/// Its functions decide and update the state; they return effects to perform outside the lock.
struct ClientState: Sendable {
  enum Phase: Sendable {
    case working
    /// No thread could be started.
    case broken
    case stopping
  }

  private(set) var queue: RequestQueue
  private(set) var requests = UnfinishedRequests()
  private var shared = SharedTransfers()
  private var capacityWaiters = CapacityWaiters()
  private var commands: [WorkerCommand] = []
  private var removals: UInt64 = 0
  private var counts = QueueCounts()
  var phase = Phase.working

  init(_ rules: RequestQueue.Rules) { queue = RequestQueue(rules) }

  // MARK: - Adding

  /// Adds a request: to the queue, or to those that the cache is asked for first.
  mutating func submit(_ ticket: Ticket, priority: RequestPriority, now: Instant) -> Effects {
    decide(now) { state, effects in
      guard state.accept(ticket, priority, now, &effects) else { return [] }
      return state.lookUpOrEnqueue(ticket, priority, now)
    }
  }

  /// Adds a request that shares a transfer: a running one, or else a new one.
  mutating func join(
    _ ticket: Ticket, by key: JoinKey, or transfer: Ticket, priority: RequestPriority, now: Instant
  ) -> (effects: Effects, isNew: Bool) {
    var isNew = false
    let effects = decide(now) { state, effects in
      guard state.accept(ticket, priority, now, &effects) else { return [] }
      guard !state.shared.join(ticket.id, by: key) else {
        state.prioritizeTransfer(of: ticket.id, now)
        return []
      }
      isNew = true
      state.shared.begin(transfer.id, by: key, for: ticket.id)
      state.requests.insert(
        UnfinishedRequest(transfer, priority: priority, arrival: now.moment))
      return state.lookUpOrEnqueue(transfer, priority, now)
    }
    return (effects, isNew)
  }

  /// Adds a request to the queue that the cache could not answer, unless it was canceled meanwhile.
  mutating func enqueueAfterLookup(_ ticket: Ticket, now: Instant) -> Effects {
    decide(now) { state, _ in
      guard state.requests.endLookup(of: ticket.id), let request = state.requests[ticket.id]
      else { return [] }
      state.requests.update(ticket.id) { request in
        request.ticket = ticket
        request.isAtInterceptor = false
      }
      return state.enqueue(ticket, request.priority, now)
    }
  }

  func isLookedUp(_ id: RequestID) -> Bool { requests.isLookedUp(id) }

  /// Takes a request in, unless the client has ended.
  private mutating func accept(
    _ ticket: Ticket, _ priority: RequestPriority, _ now: Instant, _ effects: inout Effects
  ) -> Bool {
    switch phase {
    case .working: break
    case .broken:
      refuse(ticket, HTTPError(.transport, reason: "the worker thread is missing"), &effects)
      return false
    case .stopping:
      refuse(ticket, HTTPError(.shutDown, reason: "the client was shut down"), &effects)
      return false
    }
    requests.insert(UnfinishedRequest(ticket, priority: priority, arrival: now.moment))
    return true
  }

  private mutating func refuse(_ ticket: Ticket, _ error: HTTPError, _ effects: inout Effects) {
    countRefusal()
    effects.settlements.append(Settlement(ticket: ticket, result: .failure(error)))
  }

  /// Adds a request to the queue, unless the cache is asked for it first.
  private mutating func lookUpOrEnqueue(
    _ ticket: Ticket, _ priority: RequestPriority, _ now: Instant
  ) -> [RequestQueue.Action] {
    guard ticket.isLookedUp else { return enqueue(ticket, priority, now) }
    requests.beginLookup(of: ticket.id)
    return []
  }

  private mutating func enqueue(
    _ ticket: Ticket, _ priority: RequestPriority, _ now: Instant
  ) -> [RequestQueue.Action] {
    let request = ticket.request
    return queue.add(
      ticket.id, lane: ticket.lane, priority: priority, queueTimeout: request.timeouts.queue,
      budget: request.budget, isUrgent: ticket.isUrgent, now: now.moment)
  }

  // MARK: - Changing

  /// Makes a change to the queue.
  mutating func change(
    now: Instant, _ body: (inout RequestQueue, Moment) -> [RequestQueue.Action]
  ) -> Effects {
    decide(now) { state, _ in body(&state.queue, now.moment) }
  }

  /// Changes a request's priority until it runs, and again while it waits to be sent again.
  mutating func setPriority(_ priority: RequestPriority, of id: RequestID, now: Instant) -> Effects
  {
    decide(now) { state, _ in
      state.requests.update(id) { $0.priority = priority }
      state.queue.setPriority(priority, of: id, now: now.moment)
      state.prioritizeTransfer(of: id, now)
      return []
    }
  }

  /// Gives the transfer that a request shares the highest priority of all that share it.
  private mutating func prioritizeTransfer(of member: RequestID, _ now: Instant) {
    guard let transfer = shared.transfer(of: member),
      let highest = shared.members(of: transfer).compactMap({ requests[$0]?.priority }).max(),
      requests[transfer]?.priority != highest
    else { return }
    requests.update(transfer) { $0.priority = highest }
    queue.setPriority(highest, of: transfer, now: now.moment)
  }

  /// Moves a request to the lane that a redirect leads to, where it waits for its turn.
  mutating func move(_ id: RequestID, to leg: Leg, now: Instant) -> Effects {
    decide(now) { state, _ in
      guard let request = state.requests[id] else { return [] }
      state.requests.update(id) { $0.redirect(to: leg) }
      return state.queue.move(
        id, to: request.ticket.lane(of: leg.hop ?? request.ticket.hop), now: now.moment)
    }
  }

  /// Sends a request once more in the slot that it holds.
  mutating func startAgain(_ ticket: Ticket, now: Instant) -> Effects {
    decide(now) { state, effects in
      guard state.requests[ticket.id] != nil, state.queue.isRunning(ticket.id) else { return [] }
      state.requests.update(ticket.id) { $0.ticket = ticket }
      return state.startAgain(ticket.id, now, &effects)
    }
  }

  private mutating func startAgain(
    _ id: RequestID, _ now: Instant, _ effects: inout Effects
  ) -> [RequestQueue.Action] {
    guard let request = requests[id] else { return [] }
    if request.redirected != nil {
      requests.update(id) { $0.returnToFirstHop() }
      return queue.move(id, to: request.ticket.lane, now: now.moment)
    }
    start(id, now: now.moment, &effects)
    return []
  }

  // MARK: - Intercepting

  /// Notes that the interceptor works for a request; false if it has ended.
  mutating func beginInterception(of id: RequestID) -> Bool {
    guard requests[id]?.isEnding == false else { return false }
    requests.update(id) { $0.isAtInterceptor = true }
    return true
  }

  /// Hands an attempt that the interceptor has changed to the worker, unless it has ended.
  mutating func send(_ adapted: Ticket, _ leg: Leg, now: Instant) -> Effects {
    decide(now) { state, _ in
      guard state.requests[adapted.id]?.isEnding == false else { return [] }
      state.requests.update(adapted.id) { $0.isAtInterceptor = false }
      state.commands.append(.start(adapted, leg))
      return []
    }
  }

  /// Notes that the interceptor is asked about an attempt that failed; nil if it is not asked, because
  /// the request has ended or was repeated often enough.
  mutating func beginRepair(of id: RequestID, limit: Int) -> InterceptedAttempt? {
    guard let request = requests[id], !request.isEnding, request.repeats < limit else { return nil }
    requests.update(id) { $0.isAtInterceptor = true }
    return InterceptedAttempt(id: id.rawValue, number: request.attempts, repeats: request.repeats)
  }

  /// Repeats an attempt in the same slot, as the interceptor wants it.
  mutating func endRepair(of id: RequestID, isRepeated: Bool, now: Instant) -> Effects {
    decide(now) { state, effects in
      guard state.requests[id]?.isEnding == false else { return [] }
      state.requests.update(id) { $0.isAtInterceptor = false }
      guard isRepeated else { return [] }
      state.requests.update(id) { $0.countRepeat() }
      return state.startAgain(id, now, &effects)
    }
  }

  /// True if a request has not ended.
  func isUnderWay(_ id: RequestID) -> Bool { requests[id] != nil }

  /// Follows a plan after an attempt: cools the lane down, and sends the request again if there is
  /// time. If not, it keeps its slot until it is finished.
  mutating func retry(
    _ id: RequestID, plan: RetryRules.Plan, chance: Double, now: Instant
  ) -> RetryDecision {
    var decision = RetryDecision()
    decision.effects = decide(now) { state, _ in
      guard let request = state.requests[id] else { return [] }
      let policy = request.ticket.request.retries
      let backOff = RetryRules.backOff(policy, retries: request.retries, chance: chance)
      // `Retry-After: 0` still gets the usual back-off.
      let wait = plan.wait.map { $0 < .milliseconds(10) ? max($0, backOff) : $0 } ?? backOff
      decision.wait = wait
      decision.cooled = plan.coolsLane ? request.lane : nil
      let moment = now.moment + wait
      let endsProbe = plan.coolsLane && !plan.extendsPause && !policy.retriesProbes
      let isLast = request.isLastAttempt || endsProbe && state.queue.isProbe(id)
      // A server that counts requests has refused the lane, and not the one that came last.
      let isOneOfMany =
        plan.coolsLane && plan.wait != nil && state.queue.hasOthers(besides: id)
        && !state.queue.isProbe(id)
      var actions: [RequestQueue.Action] = []
      if plan.refundsPace { actions += state.queue.refund(id, now: now.moment) }
      if plan.coolsLane {
        actions += state.queue.coolDown(request.lane, until: moment, now: now.moment)
      }
      if plan.isRepeated, !isLast, isOneOfMany || request.retries < policy.limit,
        moment < request.deadline
      {
        // Another attempt begins with the first hop.
        let retry = state.queue.retry(id, in: request.ticket.lane, at: moment, now: now.moment)
        decision.isRepeated = retry.waits
        if retry.waits, !isOneOfMany { state.requests.update(id) { $0.countRetry() } }
        actions += retry.actions
      }
      return actions
    }
    return decision
  }

  /// Counts attempts that were sent again in their slot.
  ///
  /// - Parameter retries: How many of them the retry policy counts.
  mutating func countResends(_ count: Int, retries: Int, of id: RequestID) {
    requests.update(id) { $0.countResends(count, retries: retries) }
  }

  /// Notes that the response to a request under way has begun, and is a success.
  mutating func noteSuccess(of id: RequestID, now: Instant) -> Effects {
    decide(now) { state, _ in state.queue.endProbation(after: id, now: now.moment) }
  }

  func attempts(of id: RequestID) -> Int? { requests[id]?.attempts }

  // MARK: - Ending

  /// Ends a request with its result.
  mutating func finish(
    _ id: RequestID, _ result: Result<HTTPResponse, HTTPError>, now: Instant
  ) -> Effects {
    decide(now) { state, effects in
      guard state.settle(id, result, &effects) else { return [] }
      return state.queue.finish(id, now: now.moment)
    }
  }

  /// Decides that a request ends with its own result, and not by a cancellation; false if it has
  /// already ended.
  mutating func claim(_ id: RequestID) -> Bool {
    guard requests[id]?.isEnding == false else { return false }
    requests.update(id) { $0.isEnding = true }
    return true
  }

  /// Cancels a request, whatever its stage; has no effect on one that has ended.
  mutating func cancel(_ id: RequestID, now: Instant) -> Effects {
    cancel(CollectionOfOne(id), now: now)
  }

  /// Cancels several requests before anything starts in their place.
  mutating func cancel(_ ids: some Collection<RequestID>, now: Instant) -> Effects {
    decide(now) { state, effects in
      let meant = ids.filter { id in
        state.requests[id]?.isEnding == false && !state.shared.isTransfer(id)
      }
      for id in meant {
        state.removeTransfer(of: id)
        state.settle(id, .failure(HTTPError(.cancelled, reason: "canceled")), &effects)
      }
      return state.queue.cancel(meant, now: now.moment)
    }
  }

  /// Cancels those of several requests that wait: to be sent, or to be sent again. The others are not
  /// sent again, unless a request shares the transfer that is not one of these.
  mutating func cancelWaiting(
    _ ids: some Collection<RequestID>, now: Instant
  ) -> Effects {
    let meant = Set(ids)
    let waiting = ids.filter { id in
      let transfer = shared.transfer(of: id) ?? id
      guard queue.isRunning(transfer) || requests[transfer]?.redirected != nil else { return true }
      if shared.members(of: transfer).isSubset(of: meant) {
        requests.update(transfer) { $0.isLastAttempt = true }
      }
      return false
    }
    return cancel(waiting, now: now)
  }

  /// Ends the requests whose deadline has passed, and lets the queue do what is due.
  mutating func advance(now: Instant) -> Effects {
    decide(now) { state, effects in
      var late: [RequestID] = []
      while let request = state.requests.popOverdue(at: now.moment) {
        let id = request.ticket.id
        state.removeTransfer(of: id)
        let limit = Wording.time(request.ticket.request.deadline ?? .zero)
        let error = HTTPError(.deadline, reason: "not finished within its deadline of \(limit)")
        state.settle(id, .failure(error), &effects)
        late.append(id)
      }
      let actions = late.isEmpty ? [] : state.queue.cancel(late, now: now.moment)
      return actions + state.queue.advance(now: now.moment)
    }
  }

  /// Removes everything at once, and returns it.
  ///
  /// - Returns: `removal` is acknowledged by the worker when no transfer runs.
  mutating func takeAll(
    isShutDown: Bool, now: Instant
  ) -> (requests: [UnfinishedRequest], waiters: [CapacityWaiter], removal: UInt64) {
    if isShutDown { phase = .stopping }
    let taken = requests.removeAll()
    let waiters = capacityWaiters.admit(.max)
    queue.removeAll(now: now.moment)
    counts.cancelled += taken.count - shared.count
    shared = SharedTransfers()
    removals += 1
    // Replaces all earlier commands.
    commands = [.removeAll(removals)]
    return (taken, waiters, removals)
  }

  /// Ends one request; returns false if it has already ended. `takeAll` and `drop` end the others.
  @discardableResult
  private mutating func settle(
    _ id: RequestID, _ result: Result<HTTPResponse, HTTPError>, _ effects: inout Effects
  ) -> Bool {
    guard let request = requests.remove(id) else { return false }
    if request.isAtInterceptor { effects.interrupted.append(id) }
    if !shared.isEmpty, settleMembers(of: request, result, &effects) { return true }
    switch result {
    case .success: counts.done += 1
    case .failure(let error) where error.code == .cancelled: counts.cancelled += 1
    case .failure: counts.failed += 1
    }
    effects.settlements.append(
      Settlement(ticket: request.ticket, result: result, history: request.history))
    return true
  }

  /// Ends all members of a shared transfer with its result; returns whether this was one.
  private mutating func settleMembers(
    of request: UnfinishedRequest, _ result: Result<HTTPResponse, HTTPError>,
    _ effects: inout Effects
  ) -> Bool {
    let id = request.ticket.id
    shared.leave(id)
    guard let members = shared.end(id) else { return false }
    for member in members {
      requests.update(member) { $0.adoptHistory(of: request) }
      settle(member, result, &effects)
    }
    effects.settlements.append(Settlement(ticket: request.ticket, result: result))
    return true
  }

  /// Ends a shared transfer that has lost its last member.
  private mutating func drop(
    _ transfer: RequestID, _ now: Instant, _ effects: inout Effects
  ) -> [RequestQueue.Action] {
    guard let request = requests.remove(transfer) else { return [] }
    _ = shared.end(transfer)
    if request.isAtInterceptor { effects.interrupted.append(transfer) }
    removeTransfer(of: transfer)
    let error = HTTPError(.cancelled, reason: "canceled")
    effects.settlements.append(Settlement(ticket: request.ticket, result: .failure(error)))
    return queue.cancel(transfer, now: now.moment)
  }

  private mutating func removeTransfer(of id: RequestID) {
    if queue.isRunning(id) { commands.append(.remove(id)) }
  }

  // MARK: - Deciding

  /// Lets `body` decide, applies the queue's actions, and determines whether the worker must wake up.
  private mutating func decide(
    _ now: Instant, _ body: (inout ClientState, inout Effects) -> [RequestQueue.Action]
  ) -> Effects {
    var effects = Effects()
    let hadCommands = !commands.isEmpty
    let deadline = nextDeadline()
    var actions = body(&self, &effects)
    while let orphan = shared.popOrphan() { actions += drop(orphan, now, &effects) }
    for action in actions {
      switch action {
      case .start(let id): start(id, now: now.moment, &effects)
      case .end(let id, let ending): settle(id, .failure(error(for: ending, now)), &effects)
      }
    }
    if !capacityWaiters.isEmpty { effects.admitted = capacityWaiters.admit(freePlaces) }
    // A deadline before the worker would wake up by itself matters as much as a command.
    let isSooner = (nextDeadline() ?? .distantFuture) < deadline ?? .distantFuture
    effects.needsWake = !hadCommands && !commands.isEmpty || isSooner
    return effects
  }

  private mutating func start(_ id: RequestID, now: Moment, _ effects: inout Effects) {
    let started = requests.update(id) { ($0.ticket, $0.start(at: now), $0.repeats) }
    guard let (ticket, leg, repeats) = started else { return }
    // It keeps its slot until it is removed, in a moment.
    guard !ticket.isMarkedForCancellation else { return }
    // What a redirect leads to goes as the redirect says.
    guard ticket.isIntercepted, leg.hop == nil else {
      return commands.append(.start(ticket, leg))
    }
    requests.update(id) { $0.isAtInterceptor = true }
    effects.adaptations.append(Adaptation(ticket: ticket, leg: leg, repeats: repeats))
  }

  private func error(for ending: RequestQueue.Ending, _ now: Instant) -> HTTPError {
    switch ending {
    case .queueTimeout: HTTPError(.queueTimeout, reason: "waited too long in the queue")
    case .dropped: HTTPError(.queueFull, reason: "dropped for newer requests: the queue is full")
    case .refused: HTTPError(.queueFull, reason: "the queue is full")
    case .coolingDown(let until):
      HTTPError(
        .coolingDown,
        reason:
          "must wait \(Wording.time(until - now.moment)), longer than the request may take",
        retryMoment: now.date(of: until))
    }
  }

  // MARK: - The worker

  /// Hands out all commands, and takes an empty array in their place.
  mutating func takeWork(into commands: inout [WorkerCommand]) -> WorkerTasks {
    swap(&commands, &self.commands)
    return WorkerTasks(concurrency: queue.rules.limit, isStopping: phase == .stopping)
  }

  mutating func pendingWork() -> (hasCommands: Bool, deadline: Moment?) {
    (!commands.isEmpty || phase == .stopping, nextDeadline())
  }

  /// The next moment at which `advance` has something to do.
  mutating func nextDeadline() -> Moment? {
    guard let own = requests.nextDeadline() else { return queue.nextDeadline() }
    return min(own, queue.nextDeadline() ?? own)
  }

  /// Lets a paused transfer continue; false if the request has ended.
  mutating func resume(_ id: RequestID) -> Bool {
    guard requests[id] != nil else { return false }
    commands.append(.resume(id))
    return true
  }

  // MARK: - Asking

  /// The state of a request; nil if it is not in the queue yet, or no longer.
  func state(of id: RequestID) -> OperationState? {
    guard let entry = queue.entries[shared.transfer(of: id) ?? id] else { return nil }
    switch entry.stage {
    case .waiting where entry.firstStart == nil, .overflow: return .queued
    case .waiting, .backingOff: return .waitingToRetry
    case .running: return .running
    }
  }

  /// The requests of a group that have not ended.
  func tickets(of group: RequestGroup) -> [Ticket] {
    requests.tickets(of: group)
  }

  /// The current counts, without those of connections, which are kept elsewhere.
  func snapshot(at moment: Moment) -> QueueCounts {
    var snapshot = counts
    snapshot.cooling = queue.cooling(at: moment)
    snapshot.queued = queue.waiting + queue.overflow + requests.lookupCount + shared.surplus
    snapshot.running = queue.running
    snapshot.waitingToRetry = queue.backingOff
    return snapshot
  }

  /// Counts a request that could not be added.
  mutating func countRefusal() { counts.failed += 1 }

  // MARK: - Room in the queue

  /// The number of requests that can be added before the queue is full, counting those that the cache
  /// is asked for.
  private var freePlaces: Int {
    let free = queue.freePlaces
    return free == .max ? free : free - requests.lookupCount
  }

  /// Adds a waiter for room in the queue; false if there is room now.
  mutating func addCapacityWaiter(_ waiter: CapacityWaiter) -> Bool {
    guard phase == .working, freePlaces <= 0 else { return false }
    capacityWaiters.append(waiter)
    return true
  }

  mutating func removeCapacityWaiter(_ id: RequestID) -> CapacityWaiter? {
    capacityWaiters.remove(id)
  }
}
