internal import DequeModule
internal import Dispatch
internal import Synchronization

/// Runs task jobs on the client's worker thread, between two rounds of libcurl.
///
/// After the worker has ended, jobs run on a global queue, so that no task hangs.
final class WorkerExecutor: TaskExecutor {
  private struct State {
    var jobs: Deque<UnownedJob> = []
    var isClosed = false
  }

  private let state = Mutex(State())
  private let waker: Waker

  init(waker: Waker) { self.waker = waker }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let isTaken = state.withLock { state in
      if !state.isClosed { state.jobs.append(job) }
      return !state.isClosed
    }
    if isTaken { waker.wake() } else { runElsewhere(job) }
  }

  private func runElsewhere(_ job: UnownedJob) {
    DispatchQueue.global().async { [self] in
      unsafe job.runSynchronously(on: asUnownedTaskExecutor())
    }
  }

  /// True if there are waiting jobs.
  var hasJobs: Bool { state.withLock { !$0.jobs.isEmpty } }

  /// Runs the waiting jobs, but not those that they add; returns whether there were any.
  func runWaiting() -> Bool {
    let jobs = state.withLock { state in
      let jobs = state.jobs
      state.jobs.removeAll(keepingCapacity: true)
      return jobs
    }
    for job in jobs { unsafe job.runSynchronously(on: asUnownedTaskExecutor()) }
    return !jobs.isEmpty
  }

  /// Moves waiting and future jobs to a global queue; called when the worker ends.
  func close() {
    let jobs = state.withLock { state in
      state.isClosed = true
      let jobs = state.jobs
      state.jobs = []
      return jobs
    }
    for job in jobs { runElsewhere(job) }
  }
}
