internal import Dispatch
internal import Synchronization

/// A value that another thread makes meanwhile, or whoever needs it before a thread has begun.
package final class Coming<Value: Sendable>: Sendable {
  private let group = DispatchGroup()
  private let state: Mutex<State>

  private enum State {
    case planned(@Sendable () -> Value)
    case making(@Sendable () -> Value)
    /// The closure is gone by then: it may hold this object, which would never be released.
    case made(Value)
  }

  package init(_ make: @escaping @Sendable () -> Value) {
    state = Mutex(.planned(make))
    group.enter()
    DispatchQueue.global().async { [self] in makeUnlessBegun() }
  }

  private func makeUnlessBegun() {
    let make = state.withLock { state -> (@Sendable () -> Value)? in
      guard case .planned(let make) = state else { return nil }
      state = .making(make)
      return make
    }
    guard let make else { return }
    let value = make()
    state.withLock { $0 = .made(value) }
    group.leave()
  }

  /// True once it is there.
  package var isMade: Bool {
    state.withLock { if case .made = $0 { true } else { false } }
  }

  /// Waits for it.
  package var value: Value {
    // All threads may be busy, one of them with this call.
    makeUnlessBegun()
    group.wait()
    switch state.withLock({ $0 }) {
    case .planned(let make), .making(let make): return make()
    case .made(let value): return value
    }
  }
}

extension Array where Element: Sendable {
  /// Returns the transformed elements, in order; parts of the array are transformed on all cores.
  ///
  /// - Parameter length: The number of elements in a part.
  package func mapOnAllCores<Value: Sendable>(
    partsOf length: Int = 64, _ transform: @Sendable (Element) -> Value
  ) -> [Value] {
    let partCount = (count + length - 1) / length
    let parts = Mutex([[Value]](repeating: [], count: partCount))
    DispatchQueue.concurrentPerform(iterations: partCount) { number in
      let part = self[(number * length)..<Swift.min((number + 1) * length, count)].map(transform)
      parts.withLock { $0[number] = part }
    }
    var all: [Value] = []
    all.reserveCapacity(count)
    for part in parts.withLock({ $0 }) { all += part }
    return all
  }
}
