internal import PostHistory
internal import SearchModel

/// Decides how long a statement waits for its answer: as long as the server is there.
///
/// A statement may take minutes, so its own time says nothing. A server that answers nothing at all, as one on a
/// machine that stands still, does not answer a ping either.
final class ServerWatch {
  private let interval: Duration
  private let grace: Duration
  private let wait: LockWait
  private let ping: @Sendable () -> Bool
  /// The statement that waits, by its beginning, with the last ping and its moment.
  private var current: (begin: ContinuousClock.Instant, asked: ContinuousClock.Instant)?
  private var answer: Coming<Bool>?
  /// The moment from which nothing was to be waited for.
  private var end: ContinuousClock.Instant?

  /// - Parameters:
  ///   - interval: The time between two pings.
  ///   - grace: The time that statements have once the wait is over.
  ///   - ping: Returns whether the server is there; called on another thread.
  init(
    every interval: Duration, grace: Duration, wait: LockWait, ping: @escaping @Sendable () -> Bool
  ) {
    (self.interval, self.grace, self.wait, self.ping) = (interval, grace, wait, ping)
  }

  /// Returns whether a statement that was sent at a moment waits on.
  func goesOn(since begin: ContinuousClock.Instant) -> Bool {
    let now = ContinuousClock.now
    if wait.isOver {
      let end = end ?? now
      self.end = end
      if now - max(end, begin) >= grace { return false }
    }
    if current?.begin != begin {
      current = (begin, begin)
      answer = nil
    }
    if let answer {
      guard answer.isMade else { return true }
      guard answer.value else { return false }
      self.answer = nil
      current?.asked = now
    } else if let asked = current?.asked, now - asked >= interval {
      answer = Coming { [ping] in ping() }
    }
    return true
  }
}
