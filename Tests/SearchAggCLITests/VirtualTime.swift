import Application
import Dispatch
import SearchAggCLI
import Synchronization

/// A clock that stands still while anything is left to do: tasks run on this executor one after the other,
/// and when all of them wait, the clock jumps to the moment at which the first one wakes.
///
/// A test of hours takes as long as its work, and ends in the same way each time. Whatever waits for the
/// real world must not be in it.
final class VirtualTime: TaskExecutor {
  private struct Sleeper {
    let id: Int
    let end: Duration
    let continuation: CheckedContinuation<Void, Never>
  }

  private struct State {
    var now = Duration.zero
    var jobs = 0
    var nextID = 0
    var sleepers: [Sleeper] = []
    /// Sleeps that were canceled before they began.
    var canceled: Set<Int> = []
  }

  private let queue = DispatchQueue(label: "virtual time")
  private let state = Mutex(State())

  /// The time since the beginning.
  var now: Duration { state.withLock { $0.now } }

  var clock: SteadyClock {
    SteadyClock(now: { self.now }, sleep: { await self.sleep($0) })
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    state.withLock { $0.jobs += 1 }
    queue.async { [self] in
      job.runSynchronously(on: asUnownedTaskExecutor())
      let woken = state.withLock { state -> Sleeper? in
        state.jobs -= 1
        guard state.jobs == 0,
          let first = state.sleepers.indices.min(by: {
            (state.sleepers[$0].end, state.sleepers[$0].id)
              < (state.sleepers[$1].end, state.sleepers[$1].id)
          })
        else { return nil }
        let sleeper = state.sleepers.remove(at: first)
        state.now = max(state.now, sleeper.end)
        return sleeper
      }
      woken?.continuation.resume()
    }
  }

  /// Waits until the clock has come so far, or the task is canceled.
  func sleep(_ duration: Duration) async {
    let id = state.withLock { state in
      state.nextID += 1
      return state.nextID
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isCanceled = state.withLock { state in
          if state.canceled.remove(id) != nil { return true }
          state.sleepers.append(
            Sleeper(id: id, end: state.now + duration, continuation: continuation))
          return false
        }
        if isCanceled { continuation.resume() }
      }
    } onCancel: {
      let sleeper = state.withLock { state -> Sleeper? in
        guard let place = state.sleepers.firstIndex(where: { $0.id == id }) else {
          state.canceled.insert(id)
          return nil
        }
        return state.sleepers.remove(at: place)
      }
      sleeper?.continuation.resume()
    }
  }
}
