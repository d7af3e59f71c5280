@testable import QueuedHTTP

/// The same rules as `RequestQueue`, written down as plainly as can be: one list, searched anew for
/// each decision.
struct NaiveQueue {
  struct Item {
    var id: RequestID
    var lane: Lane
    var priority: RequestPriority
    var arrival: Moment
    var sequence: Int
    var budget: Duration
    var queueDeadline: Moment
    var stage = QueuedRequest.Stage.waiting
    var firstStart: Moment?

    func givesUp(_ now: Moment) -> Moment { (firstStart ?? now) + budget }
  }

  struct Bucket {
    var step: Int64
    var depth: Int64
    var credit: Int64
    var filled: Moment

    func credit(at now: Moment) -> Int64 {
      min(depth, credit + (now.nanoseconds - filled.nanoseconds))
    }
  }

  var rules: RequestQueue.Rules
  var items: [Item] = []
  var limits: [Lane: Int] = [:]
  var cooling: [Lane: Moment] = [:]
  /// The lanes that start one request at a time since they cooled down, with the one that runs.
  var probation: [Lane: RequestID?] = [:]
  var buckets: [Lane: Bucket] = [:]
  var sequences = 0

  init(_ rules: RequestQueue.Rules) { self.rules = rules }

  func itemsThatCool(at now: Moment) -> Int {
    items.filter { item in
      (item.stage == .waiting || item.stage == .overflow) && cooling[item.lane] ?? .zero > now
    }.count
  }

  mutating func add(
    _ id: RequestID, lane: Lane, priority: RequestPriority, queueTimeout: Duration?,
    budget: Duration, now: Moment
  ) -> [RequestQueue.Action] {
    if let until = cooling[lane], until > now, until > now + budget {
      return [.end(id, .coolingDown(until: until))]
    }
    sequences += 1
    var item = Item(
      id: id, lane: lane, priority: priority, arrival: now, sequence: sequences, budget: budget,
      queueDeadline: queueTimeout.map { now + $0 } ?? .distantFuture)
    if !hasRoom(for: item, now) { item.stage = .overflow }
    items.append(item)
    var actions = start(now)
    func isOver(_ bound: Int) -> Bool { items.filter { $0.stage == .waiting }.count > bound }
    switch rules.capacity {
    case .unbounded, .wait: break
    case .refuse(let bound):
      if isOver(bound), let index = items.firstIndex(where: { $0.id == id && $0.stage == .waiting })
      {
        items.remove(at: index)
        endProbation(of: [id])
        actions.append(.end(id, .refused))
      }
    case .dropOldest(let bound):
      while isOver(bound),
        let index = items.firstIndex(where: { $0.stage == .waiting && $0.firstStart == nil })
      {
        actions.append(.end(items[index].id, .dropped))
        let dropped = items.remove(at: index)
        endProbation(of: [dropped.id])
      }
    }
    return actions
  }

  mutating func cancel(_ id: RequestID, now: Moment) -> [RequestQueue.Action] {
    guard items.contains(where: { $0.id == id }) else { return [] }
    items.removeAll { $0.id == id }
    endProbation(of: [id])
    return start(now)
  }

  private mutating func endProbation(of ids: [RequestID]) {
    probation = probation.filter { lane, probe in
      !ids.contains { $0 == probe } && items.contains { $0.lane == lane }
    }
  }

  mutating func cancel(_ ids: [RequestID], now: Moment) -> [RequestQueue.Action] {
    items.removeAll { ids.contains($0.id) }
    endProbation(of: ids)
    return start(now)
  }

  mutating func retry(_ id: RequestID, at moment: Moment, now: Moment) -> (
    waits: Bool, actions: [RequestQueue.Action]
  ) {
    guard let index = items.firstIndex(where: { $0.id == id && $0.stage == .running }) else {
      return (false, [])
    }
    let wakes = max(moment, cooling[items[index].lane] ?? .zero)
    guard wakes <= items[index].givesUp(now) else { return (false, []) }
    items[index].stage = .backingOff(until: wakes)
    if probation[items[index].lane] == .some(.some(id)) {
      probation[items[index].lane] = .some(nil)
    }
    return (true, start(now))
  }

