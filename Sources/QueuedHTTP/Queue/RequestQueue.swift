internal import DequeModule
internal import HeapModule

/// Decides which request starts when: limits, order, pace, cool-down, waits and their bounds.
///
/// A pure value: the clock is handed in, and what is to be done comes back as actions. Adding,
/// starting, ending and cancelling cost O(log n) however many requests or lanes there are: what no
/// longer counts stays in the heaps until it comes to the top, or until it outweighs what counts.
///
/// | call | returns |
/// | --- | --- |
/// | `add` | starts; the end of the newcomer (refused, cooling down) or of the oldest (dropped) |
/// | `finish`, `cancel`, `setLimit`, `setLaneLimit`, `setPace` | starts |
/// | `retry` | whether there is time for it; if not, the request still runs |
/// | `coolDown` | ends of those whose time is over before the lane goes on |
/// | `advance` | starts and ends that became due |
package struct RequestQueue: Sendable {
  private(set) var rules: Rules
  var entries: [RequestID: Entry] = [:]
  var lanes: [LaneState] = []
  var laneIndex: [Lane: Int] = [:]
  var vacantLanes: [Int] = []
  /// Lanes that were told to cool down; some of them may be done with it.
  var coolingLanes: Set<Int> = []
  var generations: UInt64 = 0
  var ready = Heap<ReadyLane>()
  var sleepers = Heap<Alarm<RequestID>>()
  var laneAlarms = Heap<Alarm<LaneStamp>>()
  var queueDeadlines = Heap<Alarm<RequestID>>()
  /// Requests as they came, kept only where the oldest may be dropped.
  private var arrivals: Deque<RequestID> = []
  /// Requests that stand before the full queue, those that left it among them.
  var line: Deque<RequestID> = []
  private var sequences: UInt64 = 0
  /// How many requests wait for a start.
  var waiting = 0
  /// How many requests stand before the full queue.
  var outside = 0
  /// How many requests hold a slot.
  var running = 0
  /// How many requests wait to be sent again.
  var sleeping = 0

  package init(_ rules: Rules = Rules()) { self.rules = rules }

  /// Takes a request in.
  package mutating func add(
    _ id: RequestID, lane name: Lane, priority: RequestPriority, queueTimeout: Duration?,
    budget: Duration, now: Moment
  ) -> [Action] {
    let lane = index(of: name)
    let cooling = lanes[lane].coolingUntil
    if cooling > now, cooling > now + budget {
      return [.end(id, .coolingDown(until: cooling))]
    }
    sequences += 1
    let key = OrderKey(
      arrival: now, priority: priority, ageing: rules.ageing, sequence: sequences)
    var entry = Entry(
      lane: lane, arrival: now, sequence: sequences, budget: budget,
      queueDeadline: queueTimeout.map { now + $0 } ?? .distantFuture, key: key)
    if case .wait(let bound) = rules.capacity, waiting >= bound, !mayStartAtOnce(lane, now) {
      entry.stage = .outside
      entries[id] = entry
      outside += 1
      lanes[lane].outside += 1
      lanes[lane].note(entry)
      line.append(id)
    } else {
      entries[id] = entry
      place(id, entry, now: now)
    }
    if entry.queueDeadline < .distantFuture {
      queueDeadlines.insert(Alarm(moment: entry.queueDeadline, subject: id))
      compactDeadlines()
    }
    var actions = startReady(now: now)
    if case .dropOldest = rules.capacity { arrivals.append(id) }
    keepCapacity(newcomer: id, now: now, into: &actions)
    return actions
  }

  /// Ends a request that runs: its slot is free.
  package mutating func finish(_ id: RequestID, now: Moment) -> [Action] { cancel(id, now: now) }

  /// Takes a request out, wherever it is.
  package mutating func cancel(_ id: RequestID, now: Moment) -> [Action] {
    guard remove(id, now: now) else { return [] }
    return startReady(now: now)
  }

  /// Takes several requests out before anything starts in their place.
  mutating func cancel(_ ids: some Sequence<RequestID>, now: Moment) -> [Action] {
    for id in ids { _ = remove(id, now: now) }
    return startReady(now: now)
  }

  /// Takes all requests out; limits, paces and cool-downs stay.
  mutating func removeAll(now: Moment) {
    entries = [:]
    ready = Heap()
    sleepers = Heap()
    queueDeadlines = Heap()
    arrivals = []
    line = []
    (waiting, running, sleeping, outside) = (0, 0, 0, 0)
    for lane in laneIndex.values {
      lanes[lane].empty()
      retire(lane, now: now)
    }
  }

  /// Changes a request's class; without effect while it runs until it waits again.
  mutating func setPriority(_ priority: RequestPriority, of id: RequestID, now: Moment) {
    guard var entry = entries[id] else { return }
    entry.key = OrderKey(
      arrival: entry.arrival, priority: priority, ageing: rules.ageing, sequence: entry.sequence)
    entries[id] = entry
    guard entry.stage == .waiting else { return }
    lanes[entry.lane].places.insert(Place(key: entry.key, id: id))
    compactPlaces(of: entry.lane)
    refresh(entry.lane, now: now)
  }

  /// Changes how many run at once in all; a lower limit ends none that runs.
  mutating func setLimit(_ limit: Int, now: Moment) -> [Action] {
    rules.limit = max(0, limit)
    return startReady(now: now)
  }

  /// Changes how many run at once in every lane without a limit of its own.
  mutating func setDefaultLaneLimit(_ limit: Int, now: Moment) -> [Action] {
    rules.laneLimit = max(0, limit)
    for lane in laneIndex.values { refresh(lane, now: now) }
    return startReady(now: now)
  }

  /// Gives a lane a limit of its own; nil takes it away.
  mutating func setLimit(_ limit: Int?, for name: Lane, now: Moment) -> [Action] {
    let lane = index(of: name)
    lanes[lane].limit = limit.map { max(0, $0) }
    refresh(lane, now: now)
    retire(lane, now: now)
    return startReady(now: now)
  }

  /// Gives a lane a pace; nil takes it away.
  mutating func setPace(_ pace: Pace?, for name: Lane, now: Moment) -> [Action] {
    let lane = index(of: name)
    lanes[lane].gate = pace.map { PaceGate($0, now: now) }
    refresh(lane, now: now)
    retire(lane, now: now)
    return startReady(now: now)
  }

  /// Starts what may start: the lowest key of all lanes that are ready, while there are slots.
  mutating func startReady(now: Moment) -> [Action] {
    var actions: [Action] = []
    repeat { startPlaced(now: now, into: &actions) } while admit(now: now)
    return actions
  }

  private mutating func startPlaced(now: Moment, into actions: inout [Action]) {
    while running < rules.limit, let candidate = ready.popMin() {
      let lane = candidate.lane
      guard lanes[lane].announced == candidate.key, let first = lanes[lane].places.popMin()
      else { continue }
      lanes[lane].announced = nil
      lanes[lane].waiting -= 1
      lanes[lane].running += 1
      lanes[lane].gate?.pass(at: now)
      if lanes[lane].isOnProbation { lanes[lane].probe = first.id }
      waiting -= 1
      running += 1
      if let index = entries.index(forKey: first.id) {
        entries.values[index].stage = .running
        if entries.values[index].firstStart == nil { entries.values[index].firstStart = now }
      }
      actions.append(.start(first.id))
      refresh(lane, now: now)
    }
  }

  /// Lets the next one in from before the queue, if there is room; says whether it did.
  private mutating func admit(now: Moment) -> Bool {
    guard outside > 0, case .wait(let bound) = rules.capacity else { return false }
    while let id = line.first {
      guard var entry = entries[id], entry.stage == .outside else {
        line.removeFirst()
        continue
      }
      guard waiting < bound || mayStartAtOnce(entry.lane, now) else { return false }
      line.removeFirst()
      outside -= 1
      lanes[entry.lane].outside -= 1
      entry.stage = .waiting
      entries[id] = entry
      place(id, entry, now: now)
      return true
    }
    return false
  }

  /// How many more may be added before one of them has to wait outside, is refused, or drives
  /// another out.
  var freePlaces: Int {
    switch rules.capacity {
    case .unbounded: .max
    case .wait(let bound), .refuse(let bound), .dropOldest(let bound):
      max(0, bound - waiting - outside)
    }
  }

  /// Whether a request of a lane would start, were it the only one that waits.
  private func mayStartAtOnce(_ lane: Int, _ now: Moment) -> Bool {
    let state = lanes[lane]
    return running < rules.limit && state.hasSlot(within: rules.laneLimit)
      && max(state.coolingUntil, state.gate?.opens ?? .zero) <= now
  }

  /// Makes room by the rule of the capacity after a newcomer was taken in.
  private mutating func keepCapacity(
    newcomer: RequestID, now: Moment, into actions: inout [Action]
  ) {
    switch rules.capacity {
    case .unbounded, .wait: return
    case .refuse(let bound):
      guard waiting > bound, entries[newcomer]?.stage == .waiting else { return }
      _ = remove(newcomer, now: now)
      actions.append(.end(newcomer, .refused))
    case .dropOldest(let bound):
      while waiting > bound, let oldest = arrivals.popFirst() {
        guard let entry = entries[oldest], entry.stage == .waiting, entry.firstStart == nil
        else { continue }
        _ = remove(oldest, now: now)
        actions.append(.end(oldest, .dropped))
      }
      if arrivals.count > 2 * waiting + 64 {
        arrivals = Deque(arrivals.filter { entries[$0]?.firstStart == nil && entries[$0] != nil })
      }
    }
  }
}
