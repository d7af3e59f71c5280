/// Decides which request starts when: limits, order, pace, cool-downs, back-offs and their bounds.
///
/// A pure value: the caller passes the time in, and gets back the actions to perform. Adding,
/// starting, ending and canceling cost O(log n), however many requests or lanes there are: stale
/// items stay in the heaps until they reach the top or outnumber the others.
///
/// | call | returns |
/// | --- | --- |
/// | `add` | starts; the end of the new request (refused, cooling down) or of the oldest (dropped) |
/// | `finish`, `cancel`, `refund`, `endProbation`, `setLimit`, `setDefaultLaneLimit`, `setPace` | starts |
/// | `retry` | whether there is time for it; if not, the request keeps its slot; starts |
/// | `move` | starts; the end of the request if its new lane cools down for too long |
/// | `coolDown` | ends of requests that run out of time before the lane opens again |
/// | `endCoolDown`, `advance` | starts and ends that are due |
package struct RequestQueue: Sendable {
  /// An action for the owner of the queue to perform.
  package enum Action: Hashable, Sendable {
    case start(RequestID)
    case end(RequestID, Ending)
  }

  /// The reason a waiting request ends without being started (again).
  package enum Ending: Hashable, Sendable {
    case queueTimeout
    /// Dropped for a newer request, by `QueueCapacity.dropOldest`.
    case dropped
    /// There was no room, by `QueueCapacity.refuse`.
    case refused
    case coolingDown(until: Moment)
  }

  private(set) var rules: Rules
  private(set) var entries: [RequestID: QueuedRequest] = [:]
  private(set) var lanes = LaneSchedule()
  private var backOffs = AlarmClock<RequestID>()
  private var queueDeadlines = AlarmClock<RequestID>()
  /// The requests that wait, kept only if the oldest may be dropped.
  private var arrivals = ArrivalLine()
  /// The requests in front of the full queue.
  private var overflowLine = ArrivalLine()
  private var sequences: UInt64 = 0
  /// Number of requests that wait for a start.
  private(set) var waiting = 0
  /// Number of requests in front of the full queue.
  private(set) var overflow = 0
  /// Number of requests that hold a slot.
  private(set) var running = 0
  /// Number of requests that are to be sent again later.
  private(set) var backingOff = 0

  package init(_ rules: Rules = Rules()) { self.rules = rules }

  // MARK: - Requests

  /// Adds a request.
  ///
  /// - Parameter isUrgent: True to start it at once beyond all limits, unless its lane cools down.
  package mutating func add(
    _ id: RequestID, lane name: Lane, priority: RequestPriority, queueTimeout: Duration?,
    budget: Duration, isUrgent: Bool = false, now: Moment
  ) -> [Action] {
    let lane = lanes.findOrAdd(name)
    let cooling = lanes[lane].coolingUntil
    if cooling > now, cooling > now + budget {
      return [.end(id, .coolingDown(until: cooling))]
    }
    sequences += 1
    let key = OrderKey(
      arrival: now, priority: priority, ageing: rules.ageing, sequence: sequences)
    var entry = QueuedRequest(
      lane: lane, arrival: now, sequence: sequences, budget: budget,
      queueDeadline: queueTimeout.map { now + $0 } ?? .distantFuture, isUrgent: isUrgent, key: key)
    if isUrgent { return addUrgent(id, entry, until: cooling, now: now) }
    if case .wait(let bound) = rules.capacity, waiting >= bound, !couldStartAtOnce(lane, now) {
      entry.stage = .overflow
      entries[id] = entry
      overflow += 1
      lanes[lane].overflow += 1
      lanes[lane].notePatience(of: entry)
      overflowLine.append(id)
    } else {
      wait(id, entry, now: now)
    }
    if entry.queueDeadline < .distantFuture {
      queueDeadlines.set(id, at: entry.queueDeadline)
      queueDeadlines.compact(current: waiting + overflow) { [entries] in
        entries[$0.subject]?.waitsForFirstStart ?? false
      }
    }
    var actions = startReady(now: now)
    if case .dropOldest = rules.capacity { arrivals.append(id) }
    enforceCapacity(newcomer: id, now: now, into: &actions)
    return actions
  }

  /// Starts an urgent request now, or when its lane has cooled down.
  private mutating func addUrgent(
    _ id: RequestID, _ entry: QueuedRequest, until cooling: Moment, now: Moment
  ) -> [Action] {
    guard cooling > now else {
      entries[id] = entry
      return [startUrgent(id, now: now)]
    }
    backOff(id, entry, until: cooling)
    return []
  }

  /// Ends a running request and frees its slot.
  package mutating func finish(_ id: RequestID, now: Moment) -> [Action] { cancel(id, now: now) }

  /// Removes a request, whatever its stage.
  package mutating func cancel(_ id: RequestID, now: Moment) -> [Action] {
    guard remove(id, now: now) else { return [] }
    return startReady(now: now)
  }

  /// Removes several requests before anything starts in their place.
  mutating func cancel(_ ids: some Sequence<RequestID>, now: Moment) -> [Action] {
    for id in ids { _ = remove(id, now: now) }
    return startReady(now: now)
  }

  /// Removes all requests; limits, paces and cool-downs stay.
  mutating func removeAll(now: Moment) {
    entries = [:]
    backOffs.removeAll()
    queueDeadlines.removeAll()
    arrivals.removeAll()
    overflowLine.removeAll()
    (waiting, running, backingOff, overflow) = (0, 0, 0, 0)
    lanes.removeRequests(now: now)
  }

  /// Frees a running request's slot until it is sent again: at the moment given, or when its lane has
  /// cooled down.
  ///
  /// - Parameter name: The lane in which to send it again; nil means the current one.
  /// - Returns: `waits` is false if the request runs out of time before that; it keeps its slot then.
  mutating func retry(_ id: RequestID, in name: Lane? = nil, at moment: Moment, now: Moment) -> (
    waits: Bool, actions: [Action]
  ) {
    guard var entry = entries[id], entry.stage == .running else { return (false, []) }
    let old = entry.lane
    let lane = name.map { lanes.findOrAdd($0) } ?? old
    let wakes = max(moment, lanes[lane].coolingUntil)
    guard wakes <= entry.givesUp(seenFrom: now) else {
      lanes.retire(lane, now: now)
      return (false, [])
    }
    freeSlot(of: id, entry, for: lane)
    entry.lane = lane
    backOff(id, entry, until: wakes)
    compactBackOffs()
    refreshAfterMove(from: old, to: lane, now: now)
    return (true, startReady(now: now))
  }

  /// Frees a running request's slot and puts it into the queue of another lane, where it continues.
  ///
  /// It keeps its place in the order of starts, and ends if that lane cools down for too long.
  mutating func move(_ id: RequestID, to name: Lane, now: Moment) -> [Action] {
    guard var entry = entries[id], entry.stage == .running else { return [] }
    let old = entry.lane
    let lane = lanes.findOrAdd(name)
    let cooling = lanes[lane].coolingUntil
    guard cooling <= max(now, entry.givesUp(seenFrom: now)) else {
      _ = remove(id, now: now)
      return [.end(id, .coolingDown(until: cooling))] + startReady(now: now)
    }
    freeSlot(of: id, entry, for: lane)
    entry.lane = lane
    var actions: [Action] = []
    if entry.isUrgent {
      entries[id] = entry
      actions.append(startUrgent(id, now: now))
    } else {
      wait(id, entry, now: now)
    }
    refreshAfterMove(from: old, to: lane, now: now)
    return actions + startReady(now: now)
  }

  /// Returns the token that a running request took from its lane's pace, since it reached no server.
  mutating func refund(_ id: RequestID, now: Moment) -> [Action] {
    guard let entry = entries[id], entry.stage == .running, lanes[entry.lane].bucket != nil else {
      return []
    }
    lanes[entry.lane].bucket?.refund()
    refresh(entry.lane, now: now)
    return startReady(now: now)
  }

  /// Changes a request's priority; has no effect on a running one until it waits again.
  mutating func setPriority(_ priority: RequestPriority, of id: RequestID, now: Moment) {
    guard var entry = entries[id] else { return }
    entry.key = OrderKey(
      arrival: entry.arrival, priority: priority, ageing: rules.ageing, sequence: entry.sequence)
    entries[id] = entry
    guard entry.stage == .waiting else { return }
    lanes[entry.lane].reorder(id, key: entry.key)
    lanes[entry.lane].compact(entries)
    refresh(entry.lane, now: now)
  }

  func isRunning(_ id: RequestID) -> Bool { entries[id]?.stage == .running }

  /// True if a request is the one that probes its lane after a cool-down.
  func isProbe(_ id: RequestID) -> Bool {
    entries[id].map { lanes[$0.lane].isProbe(id) } ?? false
  }

  /// True if its lane has other requests, which run or wait.
  func hasOthers(besides id: RequestID) -> Bool {
    entries[id].map { lanes[$0.lane].count > 1 } ?? false
  }

  /// Ends the probation of a lane if this request probes it, as its response has begun and is a success.
  mutating func endProbation(after id: RequestID, now: Moment) -> [Action] {
    guard let lane = entries[id]?.lane, lanes[lane].isProbe(id) else { return [] }
    lanes[lane].endProbation(after: id)
    refresh(lane, now: now)
    return startReady(now: now)
  }

  // MARK: - Limits, pace and cool-down

  /// Changes the maximum number of running requests; a lower limit ends none that runs.
  mutating func setLimit(_ limit: Int, now: Moment) -> [Action] {
    rules.limit = max(0, limit)
    return startReady(now: now)
  }

  /// Changes the limit of every lane that has none of its own.
  mutating func setDefaultLaneLimit(_ limit: Int, now: Moment) -> [Action] {
    rules.laneLimit = max(0, limit)
    for lane in lanes.indices { refresh(lane, now: now) }
    return startReady(now: now)
  }

  /// Gives a lane its own limit; nil removes it.
  mutating func setLimit(_ limit: Int?, for name: Lane, now: Moment) -> [Action] {
    change(name, now: now) { $0.limit = limit.map { max(0, $0) } }
  }

  /// Gives a lane a pace; nil removes it.
  mutating func setPace(_ pace: Pace?, for name: Lane, now: Moment) -> [Action] {
    change(name, now: now) { $0.bucket = pace.map { TokenBucket($0, now: now) } }
  }

  private mutating func change(
    _ name: Lane, now: Moment, _ body: (inout LaneState) -> Void
  ) -> [Action] {
    let lane = lanes.findOrAdd(name)
    body(&lanes[lane])
    refresh(lane, now: now)
    lanes.retire(lane, now: now)
    return startReady(now: now)
  }

  /// Starts nothing in a lane before a moment, and ends its requests that run out of time by then.
  ///
  /// After that, one request at a time is started, until one of them has ended.
  mutating func coolDown(_ name: Lane, until: Moment, now: Moment) -> [Action] {
    let lane = lanes.findOrAdd(name)
    defer {
      refresh(lane, now: now)
      lanes.retire(lane, now: now)
    }
    guard until > now, until > lanes[lane].coolingUntil else { return [] }
    lanes.coolDown(lane, until: until, now: now)
    guard lanes[lane].mayLoseRequests(coolingUntil: until, now: now) else { return [] }
    return requestsGivingUp(in: lane, before: until, now: now).compactMap { id in
      // A request whose priority was changed may have two places.
      remove(id, now: now) ? .end(id, .coolingDown(until: until)) : nil
    }
  }

  /// The requests of a lane that run out of time before it opens again, in order of arrival, so that every
  /// run does the same.
  private mutating func requestsGivingUp(
    in lane: Int, before end: Moment, now: Moment
  ) -> [RequestID] {
    lanes[lane].forgetPatience()
    let placed = lanes[lane].placedRequests.filter { entries[$0]?.stage == .waiting }
    let inFront =
      lanes[lane].overflow == 0
      ? []
      : overflowLine.requests { entries[$0]?.lane == lane && entries[$0]?.stage == .overflow }
    var ended: [RequestID] = []
    for id in placed + inFront + lanes[lane].backingOff {
      guard let entry = entries[id] else { continue }
      if entry.givesUp(seenFrom: now) < end {
        ended.append(id)
      } else {
        lanes[lane].notePatience(of: entry)
      }
    }
    return ended.sorted { (entries[$0]?.sequence ?? 0) < (entries[$1]?.sequence ?? 0) }
  }

  /// Ends a lane's cool-down: requests that wait for its end may start.
  mutating func endCoolDown(of name: Lane, now: Moment) -> [Action] {
    guard let lane = lanes.index(of: name), lanes[lane].coolingUntil > now else { return [] }
    let end = lanes[lane].coolingUntil
    lanes.endCoolDown(lane, at: now)
    for id in lanes[lane].backingOff {
      guard var entry = entries[id], case .backingOff(let wakes) = entry.stage, wakes >= end
      else { continue }
      entry.stage = .backingOff(until: now)
      entries[id] = entry
      backOffs.set(id, at: now)
    }
    compactBackOffs()
    refresh(lane, now: now)
    lanes.retire(lane, now: now)
    return advance(now: now)
  }

  /// The number of requests that wait in lanes that are cooling down.
  func cooling(at now: Moment) -> Int { lanes.coolingRequests(at: now) }

  /// The number of requests that can be added before one of them has to wait in front of the queue,
  /// is refused, or drives another one out.
  var freePlaces: Int {
    switch rules.capacity {
    case .unbounded: .max
    case .wait(let bound), .refuse(let bound), .dropOldest(let bound):
      max(0, bound - waiting - overflow)
    }
  }

  // MARK: - Time

  /// Performs what is due.
  mutating func advance(now: Moment) -> [Action] {
    var actions: [Action] = []
    while let alarm = queueDeadlines.popDue(at: now) {
      let id = alarm.subject
      guard entries[id]?.waitsForFirstStart ?? false, remove(id, now: now) else { continue }
      actions.append(.end(id, .queueTimeout))
    }
    while let alarm = backOffs.popDue(at: now) {
      let id = alarm.subject
      guard let entry = entries[id], entry.stage == .backingOff(until: alarm.moment) else {
        continue
      }
      leaveStage(of: id, entry)
      if entry.isUrgent {
        actions.append(startUrgent(id, now: now))
      } else {
        wait(id, entry, now: now)
      }
    }
    while let lane = lanes.popDue(at: now) {
      refresh(lane, now: now)
      lanes.retire(lane, now: now)
    }
    return actions + startReady(now: now)
  }

  /// The next moment at which `advance` has something to do.
  mutating func nextDeadline() -> Moment? {
    var next = Moment.distantFuture
    if !queueDeadlines.isEmpty {
      let moment = queueDeadlines.next { [entries] in
        entries[$0.subject]?.waitsForFirstStart ?? false
      }
      next = min(next, moment ?? next)
    }
    if !backOffs.isEmpty {
      let moment = backOffs.next { [entries] alarm in
        entries[alarm.subject]?.stage == .backingOff(until: alarm.moment)
      }
      next = min(next, moment ?? next)
    }
    next = min(next, lanes.nextAlarm() ?? next)
    return next == .distantFuture ? nil : next
  }

  // MARK: - Starting

  /// Starts what may start: the lowest key of all ready lanes, while there are slots.
  private mutating func startReady(now: Moment) -> [Action] {
    var actions: [Action] = []
    repeat { startPlaced(now: now, into: &actions) } while admitOverflow(now: now)
    return actions
  }

  private mutating func startPlaced(now: Moment, into actions: inout [Action]) {
    while running < rules.limit, let lane = lanes.popReady() {
      guard let id = lanes[lane].startFirst(at: now) else { continue }
      waiting -= 1
      actions.append(takeSlot(id, now: now))
      refresh(lane, now: now)
    }
  }

  /// Moves the next request from the overflow into the queue, if there is room.
  private mutating func admitOverflow(now: Moment) -> Bool {
    guard overflow > 0, case .wait(let bound) = rules.capacity else { return false }
    let first = overflowLine.first { [entries] in entries[$0]?.stage == .overflow }
    guard let id = first, let entry = entries[id],
      waiting < bound || couldStartAtOnce(entry.lane, now)
    else { return false }
    overflowLine.removeFirst()
    leaveStage(of: id, entry)
    wait(id, entry, now: now)
    return true
  }

  /// True if a request of a lane would start if it were the only one that waits.
  private func couldStartAtOnce(_ lane: Int, _ now: Moment) -> Bool {
    running < rules.limit && lanes[lane].hasSlot(defaultLimit: rules.laneLimit)
      && lanes[lane].opens <= now
  }

  /// Applies the rule of the capacity after a new request was added.
  private mutating func enforceCapacity(
    newcomer: RequestID, now: Moment, into actions: inout [Action]
  ) {
    switch rules.capacity {
    case .unbounded, .wait: return
    case .refuse(let bound):
      guard waiting > bound, entries[newcomer]?.stage == .waiting else { return }
      _ = remove(newcomer, now: now)
      actions.append(.end(newcomer, .refused))
    case .dropOldest(let bound):
      while waiting > bound {
        let oldest = arrivals.first { [entries] in entries[$0]?.waitsForFirstStart ?? false }
        guard let oldest else { break }
        arrivals.removeFirst()
        _ = remove(oldest, now: now)
        actions.append(.end(oldest, .dropped))
      }
      arrivals.compact(current: waiting) { [entries] in
        entries[$0]?.waitsForFirstStart ?? false
      }
    }
  }

  // MARK: - Stages

  /// Lets a request wait in its lane.
  private mutating func wait(_ id: RequestID, _ entry: QueuedRequest, now: Moment) {
    var entry = entry
    entry.stage = .waiting
    entries[id] = entry
    waiting += 1
    lanes[entry.lane].wait(id, entry)
    refresh(entry.lane, now: now)
  }

  /// Lets a request wait without a slot until a moment.
  private mutating func backOff(_ id: RequestID, _ entry: QueuedRequest, until moment: Moment) {
    var entry = entry
    entry.stage = .backingOff(until: moment)
    entries[id] = entry
    backingOff += 1
    lanes[entry.lane].backingOff.insert(id)
    lanes[entry.lane].notePatience(of: entry)
    backOffs.set(id, at: moment)
  }

  /// Starts an urgent request, whether or not there is a slot.
  private mutating func startUrgent(_ id: RequestID, now: Moment) -> Action {
    if let lane = entries[id]?.lane { lanes[lane].startBeyondLimit(at: now) }
    return takeSlot(id, now: now)
  }

  /// Makes a request running; its lane has counted it already.
  private mutating func takeSlot(_ id: RequestID, now: Moment) -> Action {
    running += 1
    // In place, without a copy of the entry.
    if let index = entries.index(forKey: id) { entries.values[index].start(at: now) }
    return .start(id)
  }

  /// Takes the slot from a request that moves to another lane, or comes back to its own later.
  private mutating func freeSlot(of id: RequestID, _ entry: QueuedRequest, for lane: Int) {
    leaveStage(of: id, entry)
    let old = entry.lane
    if old == lane { lanes[old].replaceProbe(id) } else { lanes[old].endProbation(after: id) }
  }

  /// Takes a request out of the counts of its stage and of its lane.
  private mutating func leaveStage(of id: RequestID, _ entry: QueuedRequest) {
    let lane = entry.lane
    switch entry.stage {
    case .waiting:
      waiting -= 1
      lanes[lane].stopWaiting()
    case .overflow:
      overflow -= 1
      lanes[lane].overflow -= 1
    case .running:
      running -= 1
      lanes[lane].running -= 1
    case .backingOff:
      backingOff -= 1
      lanes[lane].backingOff.remove(id)
    }
  }

  /// Removes a request, whatever its stage.
  private mutating func remove(_ id: RequestID, now: Moment) -> Bool {
    guard let entry = entries.removeValue(forKey: id) else { return false }
    let lane = entry.lane
    leaveStage(of: id, entry)
    if entry.stage == .waiting { lanes[lane].compact(entries) }
    if entry.stage == .overflow {
      overflowLine.compact(current: overflow) { [entries] in entries[$0]?.stage == .overflow }
    }
    lanes[lane].endProbation(after: id)
    refresh(lane, now: now)
    lanes.retire(lane, now: now)
    return true
  }

  private mutating func refresh(_ lane: Int, now: Moment) {
    lanes.refresh(lane, of: entries, defaultLimit: rules.laneLimit, now: now)
  }

  private mutating func refreshAfterMove(from old: Int, to lane: Int, now: Moment) {
    refresh(old, now: now)
    if old != lane { lanes.retire(old, now: now) }
  }

  // MARK: - Stale items

  /// The number of items in all heaps, stale ones included.
  var footprint: Int {
    lanes.footprint + backOffs.count + overflowLine.count + queueDeadlines.count
  }

  /// The number of lanes that are not forgotten.
  var laneCount: Int { lanes.count }

  private mutating func compactBackOffs() {
    backOffs.compact(current: backingOff) { [entries] alarm in
      entries[alarm.subject]?.stage == .backingOff(until: alarm.moment)
    }
  }
}
