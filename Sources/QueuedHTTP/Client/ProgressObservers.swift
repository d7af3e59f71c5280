internal import Synchronization

/// Those who follow a client's progress as a whole.
final class ProgressObservers: Sendable {
  private struct State {
    var observers: [UInt64: AsyncStream<ClientProgress>.Continuation] = [:]
    var made: UInt64 = 0
    var isOver = false
  }

  private let state = Mutex(State())
  private let isObserved = Atomic<Bool>(false)

  /// A stream that begins with `current`, and keeps only the newest where nobody takes them.
  func observe(_ current: @escaping @Sendable () -> ClientProgress) -> AsyncStream<ClientProgress> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: ClientProgress.self, bufferingPolicy: .bufferingNewest(1))
    let id = state.withLock { state -> UInt64? in
      guard !state.isOver else { return nil }
      state.made += 1
      state.observers[state.made] = continuation
      isObserved.store(true, ordering: .releasing)
      return state.made
    }
    guard let id else {
      continuation.yield(current())
      continuation.finish()
      return stream
    }
    continuation.onTermination = { [self] _ in forget(id) }
    update(current)
    return stream
  }

  /// Tells all how far it is.
  func update(_ current: () -> ClientProgress) {
    guard isObserved.load(ordering: .acquiring) else { return }
    // Read and told in the lock, so that no older state comes after a newer one. It guards nothing
    // else, and whoever is resumed by it runs elsewhere.
    state.withLock { state in
      let progress = current()
      for observer in state.observers.values { observer.yield(progress) }
    }
  }

  /// Tells all how it ended.
  func end(_ current: () -> ClientProgress) {
    let observers = state.withLock { state in
      state.isOver = true
      isObserved.store(false, ordering: .releasing)
      defer { state.observers = [:] }
      return state.observers
    }
    let progress = current()
    for observer in observers.values {
      observer.yield(progress)
      observer.finish()
    }
  }

  private func forget(_ id: UInt64) {
    state.withLock { state in
      state.observers[id] = nil
      if state.observers.isEmpty { isObserved.store(false, ordering: .releasing) }
    }
  }
}
