internal import CCurl
internal import Synchronization

/// Wakes the worker from any thread: the only call on a multi handle that other threads may make.
///
/// Only a worker that sleeps, or is about to, costs a system call. The worker announces its sleep
/// before it looks for work for the last time; others check for sleep after they have added work. So
/// one of the two always sees the other.
final class Waker: Sendable {
  private let isAsleep = Atomic<Bool>(false)
  // The address of the multi handle, or 0; the lock keeps it from being freed during the call.
  private let multi = Mutex<UInt>(0)

  func attach(_ handle: borrowing MultiHandle) {
    let address = unsafe UInt(bitPattern: handle.pointer)
    multi.withLock { $0 = address }
  }

  func detach() {
    multi.withLock { $0 = 0 }
  }

  /// Called by the worker before it looks for work for the last time.
  func prepareToSleep() { isAsleep.store(true, ordering: .sequentiallyConsistent) }

  /// Called by the worker when it continues.
  func endSleep() { isAsleep.store(false, ordering: .relaxed) }

  /// Makes the worker look for work, which must have been added before.
  func wake() {
    guard isAsleep.exchange(false, ordering: .sequentiallyConsistent) else { return }
    multi.withLock { address in
      guard let pointer = unsafe UnsafeMutableRawPointer(bitPattern: address) else { return }
      unsafe curl_multi_wakeup(pointer)
    }
  }
}
