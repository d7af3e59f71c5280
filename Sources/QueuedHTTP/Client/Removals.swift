internal import Synchronization

/// What is to happen once the worker has ended all transfers that ran at some moment.
///
/// Moments are numbered; the worker acknowledges a number when the sockets are closed. Telling ten
/// thousand waiters comes after that, so that it takes no time away from it.
final class Removals: Sendable {
  private struct State {
    var acknowledged: UInt64 = 0
    var waiting: [(number: UInt64, action: @Sendable () -> Void)] = []
  }

  private let state = Mutex(State())

  /// Calls `action` when the number is acknowledged, at once if it is.
  func after(_ number: UInt64, _ action: @escaping @Sendable () -> Void) {
    let isDone = state.withLock { state in
      guard state.acknowledged < number else { return true }
      state.waiting.append((number, action))
      return false
    }
    if isDone { action() }
  }

  /// Says that all transfers which ran when the number was given are ended.
  func acknowledge(_ number: UInt64) {
    let due = state.withLock { state in
      state.acknowledged = max(state.acknowledged, number)
      let waiting = state.waiting
      state.waiting = waiting.filter { $0.number > number }
      return waiting.filter { $0.number <= number }
    }
    for entry in due { entry.action() }
  }

  /// Says that there is no worker any more, so that nothing waits for one.
  func acknowledgeAll() { acknowledge(.max) }
}
