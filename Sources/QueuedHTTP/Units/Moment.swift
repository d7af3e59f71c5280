internal import Dispatch
internal import FoundationEssentials

/// A point on the monotonic clock, in nanoseconds from an arbitrary start.
///
/// One machine word, because the queue compares and adds several of them for each request.
package struct Moment: Hashable, Comparable, Sendable {
  package var nanoseconds: Int64

  package init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  package static let zero = Moment(nanoseconds: 0)
  static let distantFuture = Moment(nanoseconds: .max)

  /// The current reading of the clock, for the edges of the client; decisions get the time passed in.
  static var now: Moment {
    Moment(nanoseconds: Int64(truncatingIfNeeded: DispatchTime.now().uptimeNanoseconds))
  }

  package static func < (one: Moment, other: Moment) -> Bool { one.nanoseconds < other.nanoseconds }

  /// Later by a duration; stays within the range.
  package static func + (moment: Moment, duration: Duration) -> Moment {
    let (sum, overflow) = moment.nanoseconds.addingReportingOverflow(duration.wholeNanoseconds)
    guard overflow else { return Moment(nanoseconds: sum) }
    return duration < .zero ? Moment(nanoseconds: .min) : .distantFuture
  }

  package static func - (one: Moment, other: Moment) -> Duration {
    .nanoseconds(one.nanoseconds.subtractingReportingOverflow(other.nanoseconds).partialValue)
  }
}

/// One point in time on both clocks, to convert between dates and moments.
struct Instant: Sendable {
  var moment: Moment
  var date: Date

  func date(of other: Moment) -> Date { date.addingTimeInterval((other - moment).inSeconds) }

  /// The time until a date: zero if it is past, at most ten years.
  func wait(until other: Date) -> Duration {
    Duration(clampingSeconds: other.timeIntervalSince(date))
  }
}

/// The calendar's clock, for waits that a server gives as a date.
enum WallClock {
  static func read() -> Date { Date(timeIntervalSinceNow: 0) }
}

extension Duration {
  /// A duration from zero to ten years: servers send negative and absurd numbers, too.
  init(clampingSeconds seconds: Double) {
    let seconds = seconds > 0 ? min(seconds, 315_360_000) : 0
    self = .nanoseconds(Int64(seconds * 1_000_000_000))
  }

  /// The duration in nanoseconds, clamped to 64 bits (292 years).
  var wholeNanoseconds: Int64 {
    // A billion is 512 times 1,953,125. Up to an hour, that saves the division of 128 bits, which takes
    // ten times as long; every request converts half a dozen durations.
    if self >= .zero, let parts = Int64(exactly: attoseconds >> 9) { return parts / 1_953_125 }
    return Int64(clamping: attoseconds / 1_000_000_000)
  }

  var inSeconds: Double {
    let (seconds, attoseconds) = components
    return Double(seconds) + Double(attoseconds) * 1e-18
  }
}
