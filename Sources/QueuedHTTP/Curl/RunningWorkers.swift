internal import Glibc
internal import Synchronization

/// The workers of all clients, which must end before the process does.
///
/// `exit` leaves threads running while it calls the exit handlers of libraries; a thread that is
/// inside libcurl while its TLS library is torn down crashes. Exit handlers run in reverse order, so
/// ours is registered after libcurl was initialized.
enum RunningWorkers {
  private struct State {
    var stops: [UInt64: @Sendable () -> Void] = [:]
    var lastKey: UInt64 = 0
  }

  private static let state = Mutex(State())
  /// The process that the workers belong to: a forked child has the list but none of the threads.
  private static let process = Atomic<pid_t>(0)

  /// Adds a worker.
  ///
  /// - Parameter stop: Makes the worker end.
  /// - Returns: The key to remove it with.
  static func add(_ stop: @escaping @Sendable () -> Void) -> UInt64 {
    state.withLock { state in
      if process.exchange(getpid(), ordering: .sequentiallyConsistent) != getpid() {
        state.stops = [:]
      }
      state.lastKey += 1
      state.stops[state.lastKey] = stop
      return state.lastKey
    }
  }

  static func remove(_ key: UInt64) {
    _ = state.withLock { $0.stops.removeValue(forKey: key) }
  }

  /// Registers the exit handler; returns whether that worked.
  static func endAtExit() -> Bool { atexit { RunningWorkers.endAll() } == 0 }

  private static func endAll() {
    // Before the lock, which another thread may have held when the process was forked.
    guard process.load(ordering: .sequentiallyConsistent) == getpid() else { return }
    for stop in state.withLock({ Array($0.stops.values) }) { stop() }
    // They end within moments. If one does not, the process still ends.
    for _ in 0..<1000 {
      guard !state.withLock({ $0.stops.isEmpty }) else { return }
      usleep(1000)
    }
  }
}
