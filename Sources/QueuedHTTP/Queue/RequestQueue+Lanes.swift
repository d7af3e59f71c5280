internal import DequeModule
internal import HeapModule

extension RequestQueue {
  /// The lane of a name, made if there is none.
  mutating func index(of name: Lane) -> Int {
    if let lane = laneIndex[name] { return lane }
    generations += 1
    let state = LaneState(name: name, generation: generations)
    let lane: Int
    if let vacant = vacantLanes.popLast() {
      lane = vacant
      lanes[lane] = state
    } else {
      lane = lanes.count
      lanes.append(state)
    }
    laneIndex[name] = lane
    return lane
  }

  /// Puts an entry among those that wait in its lane.
  mutating func place(_ id: RequestID, _ entry: Entry, now: Moment) {
    waiting += 1
    lanes[entry.lane].waiting += 1
    lanes[entry.lane].places.insert(Place(key: entry.key, id: id))
    lanes[entry.lane].note(entry)
    refresh(entry.lane, now: now)
  }

  /// Says anew whether a lane can start its first one, and under which key.
  mutating func refresh(_ lane: Int, now: Moment) {
    while let first = lanes[lane].places.min, !counts(first) { lanes[lane].places.removeMin() }
    guard let first = lanes[lane].places.min,
      lanes[lane].hasSlot(within: rules.laneLimit)
    else {
      lanes[lane].announced = nil
      return
    }
    let opens = max(lanes[lane].coolingUntil, lanes[lane].gate?.opens ?? .zero)
    guard opens <= now else {
      lanes[lane].announced = nil
      wake(lane, at: opens)
      return
    }
    guard lanes[lane].announced != first.key else { return }
    lanes[lane].announced = first.key
    ready.insert(ReadyLane(key: first.key, lane: lane))
    compactReady()
  }

  /// Sees to it that a lane is looked at again at a moment.
  mutating func wake(_ lane: Int, at moment: Moment) {
    if let alarm = lanes[lane].alarm, alarm <= moment { return }
    lanes[lane].alarm = moment
    laneAlarms.insert(
      Alarm(
        moment: moment, subject: LaneStamp(lane: lane, generation: lanes[lane].generation)))
  }

  /// Forgets a lane that holds nothing, so that a client which meets many hosts does not grow.
  mutating func retire(_ lane: Int, now: Moment) {
    let state = lanes[lane]
    guard state.isEmpty, state.limit == nil, state.gate == nil, laneIndex[state.name] == lane
    else { return }
    guard state.coolingUntil <= now else {
      wake(lane, at: state.coolingUntil)
      return
    }
    laneIndex[state.name] = nil
    coolingLanes.remove(lane)
    lanes[lane] = LaneState(name: state.name, generation: 0)
    vacantLanes.append(lane)
  }

  /// Takes an entry out of wherever it is.
  mutating func remove(_ id: RequestID, now: Moment) -> Bool {
    guard let entry = entries.removeValue(forKey: id) else { return false }
    let lane = entry.lane
    switch entry.stage {
    case .waiting:
      waiting -= 1
      lanes[lane].waiting -= 1
      compactPlaces(of: lane)
    case .outside:
      outside -= 1
      lanes[lane].outside -= 1
      compactLine()
    case .running:
      running -= 1
      lanes[lane].running -= 1
    case .sleeping:
      sleeping -= 1
      lanes[lane].sleepers.remove(id)
    }
    lanes[lane].endProbation(after: id)
    refresh(lane, now: now)
    retire(lane, now: now)
    return true
  }

  /// Whether a place is that of a request which waits there.
  private func counts(_ place: Place) -> Bool {
    guard let entry = entries[place.id] else { return false }
    return entry.stage == .waiting && entry.key == place.key
  }

  /// How many items all heaps hold, the stale ones among them.
  var footprint: Int {
    ready.count + sleepers.count + line.count + laneAlarms.count + queueDeadlines.count
      + lanes.reduce(0) { $0 + $1.places.count }
  }

  // Stale items go when they outnumber the others: the work is O(1) for each of them.

  mutating func compactPlaces(of lane: Int) {
    guard lanes[lane].places.count > 2 * lanes[lane].waiting + 64 else { return }
    lanes[lane].places = Heap(lanes[lane].places.unordered.filter(counts))
  }

  private mutating func compactLine() {
    guard line.count > 2 * outside + 64 else { return }
    line = Deque(line.filter { entries[$0]?.stage == .outside })
  }

  private mutating func compactReady() {
    guard ready.count > 2 * laneIndex.count + 64 else { return }
    ready = Heap(
      laneIndex.values.compactMap { lane in
        lanes[lane].announced.map { ReadyLane(key: $0, lane: lane) }
      })
  }

  mutating func compactDeadlines() {
    guard queueDeadlines.count > 2 * (waiting + outside) + 64 else { return }
    queueDeadlines = Heap(queueDeadlines.unordered.filter { waitsForFirstStart($0.subject) })
  }
}

extension RequestQueue.LaneState {
  /// Lets go of all requests and keeps what was set.
  mutating func empty() {
    running = 0
    outside = 0
    places = Heap()
    waiting = 0
    sleepers = []
    isOnProbation = false
    probe = nil
    forgetPatience()
    announced = nil
  }

  /// Takes into account how long a request that came into the lane can wait.
  mutating func note(_ entry: RequestQueue.Entry) {
    if let firstStart = entry.firstStart {
      earliestGivingUp = min(earliestGivingUp, firstStart + entry.budget)
    } else {
      shortestBudget = min(shortestBudget, entry.budget)
    }
  }

  /// Forgets what was noted of all requests.
  mutating func forgetPatience() {
    earliestGivingUp = .distantFuture
    shortestBudget = Moment.distantFuture - .zero
  }

  /// Whether a cool-down may outlast a request of the lane.
  func mayLose(by until: Moment, now: Moment) -> Bool {
    until > earliestGivingUp || until > now + shortestBudget
  }
}
