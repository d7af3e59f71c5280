import Dispatch

/// An executor that runs its jobs on a queue, one after another.
final class QueueExecutor: TaskExecutor {
  private let queue: DispatchQueue

  init(_ queue: DispatchQueue) { self.queue = queue }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
  }
}
