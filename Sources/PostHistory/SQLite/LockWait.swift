internal import Glibc
internal import Synchronization

/// The wait for other processes that use the same database. Another thread can end it.
package final class LockWait: Sendable {
  /// The attempts that are made in any case: about 50 ms.
  private static let grace = 10

  /// The longest single wait where nothing speaks for another one.
  package static let usual = Duration.seconds(30)

  /// The longest single wait.
  package let longest: Duration
  private let deadline: ContinuousClock.Instant?
  private let hasEnded = Atomic(false)
  private let beginning = Mutex(ContinuousClock.now)

  /// - Parameters:
  ///   - longest: The longest single wait.
  ///   - deadline: The moment from which nothing waits any more; nil for none.
  package init(longest: Duration = LockWait.usual, until deadline: ContinuousClock.Instant? = nil) {
    self.longest = longest
    self.deadline = deadline
  }

  /// Ends the present wait, and all later ones, but for the moment that another run's commit takes.
  package func end() { hasEnded.store(true, ordering: .relaxed) }

  /// True if nothing is to be waited for any more.
  package var isOver: Bool {
    hasEnded.load(ordering: .relaxed) || deadline.map { ContinuousClock.now >= $0 } ?? false
  }

  /// Waits a moment; returns false when the wait is over.
  ///
  /// - Parameter attempts: The number of earlier moments of the same wait.
  package func pause(after attempts: Int32) -> Bool {
    let now = ContinuousClock.now
    let beginning = beginning.withLock { beginning in
      if attempts == 0 { beginning = now }
      return beginning
    }
    if now - beginning >= longest || isOver && attempts >= Self.grace { return false }
    // In microseconds; short enough that nobody notices the rest of one when a wait is ended.
    usleep(UInt32(min(1000 * (Int(attempts) + 1), 20_000)))
    return true
  }

  /// Waits some moments, and counts them; returns false when the wait is over.
  package func pause(moments count: Int, after moments: inout Int32) -> Bool {
    for _ in 0..<count {
      guard pause(after: moments) else { return false }
      moments += 1
    }
    return true
  }
}
