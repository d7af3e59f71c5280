internal import Synchronization

/// The number of requests of one kind that a network allows per interval.
struct Quota: Sendable, Hashable {
  /// Identifies what is counted together: a network's name, an account, a kind of request.
  let key: String
  let limit: Int
  let seconds: Int
}

/// The remaining part of a quota.
struct QuotaLevel: Sendable, Hashable {
  let quota: Quota
  private(set) var remaining: Int
  /// The time of the reset, in milliseconds since 1970, by the real clock.
  private(set) var reset: Int
  /// True if the current request exceeds the quota.
  let isExceeded: Bool

  /// Uses up the rest.
  mutating func spend(until reset: Int) {
    remaining = 0
    self.reset = reset
  }
}

/// Counts requests against quotas in windows that start with the first request.
final class QuotaMeter: Sendable {
  private struct Window {
    var start: Int
    var used: Int
  }

  private let windows = Mutex<[Quota: Window]>([:])
  private let isEnforced: Bool

  init(isEnforced: Bool) { self.isEnforced = isEnforced }

  /// Counts a request at `now`, in milliseconds since 1970, and returns the remaining quota.
  func count(_ quota: Quota, now: Int) -> QuotaLevel {
    windows.withLock { windows in
      let length = quota.seconds * 1000
      var window = windows[quota] ?? Window(start: now, used: 0)
      if now - window.start >= length { window = Window(start: now, used: 0) }
      window.used += 1
      windows[quota] = window
      // A quota that is not enforced never runs out, since clients stop when it does.
      let used = isEnforced ? window.used : (window.used - 1) % max(1, quota.limit / 2) + 1
      return QuotaLevel(
        quota: quota, remaining: max(0, quota.limit - used), reset: window.start + length,
        isExceeded: used > quota.limit)
    }
  }
}

/// The wait that a client is asked for, measured by the real clock.
struct Wait: Sendable {
  let seconds: Int
  /// In milliseconds since 1970.
  let now: Int

  /// The moment of the end, in milliseconds since 1970.
  var end: Int { now + seconds * 1000 }
  /// The same in whole seconds.
  var endSeconds: Int { end / 1000 }
}
