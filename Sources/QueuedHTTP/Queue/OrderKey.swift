/// A request's position in the order of starts: the lower, the sooner.
///
/// The key is the moment of arrival plus a penalty for the priority, so a request ages while it
/// waits: one of the lowest priority is overtaken only by requests that arrive within the highest
/// penalty (`RequestQueue.Rules.ageing` × 4) after it. Nothing starves. Among equals the sequence
/// keeps the order of arrival. A request that is sent again keeps its key, so it is among the first
/// of its priority.
struct OrderKey: Hashable, Comparable, Sendable {
  private let moment: Moment
  private let sequence: UInt64

  init(arrival: Moment, priority: RequestPriority, ageing: Duration, sequence: UInt64) {
    let stepsBelowHighest = RequestPriority.veryHigh.rawValue - priority.rawValue
    let (penalty, overflow) = ageing.wholeNanoseconds.multipliedReportingOverflow(
      by: Int64(stepsBelowHighest))
    moment = arrival + .nanoseconds(overflow ? (ageing < .zero ? .min : .max) : penalty)
    self.sequence = sequence
  }

  static func < (one: OrderKey, other: OrderKey) -> Bool {
    one.moment == other.moment ? one.sequence < other.sequence : one.moment < other.moment
  }
}
