internal import Synchronization

/// The readers of a client's progress.
final class ProgressObservers: Sendable {
  private struct State {
    var observers: [UInt64: AsyncStream<ClientProgress>.Continuation] = [:]
    var made: UInt64 = 0
    var isOver = false
  }

  private let state = Mutex(State())
  private let isObserved = Atomic<Bool>(false)

  /// A stream that begins with `current` and buffers only the newest state.
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

  /// Sends the current progress to all readers.
  func update(_ current: () -> ClientProgress) {
    guard isObserved.load(ordering: .acquiring) else { return }
    // Inside the lock, so that no older state follows a newer one. The lock guards nothing else, and
    // readers are resumed on other threads.
    state.withLock { state in
      let progress = current()
      for observer in state.observers.values { observer.yield(progress) }
    }
  }

  /// Sends the final progress to all readers.
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
