internal import Synchronization

/// The tasks in which a client's interceptor works, at most one for each request.
final class InterceptionTasks: Sendable {
  private let tasks = Mutex<[RequestID: Task<Void, Never>]>([:])

  /// Runs work for a request in a task of its own, whose executor is not the worker thread.
  func run(_ id: RequestID, _ work: @escaping @Sendable () async -> Void) {
    tasks.withLock { tasks in
      // Nobody awaits it: the request ends by itself. Inside the lock, so that its end finds it.
      tasks[id] = Task.detached { await work() }
    }
  }

  /// Forgets the task of a request, which is about to end.
  func end(_ id: RequestID) { tasks.withLock { $0[id] = nil } }

  /// Cancels the task of a request, if there is one.
  func cancel(_ id: RequestID) { tasks.withLock { $0.removeValue(forKey: id) }?.cancel() }
}

/// An attempt that the interceptor changes before it is sent.
struct Adaptation: Sendable {
  let ticket: Ticket
  let leg: Leg
  let repeats: Int
}
