internal import Synchronization

/// Runs actions once the worker has ended all transfers that ran at some moment.
///
/// Each such moment has a number; the worker acknowledges it when the sockets are closed. Only then
/// are ten thousand waiters informed, so that this takes no time away from the worker.
final class CancellationBarrier: Sendable {
  private struct State {
    var acknowledged: UInt64 = 0
    var waiting: [(number: UInt64, action: @Sendable () -> Void)] = []
  }

  private let state = Mutex(State())

  /// Calls `action` when the number is acknowledged, or at once if it already is.
  func after(_ number: UInt64, _ action: @escaping @Sendable () -> Void) {
    let isDone = state.withLock { state in
      guard state.acknowledged < number else { return true }
      state.waiting.append((number, action))
      return false
    }
    if isDone { action() }
  }

  /// Notes that all transfers have ended that ran when the number was given.
  func acknowledge(_ number: UInt64) {
    let due = state.withLock { state in
      state.acknowledged = max(state.acknowledged, number)
      let waiting = state.waiting
      state.waiting = waiting.filter { $0.number > number }
      return waiting.filter { $0.number <= number }
    }
    for entry in due { entry.action() }
  }

  /// Notes that there is no worker any more, so that nothing waits for one.
  func acknowledgeAll() { acknowledge(.max) }
}
