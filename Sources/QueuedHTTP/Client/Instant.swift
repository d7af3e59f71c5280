internal import FoundationEssentials

/// One moment on both clocks, so that dates and moments can be turned into each other.
struct Instant: Sendable {
  var moment: Moment
  var date: Date

  func date(of other: Moment) -> Date { date.addingTimeInterval((other - moment).inSeconds) }

  /// How long it is until a date: nothing if it is past, at most ten years.
  func wait(until other: Date) -> Duration {
    RetryRules.clamped(seconds: other.timeIntervalSince(date))
  }
}
