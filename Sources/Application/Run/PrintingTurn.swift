internal import PostHistory
internal import Synchronization

/// The right to print and remember posts, which processes that print only new ones have one after the other, so
/// that no two of them print the same post.
final class PrintingTurn: Sendable {
  private let store: any HistoryStore
  /// The wait for a process whose reader is slow, as long as for any lock.
  private let wait: LockWait
  /// The right that a run which streams has from its beginning until it has printed everything.
  private let early: Mutex<(any DeliveryLock)?>

  /// - Parameter isEarly: Whether to take the right now, before anything is asked.
  init(in store: any HistoryStore, _ wait: LockWait, isEarly: Bool) throws(CommandFailure) {
    self.store = store
    self.wait = wait
    early = Mutex(isEarly ? try Self.take(from: store, wait, isNeeded: true) : nil)
  }

  /// Returns the right that was taken early, once.
  func takenEarly() -> (any DeliveryLock)? {
    early.withLock { turn in
      defer { turn = nil }
      return turn
    }
  }

  /// Waits for the right; it ends with the value that is returned.
  ///
  /// - Parameter isNeeded: True to throw when the wait is over, instead of printing beside the other.
  /// - Returns: Nil if the history fails.
  func take(isNeeded: Bool) throws(CommandFailure) -> (any DeliveryLock)? {
    try Self.take(from: store, wait, isNeeded: isNeeded)
  }

  private static func take(
    from store: any HistoryStore, _ wait: LockWait, isNeeded: Bool
  ) throws(CommandFailure) -> (any DeliveryLock)? {
    var attempts: Int32 = 0
    while true {
      do throws(HistoryError) {
        if let lock = try store.printingLock() { return lock }
      } catch {
        // The history can be neither read nor written, and that reports the reason.
        return nil
      }
      guard wait.pause(after: attempts) else {
        guard isNeeded else { return nil }
        throw CommandFailure(
          .tryLater,
          "nothing was printed: another run or watch is still printing new posts; try again later")
      }
      attempts += 1
    }
  }
}
