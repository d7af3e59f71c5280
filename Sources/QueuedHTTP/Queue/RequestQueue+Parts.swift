internal import HeapModule

extension RequestQueue {
  /// What a queue is made with; limits and paces may change later.
  package struct Rules: Sendable {
    /// Requests that run at once in all.
    var limit: Int
    /// Requests that run at once in a lane that has no limit of its own.
    var laneLimit: Int
    var capacity: QueueCapacity
    /// How much later a request of one class counts than one of the next higher class.
    var ageing: Duration

    package init(
      limit: Int = 16, laneLimit: Int = 4, capacity: QueueCapacity = .unbounded,
      ageing: Duration = .seconds(15)
    ) {
      self.limit = limit
      self.laneLimit = laneLimit
      self.capacity = capacity
      self.ageing = ageing
    }
  }

  /// What the owner has to do.
  package enum Action: Hashable, Sendable {
    case start(RequestID)
    case end(RequestID, Ending)
  }

  /// Why a waiting request ends without being started (again).
  package enum Ending: Hashable, Sendable {
    case queueTimeout
    /// Given up for a newer one, by `QueueCapacity.dropOldest`.
    case dropped
    /// No room, by `QueueCapacity.refuse`.
    case refused
    case coolingDown(until: Moment)
  }

  /// Where a request is.
  enum Stage: Hashable, Sendable {
    case waiting
    /// Stands before a full queue, by `QueueCapacity.wait`.
    case outside
    case running
    /// Has given its slot back and comes again at the moment.
    case sleeping(until: Moment)
  }

  struct Entry: Sendable {
    var lane: Int
    let arrival: Moment
    let sequence: UInt64
    let budget: Duration
    let queueDeadline: Moment
    var key: OrderKey
    var stage = Stage.waiting
    var firstStart: Moment?

    /// The end of the time in which it may be started once more, seen from `now`.
    ///
    /// One that never started has its whole budget left: waiting for a turn is not its fault.
    func givesUp(seenFrom now: Moment) -> Moment { (firstStart ?? now) + budget }
  }

  /// A request's place in its lane; stale when the entry is gone, runs, or has another key.
  struct Place: Comparable, Sendable {
    var key: OrderKey
    var id: RequestID

    static func < (one: Place, other: Place) -> Bool { one.key < other.key }
    static func == (one: Place, other: Place) -> Bool { one.key == other.key }
  }

  /// A lane that could start its first one; stale when the lane has announced another key.
  struct ReadyLane: Comparable, Sendable {
    var key: OrderKey
    var lane: Int

    static func < (one: ReadyLane, other: ReadyLane) -> Bool { one.key < other.key }
    static func == (one: ReadyLane, other: ReadyLane) -> Bool { one.key == other.key }
  }

  struct Alarm<Subject: Sendable>: Comparable, Sendable {
    var moment: Moment
    var subject: Subject

    static func < (one: Self, other: Self) -> Bool { one.moment < other.moment }
    static func == (one: Self, other: Self) -> Bool { one.moment == other.moment }
  }

  /// A lane's place in the table, and which of the lanes that had this place.
  struct LaneStamp: Hashable, Sendable {
    var lane: Int
    var generation: UInt64
  }

  struct LaneState: Sendable {
    let name: Lane
    let generation: UInt64
    var limit: Int?
    var running = 0
    /// The places of its waiting requests, stale ones among them.
    var places = Heap<Place>()
    /// How many of the places are not stale.
    var waiting = 0
    /// How many of its requests stand before the full queue.
    var outside = 0
    var sleepers: Set<RequestID> = []
    var coolingUntil = Moment.zero
    /// Whether one request at a time is started since it cooled down, until one of them has ended.
    var isOnProbation = false
    /// The request that was started on probation.
    var probe: RequestID?
    var gate: PaceGate?
    /// Not later than the first moment at which one of its requests that was started gives up.
    var earliestGivingUp = Moment.distantFuture
    /// Not longer than the shortest budget of its requests that never started.
    var shortestBudget = Moment.distantFuture - .zero
    /// The key under which the lane stands in the heap of those that are ready.
    var announced: OrderKey?
    var alarm: Moment?

    init(name: Lane, generation: UInt64) {
      self.name = name
      self.generation = generation
    }

    /// Goes on without the probe, which is to be sent again; the next request to start is another.
    mutating func forgetProbe(_ id: RequestID) {
      if probe == id { probe = nil }
    }

    /// Ends the probation when its probe has ended, or nothing is left to be tried out with.
    mutating func endProbation(after id: RequestID) {
      guard probe == id || isEmpty else { return }
      isOnProbation = false
      probe = nil
    }

    /// Whether it holds no request.
    var isEmpty: Bool { waiting == 0 && running == 0 && outside == 0 && sleepers.isEmpty }

    /// Whether another request may run now, but for pace and cool-down.
    func hasSlot(within laneLimit: Int) -> Bool {
      running < limit ?? laneLimit && (!isOnProbation || probe == nil)
    }
  }
}
