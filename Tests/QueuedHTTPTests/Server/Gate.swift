import Glibc
import Synchronization

/// Holds server threads back until a test lets them go on.
final class Gate: @unchecked Sendable {
  // Unchecked: the three are used under the lock alone, and freed when nobody holds the gate.
  private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let change = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var passes = 0

  init(passes: Int = 0) {
    pthread_mutex_init(lock, nil)
    pthread_cond_init(change, nil)
    self.passes = passes
  }

  deinit {
    pthread_cond_destroy(change)
    pthread_mutex_destroy(lock)
    lock.deallocate()
    change.deallocate()
  }

  /// Lets so many more through; without a number, all from now on.
  func open(_ count: Int = 1 << 40) {
    pthread_mutex_lock(lock)
    passes += count
    pthread_cond_broadcast(change)
    pthread_mutex_unlock(lock)
  }

  /// How many passes are left.
  var left: Int {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    return passes
  }

  /// Waits for a pass.
  func pass() {
    pthread_mutex_lock(lock)
    while passes == 0 { pthread_cond_wait(change, lock) }
    passes -= 1
    pthread_mutex_unlock(lock)
  }
}
