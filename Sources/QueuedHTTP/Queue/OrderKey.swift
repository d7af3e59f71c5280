/// A request's place in the order of starts: the lower, the sooner.
///
/// The key is the moment of arrival plus a penalty for the class, so a request ages by waiting: one
/// of the lowest class is passed only by those that come within the highest penalty
/// (`RequestQueue.Rules.ageing` × 4) after it, however many come later. Nothing starves. Among
/// equals the sequence keeps the order of arrival, and a request that comes back to be sent again
/// still has its old key, so it stands at the front of its class.
struct OrderKey: Hashable, Comparable, Sendable {
  var moment: Moment
  var sequence: UInt64

  init(arrival: Moment, priority: RequestPriority, ageing: Duration, sequence: UInt64) {
    let classesBelowHighest = RequestPriority.veryHigh.rawValue - priority.rawValue
    let (penalty, overflow) = ageing.wholeNanoseconds.multipliedReportingOverflow(
      by: Int64(classesBelowHighest))
    moment = arrival + .nanoseconds(overflow ? (ageing < .zero ? .min : .max) : penalty)
    self.sequence = sequence
  }

  static func < (one: OrderKey, other: OrderKey) -> Bool {
    one.moment == other.moment ? one.sequence < other.sequence : one.moment < other.moment
  }
}
