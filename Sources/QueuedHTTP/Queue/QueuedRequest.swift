/// A request in the queue.
struct QueuedRequest: Sendable {
  enum Stage: Hashable, Sendable {
    case waiting
    /// Waiting in front of a full queue, by `QueueCapacity.wait`.
    case overflow
    case running
    /// Without a slot until it is sent again at this moment.
    case backingOff(until: Moment)
  }

  /// The index of its lane in the `LaneSchedule`.
  var lane: Int
  let arrival: Moment
  let sequence: UInt64
  let budget: Duration
  let queueDeadline: Moment
  /// True if it waits for no slot, because requests that have one wait for it.
  let isUrgent: Bool
  var key: OrderKey
  var stage = Stage.waiting
  private(set) var firstStart: Moment?

  init(
    lane: Int, arrival: Moment, sequence: UInt64, budget: Duration, queueDeadline: Moment,
    isUrgent: Bool, key: OrderKey
  ) {
    (self.lane, self.arrival, self.sequence) = (lane, arrival, sequence)
    (self.budget, self.queueDeadline) = (budget, queueDeadline)
    (self.isUrgent, self.key) = (isUrgent, key)
  }

  /// Gives it a slot.
  mutating func start(at now: Moment) {
    stage = .running
    if firstStart == nil { firstStart = now }
  }

  /// The latest moment at which the request may be started again, seen from `now`.
  ///
  /// A request that never started has its whole budget left: the time in the queue is not its own.
  func givesUp(seenFrom now: Moment) -> Moment { (firstStart ?? now) + budget }

  var waitsForFirstStart: Bool { (stage == .waiting || stage == .overflow) && firstStart == nil }
}
