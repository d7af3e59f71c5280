/// The token bucket of one lane, kept as the moment at which it would be full again.
///
/// Equal to counting tokens (it is the generic cell rate algorithm, ITU-T I.371), but exact in
/// whole nanoseconds and without a tick.
struct PaceGate: Sendable {
  private let step: Int64
  private let depth: Int64
  private var full: Moment

  init(_ pace: Pace, now: Moment) {
    let requests = Int64(max(1, pace.requests))
    step = max(0, pace.interval.wholeNanoseconds) / requests
    depth = step * (requests - 1)
    full = now
  }

  /// The first moment at which another request may start.
  var opens: Moment { full + .nanoseconds(-depth) }

  /// Takes one token.
  mutating func pass(at now: Moment) {
    full = max(full, now) + .nanoseconds(step)
  }

  /// Puts one token back.
  mutating func refund() { full = Moment(nanoseconds: full.nanoseconds - step) }
}
