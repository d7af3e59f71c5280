internal import Glibc

/// A clock for intervals: it is never set, and keeps running while the machine sleeps.
package struct SteadyClock: Sendable {
  /// The time since some moment in the past.
  package var now: @Sendable () -> Duration
  /// Waits for about this long; less when the task is canceled.
  package var sleep: @Sendable (Duration) async -> Void

  package init(
    now: @escaping @Sendable () -> Duration,
    sleep: @escaping @Sendable (Duration) async -> Void
  ) {
    self.now = now
    self.sleep = sleep
  }

  /// The clock of this machine.
  package static let live = SteadyClock(
    now: {
      var time = timespec()
      clock_gettime(CLOCK_BOOTTIME, &time)
      return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
    },
    sleep: { duration in
      // A canceled sleep is the end that its caller looks for.
      try? await Task.sleep(for: duration)
    })
}
