internal import Synchronization

/// The requests under way for fresh responses in place of those that the cache served stale.
final class BackgroundRefreshes: Sendable {
  private let keys = Mutex<Set<JoinKey>>([])

  /// Notes that a request begins; false if an equal one is under way.
  func begin(_ key: JoinKey) -> Bool { keys.withLock { $0.insert(key).inserted } }

  func end(_ key: JoinKey) { keys.withLock { _ = $0.remove(key) } }
}
