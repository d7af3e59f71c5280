import Synchronization

/// A value that a server's threads change and a test waits for.
final class Watched<Value: Sendable>: Sendable {
  private struct State {
    var value: Value
    var waiters:
      [(isDue: @Sendable (Value) -> Bool, continuation: CheckedContinuation<Void, Never>)] =
        []
  }

  private let state: Mutex<State>

  init(_ value: Value) { state = Mutex(State(value: value)) }

  var value: Value { state.withLock { $0.value } }

  @discardableResult
  func change<Result: Sendable>(_ make: @Sendable (inout Value) -> Result) -> Result {
    let (result, due) = state.withLock { state in
      let result = make(&state.value)
      let value = state.value
      let due = state.waiters.filter { $0.isDue(value) }
      state.waiters.removeAll { $0.isDue(value) }
      return (result, due)
    }
    for waiter in due { waiter.continuation.resume() }
    return result
  }

  /// Returns when the value is as wanted.
  func until(_ isDue: @escaping @Sendable (Value) -> Bool) async {
    await withCheckedContinuation { continuation in
      let isNow = state.withLock { state in
        if isDue(state.value) { return true }
        state.waiters.append((isDue, continuation))
        return false
      }
      if isNow { continuation.resume() }
    }
  }
}
