internal import Dispatch

/// One thread of the simulator's own: tests that block the shared ones cannot stop it.
///
/// One, because FlyingSocks resumes a waiting task before it takes the descriptor off epoll: on
/// another thread the task could close it first, and the next connection of that number would hang.
final class SimulatorExecutor: TaskExecutor {
  private let queue = DispatchQueue(label: "searchagg-sim")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
