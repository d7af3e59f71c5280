internal import Dispatch

/// Where the closures of an operation are called and released.
enum CallbackPlace: Sendable {
  case queue(DispatchQueue)
  case executor(any TaskExecutor)

  /// Has a piece of work done there, after what was handed over before where the place keeps order.
  func run(_ work: @escaping @Sendable () -> Void) {
    switch self {
    case .queue(let queue): queue.async(execute: work)
    // A task is the only piece of work that an executor takes.
    case .executor(let executor): Task(executorPreference: executor) { work() }
    }
  }
}
