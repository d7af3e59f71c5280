internal import Synchronization

/// A value that one operation at a time provides for everybody who waits for it.
///
/// Whoever is canceled stops waiting at once. The operation is canceled when nobody waits any more.
final class SharedRefresh<Value: Sendable>: Sendable {
  /// A value, and how many there were up to and including this one.
  struct Issue: Sendable {
    let value: Value
    let number: UInt64
  }

  private typealias Waiter = CheckedContinuation<Result<Issue, any Error>, Never>

  private struct Run {
    let number: UInt64
    var task: Task<Void, Never>?
  }

  private struct State {
    var current: Issue?
    /// The last value, even if it is not used any more.
    var last: Value?
    var issues: UInt64 = 0
    var run: Run?
    var runs: UInt64 = 0
    var waiters: [UInt64: Waiter] = [:]
    var waits: UInt64 = 0

    /// Removes the operation and everybody who waits for it.
    mutating func takeWaiters() -> [Waiter] {
      run = nil
      defer { waiters = [:] }
      return Array(waiters.values)
    }
  }

  private enum Step {
    case have(Issue)
    case wait
    case begin(run: UInt64, last: Value?)
  }

  private let state: Mutex<State>
  private let provide: @Sendable (Value?) async throws -> Value

  /// - Parameters:
  ///   - value: The value to begin with; nil means that the first who needs one waits for it.
  ///   - provide: Returns a new value; called with the last one.
  init(_ value: Value?, _ provide: @escaping @Sendable (Value?) async throws -> Value) {
    var state = State()
    if let value {
      state.issues = 1
      state.last = value
      state.current = Issue(value: value, number: 1)
    }
    self.state = Mutex(state)
    self.provide = provide
  }

  /// The number of those who wait for a new value.
  var waiting: Int { state.withLock { $0.waiters.count } }

  /// Returns the current value if it is good, or else a new one.
  ///
  /// Waits if a new one is on its way. Throws the error of the operation, or `CancellationError` if the
  /// task is canceled.
  func value(if isGood: (Issue) -> Bool) async throws -> Issue {
    // Asked outside the lock, because it is the caller's code.
    let known = state.withLock { $0.run == nil ? $0.current : nil }
    if let known, isGood(known) { return known }
    // Whoever does not wait for it must not begin it, either.
    try Task.checkCancellation()
    let wait = state.withLock { state in
      state.waits += 1
      return state.waits
    }
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { waiter in
        join(waiter, as: wait, notWith: known?.number)
        // The handler may have run before there was anything to remove.
        if Task.isCancelled { leave(wait) }
      }
    } onCancel: {
      leave(wait)
    }
    return try result.get()
  }

  private func join(_ waiter: Waiter, as wait: UInt64, notWith rejected: UInt64?) {
    let step = state.withLock { state -> Step in
      // Somebody else may have got a new one in the meantime.
      if state.run == nil, let current = state.current, current.number != rejected {
        return .have(current)
      }
      state.waiters[wait] = waiter
      guard state.run == nil else { return .wait }
      state.runs += 1
      state.run = Run(number: state.runs)
      state.current = nil
      return .begin(run: state.runs, last: state.last)
    }
    switch step {
    case .have(let issue): waiter.resume(returning: .success(issue))
    case .wait: break
    case .begin(let run, let last): begin(run, last)
    }
  }

  private func begin(_ run: UInt64, _ last: Value?) {
    // Not a child of the task that was first: it goes on as long as others wait. `leave` cancels it.
    let task = Task { [self] in
      do {
        end(run, .success(try await provide(last)))
      } catch {
        end(run, .failure(error))
      }
    }
    let isWanted = state.withLock { state in
      guard state.run?.number == run else { return false }
      state.run?.task = task
      return true
    }
    if !isWanted { task.cancel() }
  }

  private func end(_ run: UInt64, _ result: Result<Value, any Error>) {
    let (issue, waiters) = state.withLock { state -> (Result<Issue, any Error>?, [Waiter]) in
      // One that nobody waits for any more provides nothing.
      guard state.run?.number == run else { return (nil, []) }
      let issue = result.map { value in
        state.issues += 1
        return Issue(value: value, number: state.issues)
      }
      if case .success(let issue) = issue { (state.current, state.last) = (issue, issue.value) }
      return (issue, state.takeWaiters())
    }
    guard let issue else { return }
    for waiter in waiters { waiter.resume(returning: issue) }
  }

  private func leave(_ wait: UInt64) {
    let (waiter, task) = state.withLock { state -> (Waiter?, Task<Void, Never>?) in
      guard let waiter = state.waiters.removeValue(forKey: wait) else { return (nil, nil) }
      guard state.waiters.isEmpty else { return (waiter, nil) }
      let task = state.run?.task
      state.run = nil
      return (waiter, task)
    }
    task?.cancel()
    waiter?.resume(returning: .failure(CancellationError()))
  }
}
