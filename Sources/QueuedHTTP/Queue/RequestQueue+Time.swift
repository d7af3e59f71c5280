internal import HeapModule

extension RequestQueue {
  /// Frees a running request's slot until it is sent again, at the moment or when its lane has
  /// cooled down.
  ///
  /// - Parameter name: The lane that it is sent in then; nil means that in which it runs.
  /// - Returns: false when its time is over before; it then still runs, to be finished.
  mutating func retry(_ id: RequestID, in name: Lane? = nil, at moment: Moment, now: Moment) -> (
    waits: Bool, actions: [Action]
  ) {
    guard var entry = entries[id], entry.stage == .running else { return (false, []) }
    let left = entry.lane
    let lane = name.map { index(of: $0) } ?? left
    let wakes = max(moment, lanes[lane].coolingUntil)
    guard wakes <= entry.givesUp(seenFrom: now) else {
      retire(lane, now: now)
      return (false, [])
    }
    entry.lane = lane
    entry.stage = .sleeping(until: wakes)
    entries[id] = entry
    running -= 1
    sleeping += 1
    lanes[left].running -= 1
    if left == lane { lanes[left].forgetProbe(id) } else { lanes[left].endProbation(after: id) }
    lanes[lane].sleepers.insert(id)
    lanes[lane].note(entry)
    sleepers.insert(Alarm(moment: wakes, subject: id))
    compactSleepers()
    leave(left, for: lane, now: now)
    return (true, startReady(now: now))
  }

  /// Returns the token that a running request took from the pace of its lane: it reached nobody.
  mutating func refund(_ id: RequestID, now: Moment) -> [Action] {
    guard let entry = entries[id], entry.stage == .running, lanes[entry.lane].gate != nil else {
      return []
    }
    lanes[entry.lane].gate?.refund()
    refresh(entry.lane, now: now)
    return startReady(now: now)
  }

  /// Whether a request is the one that tries a lane out after its cool-down.
  func isProbe(_ id: RequestID) -> Bool {
    guard let entry = entries[id] else { return false }
    return lanes[entry.lane].probe == id
  }

  /// Frees a running request's slot, and has it wait for another in the lane that it goes on in.
  ///
  /// It keeps its place in the order of starts, and ends when that lane cools down for longer than its
  /// time.
  mutating func move(_ id: RequestID, to name: Lane, now: Moment) -> [Action] {
    guard var entry = entries[id], entry.stage == .running else { return [] }
    let left = entry.lane
    let lane = index(of: name)
    let cooling = lanes[lane].coolingUntil
    guard cooling <= max(now, entry.givesUp(seenFrom: now)) else {
      _ = remove(id, now: now)
      return [.end(id, .coolingDown(until: cooling))] + startReady(now: now)
    }
    entry.lane = lane
    entry.stage = .waiting
    entries[id] = entry
    running -= 1
    lanes[left].running -= 1
    if left == lane { lanes[left].forgetProbe(id) } else { lanes[left].endProbation(after: id) }
    place(id, entry, now: now)
    leave(left, for: lane, now: now)
    return startReady(now: now)
  }

  private mutating func leave(_ left: Int, for lane: Int, now: Moment) {
    refresh(left, now: now)
    if left != lane { retire(left, now: now) }
  }

  /// Has a lane cool down no longer: what waits for that may start.
  mutating func endCoolDown(of name: Lane, now: Moment) -> [Action] {
    guard let lane = laneIndex[name], lanes[lane].coolingUntil > now else { return [] }
    let end = lanes[lane].coolingUntil
    lanes[lane].coolingUntil = now
    lanes[lane].isOnProbation = false
    lanes[lane].probe = nil
    coolingLanes.remove(lane)
    for id in lanes[lane].sleepers {
      guard var entry = entries[id], case .sleeping(let wakes) = entry.stage, wakes >= end
      else { continue }
      entry.stage = .sleeping(until: now)
      entries[id] = entry
      sleepers.insert(Alarm(moment: now, subject: id))
    }
    compactSleepers()
    refresh(lane, now: now)
    retire(lane, now: now)
    return advance(now: now)
  }

