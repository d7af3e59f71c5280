internal import Glibc

/// A point on the monotonic clock, in nanoseconds from a start that means nothing.
///
/// One machine word, since the queue compares and adds a few of them for each request.
package struct Moment: Hashable, Comparable, Sendable {
  var nanoseconds: Int64

  package init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  static let zero = Moment(nanoseconds: 0)
  static let distantFuture = Moment(nanoseconds: .max)

  /// The clock's reading; only the edges of the client ask for it, decisions get it handed in.
  static var now: Moment {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return Moment(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
  }

  package static func < (one: Moment, other: Moment) -> Bool { one.nanoseconds < other.nanoseconds }

  /// Later by a duration; stays within the range.
  static func + (moment: Moment, duration: Duration) -> Moment {
    let (sum, overflow) = moment.nanoseconds.addingReportingOverflow(duration.wholeNanoseconds)
    guard overflow else { return Moment(nanoseconds: sum) }
    return duration < .zero ? Moment(nanoseconds: .min) : .distantFuture
  }

  static func - (one: Moment, other: Moment) -> Duration {
    .nanoseconds(one.nanoseconds.subtractingReportingOverflow(other.nanoseconds).partialValue)
  }
}

extension Duration {
  /// The duration in nanoseconds, at most what 64 bits hold (292 years).
  var wholeNanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    guard !overflow else { return seconds < 0 ? .min : .max }
    let (sum, carried) = whole.addingReportingOverflow(attoseconds / 1_000_000_000)
    return carried ? (seconds < 0 ? .min : .max) : sum
  }

  /// Seconds as a fraction, for dates.
  var inSeconds: Double {
    let (seconds, attoseconds) = components
    return Double(seconds) + Double(attoseconds) * 1e-18
  }
}
