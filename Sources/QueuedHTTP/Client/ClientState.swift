internal import DequeModule
internal import HeapModule

/// What the client's lock guards: who waits and runs, and what the worker is to do next.
///
/// Its functions decide and write down; the effects they return are carried out when the lock is
/// open.
struct ClientState: Sendable {
  enum Phase: Sendable {
    case working
    /// No thread could be started.
    case broken
    case stopping
  }

  struct Record: Sendable {
    var ticket: Ticket
    let arrival: Moment
    var priority: RequestPriority
    var deadline = Moment.distantFuture
    var firstStart: Moment?
    var attempts = 0
    /// The hop that a redirect led to in another lane; nil where the next to be sent is the first.
    var redirected: Leg?
    /// Whether its end is decided and on its way, so that nothing else ends it.
    var isEnding = false

    /// The lane in which it waits or runs.
    var lane: Lane { (redirected?.hop).map(ticket.lane) ?? ticket.lane }
  }

  /// A request's end, still to be told.
  ///
  /// An object, since it goes through several hands, and each copy of a response is a handful of
  /// references to count.
  final class Settlement: Sendable {
    let ticket: Ticket
    let result: Result<HTTPResponse, HTTPError>

    init(ticket: Ticket, result: consuming Result<HTTPResponse, HTTPError>) {
      self.ticket = ticket
      self.result = result
    }
  }

  /// What is to be done outside the lock.
  struct Effects: Sendable {
    var settlements: [Settlement] = []
    /// Who finds room in the queue.
    var admitted: [RoomSeeker] = []
    /// Transfers that nobody shares any more.
    var orphans: [RequestID] = []
    var needsWake = false
  }

  var queue: RequestQueue
  var records: [RequestID: Record] = [:]
  /// Those that wait for the cache, and are not in the queue yet.
  var lookups: Set<RequestID> = []
  var deadlines = Heap<RequestQueue.Alarm<RequestID>>()
  var shared = SharedTransfers()
  private var groups: [RequestGroup: Set<RequestID>] = [:]
  private var roomSeekers: Deque<RoomSeeker> = []
  var commands: [WorkerCommand] = []
  var phase = Phase.working
  var removals: UInt64 = 0
  private(set) var counts = QueueCounts()

  init(_ rules: RequestQueue.Rules) { queue = RequestQueue(rules) }

  /// Takes a request in.
  mutating func submit(_ ticket: Ticket, priority: RequestPriority, now: Instant) -> Effects {
    decide(now) { state, effects in
      guard state.admit(ticket, priority, now, &effects) else { return [] }
      if ticket.isLookedUp {
        state.lookups.insert(ticket.id)
        return []
      }
      return state.enqueue(ticket, priority, now)
    }
  }

  /// Makes a record of a request, unless the client works no more.
  mutating func admit(
    _ ticket: Ticket, _ priority: RequestPriority, _ now: Instant, _ effects: inout Effects
  ) -> Bool {
    switch phase {
    case .working: break
    case .broken:
      refuse(ticket, .transport, "no thread for the transfers", &effects)
      return false
    case .stopping:
      refuse(ticket, .shutDown, "the client was shut down", &effects)
      return false
    }
    records[ticket.id] = Record(ticket: ticket, arrival: now.moment, priority: priority)
    if let deadline = ticket.request.deadline { keep(deadline, of: ticket.id) }
    if let group = ticket.request.group { groups[group, default: []].insert(ticket.id) }
    return true
  }

  /// Puts a request that was taken in into the queue.
  mutating func enqueue(
    _ ticket: Ticket, _ priority: RequestPriority, _ now: Instant
  ) -> [RequestQueue.Action] {
    let request = ticket.request
    return queue.add(
      ticket.id, lane: ticket.lane, priority: priority, queueTimeout: request.timeouts.queue,
      budget: min(request.retries.budget, request.deadline ?? request.retries.budget),
      now: now.moment)
  }

  /// Ends a request wherever it is; without effect when it has ended.
  mutating func cancel(_ id: RequestID, now: Instant) -> Effects {
    cancel(CollectionOfOne(id), now: now)
  }

