internal import HeapModule

/// The lanes of a queue: which of them can start a request now, and which later.
///
/// Requests, heap and alarms refer to a lane by its index. A lane that keeps nothing any more is forgotten, and
/// another one gets its index.
struct LaneSchedule: Sendable {
  /// A lane that could start its first request; stale once the lane has another `readyKey`.
  private struct ReadyLane: Comparable, Sendable {
    var key: OrderKey
    var lane: Int

    static func < (one: ReadyLane, other: ReadyLane) -> Bool { one.key < other.key }
    static func == (one: ReadyLane, other: ReadyLane) -> Bool { one.key == other.key }
  }

  /// A lane's index, and which of the lanes that had this index.
  private struct LaneStamp: Sendable {
    var lane: Int
    var generation: UInt64
  }

  private var lanes: [LaneState] = []
  private var indexByName: [Lane: Int] = [:]
  private var vacant: [Int] = []
  private var generations: UInt64 = 0
  private var ready = Heap<ReadyLane>()
  private var alarms = AlarmClock<LaneStamp>()
  /// Lanes that were told to cool down; some of them may have opened again.
  private var cooling: Set<Int> = []

  subscript(lane: Int) -> LaneState {
    // Lent, because a copy would count references to all that a lane holds.
    _read { yield lanes[lane] }
    _modify { yield &lanes[lane] }
  }

  /// The indices of all lanes that are not forgotten.
  var indices: some Sequence<Int> { indexByName.values }

  /// The number of lanes that are not forgotten.
  var count: Int { indexByName.count }

  /// The number of indices, those of forgotten lanes included.
  var indexCount: Int { lanes.count }

  /// The number of items in all heaps, stale ones included.
  var footprint: Int {
    ready.count + alarms.count + lanes.reduce(0) { $0 + $1.footprint }
  }

  /// The index of a lane; nil if there is none of that name.
  func index(of name: Lane) -> Int? { indexByName[name] }

  /// The index of a lane, which is created if there is none of that name.
  mutating func findOrAdd(_ name: Lane) -> Int {
    if let lane = indexByName[name] { return lane }
    generations += 1
    let state = LaneState(name: name, generation: generations)
    let lane: Int
    if let free = vacant.popLast() {
      lane = free
      lanes[lane] = state
    } else {
      lane = lanes.count
      lanes.append(state)
    }
    indexByName[name] = lane
    return lane
  }

  /// Forgets an empty lane, so that a client that talks to many hosts does not grow.
  mutating func retire(_ lane: Int, now: Moment) {
    guard lanes[lane].isForgettable, indexByName[lanes[lane].name] == lane else { return }
    guard lanes[lane].coolingUntil <= now else {
      setAlarm(lane, at: lanes[lane].coolingUntil)
      return
    }
    indexByName[lanes[lane].name] = nil
    cooling.remove(lane)
    lanes[lane] = LaneState(name: lanes[lane].name, generation: 0)
    vacant.append(lane)
  }

  /// Removes the requests of all lanes; limits, paces and cool-downs stay.
  mutating func removeRequests(now: Moment) {
    ready = Heap()
    for lane in indexByName.values {
      lanes[lane].removeAll()
      retire(lane, now: now)
    }
  }

  // MARK: - The next start

  /// Decides again whether a lane can start its first request, and under which key.
  ///
  /// - Parameter defaultLimit: The limit of a lane that has none of its own.
  mutating func refresh(
    _ lane: Int, of requests: [RequestID: QueuedRequest], defaultLimit: Int, now: Moment
  ) {
    while let first = lanes[lane].firstPlace, !first.isCurrent(among: requests) {
      lanes[lane].dropFirstPlace()
    }
    guard let first = lanes[lane].firstPlace, lanes[lane].hasSlot(defaultLimit: defaultLimit)
    else {
      lanes[lane].readyKey = nil
      return
    }
    let opens = lanes[lane].opens
    guard opens <= now else {
      lanes[lane].readyKey = nil
      setAlarm(lane, at: opens)
      return
    }
    guard lanes[lane].readyKey != first.key else { return }
    lanes[lane].readyKey = first.key
    ready.insert(ReadyLane(key: first.key, lane: lane))
    compactReady()
  }

  /// Returns the lane whose first request comes before those of all others; it must be refreshed then.
  mutating func popReady() -> Int? {
    while let candidate = ready.popMin() {
      guard lanes[candidate.lane].readyKey == candidate.key else { continue }
      lanes[candidate.lane].readyKey = nil
      return candidate.lane
    }
    return nil
  }

  private mutating func compactReady() {
    guard ready.count > 2 * indexByName.count + 64 else { return }
    ready = Heap(
      indexByName.values.compactMap { lane in
        lanes[lane].readyKey.map { ReadyLane(key: $0, lane: lane) }
      })
  }

  // MARK: - Alarms

  /// Returns a lane that must be refreshed, because its moment has come.
  mutating func popDue(at now: Moment) -> Int? {
    while let due = alarms.popDue(at: now) {
      let lane = due.subject.lane
      guard lanes[lane].generation == due.subject.generation else { continue }
      if lanes[lane].alarm == due.moment { lanes[lane].alarm = nil }
      return lane
    }
    return nil
  }

  /// The next moment at which `popDue` returns a lane.
  mutating func nextAlarm() -> Moment? {
    guard !alarms.isEmpty else { return nil }
    return alarms.next { [lanes] alarm in
      lanes[alarm.subject.lane].generation == alarm.subject.generation
    }
  }

  private mutating func setAlarm(_ lane: Int, at moment: Moment) {
    if let alarm = lanes[lane].alarm, alarm <= moment { return }
    lanes[lane].alarm = moment
    alarms.set(LaneStamp(lane: lane, generation: lanes[lane].generation), at: moment)
  }

  // MARK: - Cool-downs

  /// Closes a lane until a moment.
  mutating func coolDown(_ lane: Int, until: Moment, now: Moment) {
    lanes[lane].coolDown(until: until)
    cooling = cooling.filter { lanes[$0].coolingUntil > now }
    cooling.insert(lane)
  }

  mutating func endCoolDown(_ lane: Int, at now: Moment) {
    lanes[lane].endCoolDown(at: now)
    cooling.remove(lane)
  }

  /// The number of requests that wait in lanes that are cooling down.
  func coolingRequests(at now: Moment) -> Int {
    cooling.reduce(0) { count, lane in
      lanes[lane].coolingUntil > now ? count + lanes[lane].waiting + lanes[lane].overflow : count
    }
  }
}
