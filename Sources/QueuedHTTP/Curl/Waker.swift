internal import CCurl
internal import Synchronization

/// Wakes the worker from any thread: the one call on a multi handle that others may make.
///
/// The lock sees to it that the handle is not freed meanwhile.
final class Waker: Sendable {
  // The address of the multi handle, 0 when there is none.
  private let multi = Mutex<UInt>(0)

  func attach(_ handle: borrowing MultiHandle) {
    let address = unsafe UInt(bitPattern: handle.pointer)
    multi.withLock { $0 = address }
  }

  func detach() {
    multi.withLock { $0 = 0 }
  }

  func wake() {
    multi.withLock { address in
      guard let pointer = unsafe UnsafeMutableRawPointer(bitPattern: address) else { return }
      unsafe curl_multi_wakeup(pointer)
    }
  }
}
