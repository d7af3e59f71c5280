internal import Dispatch
internal import PostHistory
internal import Synchronization

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
  private var asking: Ping?
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
      asking = nil
    }
    if let asking {
      guard let isThere = asking.isThere else { return true }
      guard isThere else { return false }
      self.asking = nil
      current?.asked = now
    } else if let asked = current?.asked, now - asked >= interval {
      asking = Ping(ping)
    }
    return true
  }
}

/// A ping, for which a thread of its own waits: all others may be waiting for the server.
private final class Ping: Sendable {
  private let answer = Mutex<Bool?>(nil)

  init(_ ping: @escaping @Sendable () -> Bool) {
    DispatchQueue(label: "searchagg.ping").async { [self] in
      let isThere = ping()
      answer.withLock { $0 = isThere }
    }
  }

  /// True if the server answered; nil until the ping has ended.
  var isThere: Bool? { answer.withLock { $0 } }
}
