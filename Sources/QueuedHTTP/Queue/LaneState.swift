internal import HeapModule

/// The requests of one lane, and the limits that it keeps.
struct LaneState: Sendable {
  let name: Lane
  /// Tells this lane from earlier ones that had the same index.
  let generation: UInt64
  /// The lane's own limit; nil means the queue's default.
  var limit: Int?
  var bucket: TokenBucket?
  var coolingUntil = Moment.zero
  /// The key under which the lane is in the heap of ready lanes; nil if it is not ready.
  var readyKey: OrderKey?
  /// The moment at which the lane is looked at again.
  var alarm: Moment?

  var running = 0
  /// Requests that wait in front of the full queue.
  var overflow = 0
  /// Requests that are to be sent again later.
  var backingOff: Set<RequestID> = []
  private(set) var waiting = 0
  /// The waiting requests in order; stale places stay until they reach the top.
  private var places = Heap<Place>()

  private var probation = Probation.over

  /// No started request of the lane runs out of time before this.
  private var earliestGivingUp = Moment.distantFuture
  /// No request that was never started has a shorter budget than this.
  private var shortestBudget = Moment.distantFuture - .zero

  init(name: Lane, generation: UInt64) {
    self.name = name
    self.generation = generation
  }

  /// A request's place in its lane; stale once the entry is gone, runs, or has another key.
  struct Place: Comparable, Sendable {
    var key: OrderKey
    var id: RequestID

    static func < (one: Place, other: Place) -> Bool { one.key < other.key }
    static func == (one: Place, other: Place) -> Bool { one.key == other.key }

    func isCurrent(among requests: [RequestID: QueuedRequest]) -> Bool {
      guard let request = requests[id] else { return false }
      return request.stage == .waiting && request.key == key
    }
  }

  /// After a cool-down, only one request at a time may start, until one of them has ended.
  private enum Probation: Equatable {
    case over
    /// The next request that starts is the probe.
    case withoutProbe
    case probed(by: RequestID)
  }

  var isEmpty: Bool { count == 0 }

  /// The number of its requests, in any state.
  var count: Int { waiting + running + overflow + backingOff.count }

  /// True if the lane keeps nothing that must outlive its requests, except perhaps a cool-down.
  var isForgettable: Bool { isEmpty && limit == nil && bucket == nil }

  /// The earliest moment at which cool-down and pace let another request start.
  var opens: Moment { max(coolingUntil, bucket?.opens ?? .zero) }

  /// True if limit and probation let another request run now.
  func hasSlot(defaultLimit: Int) -> Bool {
    guard running < limit ?? defaultLimit else { return false }
    if case .probed = probation { return false }
    return true
  }

  // MARK: - Waiting requests

  mutating func wait(_ id: RequestID, _ entry: QueuedRequest) {
    waiting += 1
    places.insert(Place(key: entry.key, id: id))
    notePatience(of: entry)
  }

  /// Adds another place for a waiting request, whose old one is stale now.
  mutating func reorder(_ id: RequestID, key: OrderKey) {
    places.insert(Place(key: key, id: id))
  }

  /// Removes a waiting request; its place stays in the heap for now.
  mutating func stopWaiting() { waiting -= 1 }

  /// The first place, perhaps a stale one.
  var firstPlace: Place? { places.min }

  mutating func dropFirstPlace() { places.removeMin() }

  /// Moves the first waiting request into a slot.
  mutating func startFirst(at now: Moment) -> RequestID? {
    guard let first = places.popMin() else { return nil }
    waiting -= 1
    running += 1
    bucket?.take(at: now)
    if probation != .over { probation = .probed(by: first.id) }
    return first.id
  }

  /// Moves a request into a slot that it need not wait for.
  mutating func startBeyondLimit(at now: Moment) {
    running += 1
    bucket?.take(at: now)
  }

  /// The number of places, stale ones included.
  var footprint: Int { places.count }

  /// Drops the stale places if they outnumber the others, which costs O(1) for each.
  mutating func compact(_ requests: [RequestID: QueuedRequest]) {
    guard places.count > 2 * waiting + 64 else { return }
    places = Heap(places.unordered.filter { $0.isCurrent(among: requests) })
  }

  /// The requests that have a place, in no order; some of them may not wait any more.
  var placedRequests: [RequestID] { places.unordered.map(\.id) }

  /// Forgets all requests and keeps the limits and the cool-down.
  mutating func removeAll() {
    (running, overflow, waiting) = (0, 0, 0)
    places = Heap()
    backingOff = []
    probation = .over
    readyKey = nil
    forgetPatience()
  }

  // MARK: - Probation after a cool-down

  mutating func coolDown(until moment: Moment) {
    coolingUntil = moment
    probation = isEmpty ? .over : .withoutProbe
  }

  mutating func endCoolDown(at now: Moment) {
    coolingUntil = now
    probation = .over
  }

  func isProbe(_ id: RequestID) -> Bool { probation == .probed(by: id) }

  /// Stays on probation without this probe, which is to be sent again: the next request probes.
  mutating func replaceProbe(_ id: RequestID) {
    if isProbe(id) { probation = .withoutProbe }
  }

  /// Ends the probation if this was the probe, or if there is nothing left to probe with.
  mutating func endProbation(after id: RequestID) {
    if isProbe(id) || isEmpty { probation = .over }
  }

  // MARK: - How long requests can wait

  mutating func notePatience(of entry: QueuedRequest) {
    if let firstStart = entry.firstStart {
      earliestGivingUp = min(earliestGivingUp, firstStart + entry.budget)
    } else {
      shortestBudget = min(shortestBudget, entry.budget)
    }
  }

  mutating func forgetPatience() {
    earliestGivingUp = .distantFuture
    shortestBudget = Moment.distantFuture - .zero
  }

  /// True if a cool-down until a moment might outlast one of the requests.
  func mayLoseRequests(coolingUntil moment: Moment, now: Moment) -> Bool {
    moment > earliestGivingUp || moment > now + shortestBudget
  }
}