  /// Lets nothing of a lane start before a moment, and ends those of it whose time is over by then.
  ///
  /// From then on one request at a time is started, until one of them has ended.
  mutating func coolDown(_ name: Lane, until: Moment, now: Moment) -> [Action] {
    let lane = index(of: name)
    defer {
      refresh(lane, now: now)
      retire(lane, now: now)
    }
    guard until > now, until > lanes[lane].coolingUntil else { return [] }
    lanes[lane].coolingUntil = until
    lanes[lane].isOnProbation = !lanes[lane].isEmpty
    lanes[lane].probe = nil
    coolingLanes = coolingLanes.filter { lanes[$0].coolingUntil > now }
    coolingLanes.insert(lane)
    guard lanes[lane].mayLose(by: until, now: now) else { return [] }
    lanes[lane].forgetPatience()
    var ended: [RequestID] = []
    let waiting = lanes[lane].places.unordered.lazy.map(\.id).filter { [entries] id in
      entries[id]?.stage == .waiting
    }
    let before =
      lanes[lane].outside == 0 ? [] : line.filter { entries[$0]?.lane == lane && isOutside($0) }
    for id in Array(waiting) + before + lanes[lane].sleepers {
      guard let entry = entries[id] else { continue }
      if entry.givesUp(seenFrom: now) < until { ended.append(id) } else { lanes[lane].note(entry) }
    }
    // In the order of their coming, so that what follows is the same in every run.
    ended.sort { (entries[$0]?.sequence ?? 0) < (entries[$1]?.sequence ?? 0) }
    return ended.compactMap { id in
      // A request whose class was changed may stand twice among the places.
      remove(id, now: now) ? .end(id, .coolingDown(until: until)) : nil
    }
  }

  /// Until when a lane cools down, if it does.
  func coolingEnd(of name: Lane, now: Moment) -> Moment? {
    guard let lane = laneIndex[name], lanes[lane].coolingUntil > now else { return nil }
    return lanes[lane].coolingUntil
  }

  /// How many requests wait for a start in lanes that cool down.
  func cooling(at now: Moment) -> Int {
    coolingLanes.reduce(0) { count, lane in
      lanes[lane].coolingUntil > now ? count + lanes[lane].waiting + lanes[lane].outside : count
    }
  }

  /// Does what became due.
  mutating func advance(now: Moment) -> [Action] {
    var actions: [Action] = []
    while let alarm = queueDeadlines.min, alarm.moment <= now {
      queueDeadlines.removeMin()
      guard waitsForFirstStart(alarm.subject), remove(alarm.subject, now: now) else { continue }
      actions.append(.end(alarm.subject, .queueTimeout))
    }
    while let alarm = sleepers.min, alarm.moment <= now {
      sleepers.removeMin()
      guard sleeps(alarm), var entry = entries[alarm.subject] else { continue }
      entry.stage = .waiting
      entries[alarm.subject] = entry
      sleeping -= 1
      lanes[entry.lane].sleepers.remove(alarm.subject)
      place(alarm.subject, entry, now: now)
    }
    while let alarm = laneAlarms.min, alarm.moment <= now {
      laneAlarms.removeMin()
      let lane = alarm.subject.lane
      guard lanes[lane].generation == alarm.subject.generation else { continue }
      if lanes[lane].alarm == alarm.moment { lanes[lane].alarm = nil }
      refresh(lane, now: now)
      retire(lane, now: now)
    }
    return actions + startReady(now: now)
  }

  /// The next moment at which `advance` has something to do.
  mutating func nextDeadline() -> Moment? {
    while let alarm = queueDeadlines.min, !waitsForFirstStart(alarm.subject) {
      queueDeadlines.removeMin()
    }
    while let alarm = sleepers.min, !sleeps(alarm) { sleepers.removeMin() }
    while let alarm = laneAlarms.min,
      lanes[alarm.subject.lane].generation != alarm.subject.generation
    {
      laneAlarms.removeMin()
    }
    let next = min(
      queueDeadlines.min?.moment ?? .distantFuture, sleepers.min?.moment ?? .distantFuture,
      laneAlarms.min?.moment ?? .distantFuture)
    return next == .distantFuture ? nil : next
  }

  func waitsForFirstStart(_ id: RequestID) -> Bool {
    guard let entry = entries[id] else { return false }
    return (entry.stage == .waiting || entry.stage == .outside) && entry.firstStart == nil
  }

  private func isOutside(_ id: RequestID) -> Bool { entries[id]?.stage == .outside }

  private func sleeps(_ alarm: Alarm<RequestID>) -> Bool {
    entries[alarm.subject]?.stage == .sleeping(until: alarm.moment)
  }

  private mutating func compactSleepers() {
    guard sleepers.count > 2 * sleeping + 64 else { return }
    sleepers = Heap(sleepers.unordered.filter(sleeps))
  }
}