  /// Ends several requests wherever they are, before anything starts in their place.
  mutating func cancel(_ ids: some Collection<RequestID>, now: Instant) -> Effects {
    decide(now) { state, effects in
      let meant = ids.filter { id in
        state.records[id]?.isEnding == false && !state.shared.isTransfer(id)
      }
      for id in meant {
        if state.queue.entries[id]?.stage == .running { state.commands.append(.remove(id)) }
        state.settle(id, .failure(HTTPError(.cancelled, reason: "cancelled")), &effects)
      }
      return state.queue.cancel(meant, now: now.moment)
    }
  }

  /// Decides that a request ends as it stands, and not by a cancellation; false when it has ended.
  mutating func claim(_ id: RequestID) -> Bool {
    guard records[id]?.isEnding == false else { return false }
    records[id]?.isEnding = true
    return true
  }

  /// Has a request wait for its turn in the lane that a redirect leads to.
  mutating func move(_ id: RequestID, to leg: Leg, now: Instant) -> Effects {
    decide(now) { state, _ in
      guard let record = state.records[id] else { return [] }
      state.records[id]?.redirected = leg
      return state.queue.move(
        id, to: record.ticket.lane(of: leg.hop ?? record.ticket.hop), now: now.moment)
    }
  }

  /// The requests of a group that have not ended.
  func members(of group: RequestGroup) -> Set<RequestID> { groups[group] ?? [] }

  /// Keeps one who waits for room in the queue; false when there is some.
  mutating func seekRoom(_ seeker: RoomSeeker) -> Bool {
    guard phase == .working, freePlaces <= 0 else { return false }
    roomSeekers.append(seeker)
    return true
  }

  /// Forgets one who no longer waits for room.
  mutating func forgetRoomSeeker(_ id: RequestID) -> RoomSeeker? {
    guard let index = roomSeekers.firstIndex(where: { $0.id == id }) else { return nil }
    return roomSeekers.remove(at: index)
  }

  /// Ends a request with a response or an error.
  mutating func finish(
    _ id: RequestID, _ result: Result<HTTPResponse, HTTPError>, now: Instant
  ) -> Effects {
    decide(now) { state, effects in
      guard state.records[id] != nil else { return [] }
      state.settle(id, result, &effects)
      return state.queue.finish(id, now: now.moment)
    }
  }

  /// Goes on with a request after an attempt: cools its lane down and has it sent again by the
  /// plan. Where it is not it still runs, to be finished.
  mutating func proceed(
    _ id: RequestID, plan: RetryRules.Plan, chance: Double, now: Instant
  ) -> (effects: Effects, isRepeated: Bool, wait: Duration?) {
    var isRepeated = false
    var chosen: Duration?
    let effects = decide(now) { state, _ in
      guard let record = state.records[id] else { return [] }
      let policy = record.ticket.request.retries
      let wait =
        plan.wait ?? RetryRules.backOff(policy, attempts: record.attempts, chance: chance)
      chosen = wait
      let moment = now.moment + wait
      let isLast = plan.coolsLane && !policy.retriesProbes && state.queue.isProbe(id)
      var actions: [RequestQueue.Action] = []
      if plan.refundsPace { actions += state.queue.refund(id, now: now.moment) }
      if plan.coolsLane {
        actions += state.queue.coolDown(record.lane, until: moment, now: now.moment)
      }
      if plan.isRepeated, !isLast, record.attempts <= policy.limit, moment < record.deadline {
        // Another attempt begins with the first hop.
        let answer = state.queue.retry(
          id, in: record.ticket.lane, at: moment, now: now.moment)
        isRepeated = answer.waits
        if isRepeated { state.records[id]?.redirected = nil }
        actions += answer.actions
      }
      return actions
    }
    return (effects, isRepeated, chosen)
  }

  /// Makes a change to the queue, and what follows from it.
  mutating func change(
    now: Instant, _ make: (inout RequestQueue, Moment) -> [RequestQueue.Action]
  ) -> Effects {
    decide(now) { state, _ in make(&state.queue, now.moment) }
  }

  /// Empties everything at once; the records are handed out to be told of it.
  mutating func takeAll(now: Instant) -> (records: [RequestID: Record], seekers: [RoomSeeker]) {
    let taken = records.filter { !$0.value.isEnding }
    let seekers = Array(roomSeekers)
    records = records.filter { $0.value.isEnding }
    lookups = []
    groups = [:]
    roomSeekers = []
    queue.removeAll(now: now.moment)
    counts.cancelled += taken.count - shared.count
    shared = SharedTransfers()
    removals += 1
    // Whatever was to be started or removed is covered by this.
    commands = [.removeAll(removals)]
    return (taken, seekers)
  }