  mutating func coolDown(_ lane: Lane, until: Moment, now: Moment) -> [RequestQueue.Action] {
    guard until > now, until > cooling[lane] ?? .zero else { return [] }
    cooling[lane] = until
    probation[lane] = .some(nil)
    let ended = items.filter {
      $0.lane == lane && $0.stage != .running && $0.givesUp(now) < until
    }
    items.removeAll { item in ended.contains { $0.id == item.id } }
    endProbation(of: ended.map(\.id))
    return ended.map { .end($0.id, .coolingDown(until: until)) }
  }

  mutating func setPace(_ pace: Pace?, for lane: Lane, now: Moment) -> [RequestQueue.Action] {
    buckets[lane] = pace.map { pace in
      let step = pace.interval.wholeNanoseconds / Int64(pace.requests)
      let depth = step * Int64(pace.requests)
      return Bucket(step: step, depth: depth, credit: depth, filled: now)
    }
    return start(now)
  }

  mutating func advance(now: Moment) -> [RequestQueue.Action] {
    let late = items.filter {
      ($0.stage == .waiting || $0.stage == .overflow) && $0.firstStart == nil
        && $0.queueDeadline <= now
    }
    items.removeAll { item in late.contains { $0.id == item.id } }
    endProbation(of: late.map(\.id))
    for index in items.indices {
      if case .backingOff(let until) = items[index].stage, until <= now {
        items[index].stage = .waiting
      }
    }
    return late.map { .end($0.id, .queueTimeout) } + start(now)
  }

  mutating func start(_ now: Moment) -> [RequestQueue.Action] {
    var actions = startPlaced(now)
    while let first = items.firstIndex(where: { $0.stage == .overflow }),
      hasRoom(for: items[first], now)
    {
      items[first].stage = .waiting
      actions += startPlaced(now)
    }
    return actions
  }

  private func hasRoom(for item: Item, _ now: Moment) -> Bool {
    guard case .wait(let bound) = rules.capacity else { return true }
    var item = item
    item.stage = .waiting
    let running = items.filter { $0.stage == .running }.count
    return items.filter { $0.stage == .waiting }.count < bound
      || running < rules.limit && mayStart(item, now)
  }

  private mutating func startPlaced(_ now: Moment) -> [RequestQueue.Action] {
    var actions: [RequestQueue.Action] = []
    while items.filter({ $0.stage == .running }).count < rules.limit {
      let ready = items.indices.filter { mayStart(items[$0], now) }
      guard let next = ready.min(by: { key(items[$0]) < key(items[$1]) }) else { break }
      items[next].stage = .running
      if probation[items[next].lane] != nil {
        probation[items[next].lane] = .some(items[next].id)
      }
      if items[next].firstStart == nil { items[next].firstStart = now }
      if var bucket = buckets[items[next].lane] {
        bucket.credit = bucket.credit(at: now) - bucket.step
        bucket.filled = now
        buckets[items[next].lane] = bucket
      }
      actions.append(.start(items[next].id))
    }
    return actions
  }

  private func mayStart(_ item: Item, _ now: Moment) -> Bool {
    guard item.stage == .waiting else { return false }
    let running = items.filter { $0.stage == .running && $0.lane == item.lane }.count
    guard running < limits[item.lane] ?? rules.laneLimit else { return false }
    guard cooling[item.lane] ?? .zero <= now else { return false }
    if case .some(.some) = probation[item.lane] { return false }
    guard let bucket = buckets[item.lane] else { return true }
    return bucket.credit(at: now) >= bucket.step
  }

  private func key(_ item: Item) -> (Int64, Int) {
    let classes = RequestPriority.veryHigh.rawValue - item.priority.rawValue
    let penalty = rules.ageing.wholeNanoseconds * Int64(classes)
    return (item.arrival.nanoseconds + penalty, item.sequence)
  }
}
