import Dispatch
import Synchronization

/// Counts under a lock, and beside it.
final class Counter: @unchecked Sendable {
  let locked = Mutex(0)
  // A race on purpose: `race` has four threads add to it without the lock.
  var bare = 0
}

/// Contends for one lock from four threads; with the argument `race` it also races beside the lock, which
/// ThreadSanitizer has to report.
@main
struct PlantedRace {
  static func main() {
    let races = CommandLine.arguments.contains("race")
    let counter = Counter()
    DispatchQueue.concurrentPerform(iterations: 4) { _ in
      for _ in 0..<20_000 {
        counter.locked.withLock { $0 += 1 }
        if races { counter.bare += 1 }
      }
    }
    precondition(counter.locked.withLock { $0 } == 80_000)
  }
}
