internal import Synchronization

/// Counts requests against quotas in windows that begin with a first request.
final class QuotaMeter: Sendable {
  private struct Window {
    var start: Int
    var used: Int
  }

  private let windows = Mutex<[Quota: Window]>([:])
  private let isEnforced: Bool

  init(isEnforced: Bool) { self.isEnforced = isEnforced }

  /// Counts one request at `now`, in milliseconds since 1970, and returns what is left.
  func count(_ quota: Quota, now: Int) -> QuotaLevel {
    windows.withLock { windows in
      let length = quota.seconds * 1000
      var window = windows[quota] ?? Window(start: now, used: 0)
      if now - window.start >= length { window = Window(start: now, used: 0) }
      window.used += 1
      windows[quota] = window
      // A quota that is not enforced never seems spent: clients rightly stop where none is left.
      let used = isEnforced ? window.used : (window.used - 1) % max(1, quota.limit / 2) + 1
      return QuotaLevel(
        quota: quota, remaining: max(0, quota.limit - used), reset: window.start + length,
        isExceeded: used > quota.limit)
    }
  }
}
