/// A token bucket, stored as the moment at which it would be full again.
///
/// Equivalent to counting tokens (the generic cell rate algorithm, ITU-T I.371), but exact in whole
/// nanoseconds and without a timer.
package struct TokenBucket: Hashable, Sendable {
  private let step: Int64
  private let depth: Int64
  /// The moment at which it is full, if nothing is taken until then.
  package private(set) var full: Moment

  /// - Parameters:
  ///   - size: The most tokens that can be taken at once.
  ///   - step: The time after which there is another token.
  package init(size: Int64, step: Duration, full: Moment) {
    self.step = max(0, step.wholeNanoseconds)
    let (depth, overflow) = self.step.multipliedReportingOverflow(by: max(1, size) - 1)
    self.depth = overflow ? .max : depth
    self.full = full
  }

  /// The bucket of a pace, full.
  init(_ pace: Pace, now: Moment) {
    let requests = Int64(max(1, pace.requests))
    let step = max(0, pace.interval.wholeNanoseconds) / requests
    self.init(size: requests, step: .nanoseconds(step), full: now)
  }

  /// The first moment at which another token is there.
  package var opens: Moment { full + .nanoseconds(-depth) }

  mutating func take(at now: Moment) { full = max(full, now) + .nanoseconds(step) }

  /// Takes several tokens at once, and more than there are if need be.
  package mutating func take(_ count: Int, at now: Moment) {
    full = max(full, now) + .nanoseconds(step) * count
  }

  /// Puts one token back.
  mutating func refund() { full = Moment(nanoseconds: full.nanoseconds - step) }
}