  /// The counts as they are; those of connections are kept elsewhere.
  func snapshot(at moment: Moment) -> QueueCounts {
    var snapshot = counts
    snapshot.cooling = queue.cooling(at: moment)
    snapshot.queued = queue.waiting + queue.outside + lookups.count + shared.surplus
    snapshot.running = queue.running
    snapshot.waitingToRetry = queue.sleeping
    return snapshot
  }

  /// Counts a request that could not be taken in.
  mutating func countRefusal() { counts.failed += 1 }

  private mutating func refuse(
    _ ticket: Ticket, _ code: HTTPError.Code, _ reason: String, _ effects: inout Effects
  ) {
    countRefusal()
    effects.settlements.append(
      Settlement(ticket: ticket, result: .failure(HTTPError(code, reason: reason))))
  }

  /// Lets the queue decide, carries over what it says, and tells whether the worker must wake up.
  mutating func decide(
    _ now: Instant, _ body: (inout ClientState, inout Effects) -> [RequestQueue.Action]
  ) -> Effects {
    var effects = Effects()
    let wasIdle = commands.isEmpty
    let deadline = nextDeadline()
    var actions = body(&self, &effects)
    while let orphan = effects.orphans.popLast() { actions += drop(orphan, now, &effects) }
    for action in actions {
      switch action {
      case .start(let id): start(id, now: now.moment)
      case .end(let id, let ending): settle(id, .failure(error(for: ending, now)), &effects)
      }
    }
    var places = roomSeekers.isEmpty ? 0 : freePlaces
    while places > 0, let seeker = roomSeekers.popFirst() {
      effects.admitted.append(seeker)
      places -= 1
    }
    // A sleeper that is to wake before the worker does needs a word as much as a command.
    let isSooner = (nextDeadline() ?? .distantFuture) < deadline ?? .distantFuture
    effects.needsWake = wasIdle && !commands.isEmpty || isSooner
    return effects
  }

  mutating func start(_ id: RequestID, now: Moment) {
    guard let index = records.index(forKey: id) else { return }
    if records.values[index].firstStart == nil { records.values[index].firstStart = now }
    if var leg = records.values[index].redirected {
      leg.attempt = records.values[index].attempts
      commands.append(.start(records.values[index].ticket, leg))
      return
    }
    records.values[index].attempts += 1
    commands.append(
      .start(records.values[index].ticket, Leg(attempt: records.values[index].attempts)))
  }

  /// The one place where a request ends.
  mutating func settle(
    _ id: RequestID, _ result: Result<HTTPResponse, HTTPError>, _ effects: inout Effects
  ) {
    guard let record = records.removeValue(forKey: id) else { return }
    lookups.remove(id)
    leaveGroup(record)
    if !shared.isEmpty, share(result, of: record, &effects) { return }
    var result = result
    let queued = (record.firstStart ?? record.arrival).nanoseconds - record.arrival.nanoseconds
    switch result {
    case .success(var response):
      counts.done += 1
      response.timings.attempts = record.attempts
      response.timings.queuedNanoseconds = queued
      result = .success(response)
    case .failure(var error):
      if error.code == .cancelled { counts.cancelled += 1 } else { counts.failed += 1 }
      error.timings.attempts = record.attempts
      error.timings.queuedNanoseconds = queued
      result = .failure(error)
    }
    effects.settlements.append(Settlement(ticket: record.ticket, result: result))
  }

  private mutating func leaveGroup(_ record: Record) {
    guard let group = record.ticket.request.group else { return }
    groups[group]?.remove(record.ticket.id)
    if groups[group]?.isEmpty == true { groups[group] = nil }
  }

  private func error(for ending: RequestQueue.Ending, _ now: Instant) -> HTTPError {
    switch ending {
    case .queueTimeout: HTTPError(.queueTimeout, reason: "waited in the queue for too long")
    case .dropped: HTTPError(.queueFull, reason: "dropped for newer requests: the queue is full")
    case .refused: HTTPError(.queueFull, reason: "the queue is full")
    case .coolingDown(let until):
      HTTPError(
        .coolingDown,
        reason:
          "asked to wait \(Wording.time(until - now.moment)), longer than the request may take",
        retryMoment: now.date(of: until))
    }
  }
}
