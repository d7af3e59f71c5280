internal import PostHistory
internal import Synchronization

/// The history of a run that reads nothing from it: another thread opens it while the networks are asked, and
/// writes to it while the posts are merged and printed.
final class WriteOnlyHistory: Sendable {
  private let path: String
  /// The wait for other processes.
  private let wait: LockWait
  private let surroundings: Surroundings
  /// The file that another thread opens.
  private let opening = Mutex<OpeningHistory?>(nil)
  private let store = Mutex<(any HistoryStore)?>(nil)

  init(at path: String, wait: LockWait, in surroundings: Surroundings) {
    (self.path, self.wait, self.surroundings) = (path, wait, surroundings)
  }

  /// True if machines share it.
  var isShared: Bool { HistorySettings.isShared(path) }

  /// Begins to open a file on another thread.
  func prepare() {
    guard !isShared else { return }
    let begun = OpeningHistory(at: path, wait: wait)
    opening.withLock { $0 = begun }
  }

  /// Begins to write a run on another thread, where the file is being opened on one.
  func beginWriting(_ batch: @escaping @Sendable () -> RunBatch) {
    opening.withLock { $0 }?.write(batch)
  }

  /// True while another thread writes the run.
  var isBeingWritten: Bool { opening.withLock { $0?.isWriting ?? false } }

  /// Waits until another thread has written the run; returns false if none has begun to.
  func finishWriting() throws(HistoryError) -> Bool {
    guard let opening = opening.withLock({ $0 }), opening.hasBegunWriting else { return false }
    _ = try open()
    if let loss = opening.loss { throw loss }
    return true
  }

  func commit(_ batch: RunBatch) throws(HistoryError) { try open().commit(batch) }

  /// The store that `commit` has opened; nil if it has not.
  var opened: (any HistoryStore)? { store.withLock { $0 } }

  private func open() throws(HistoryError) -> any HistoryStore {
    let opened: any HistoryStore =
      if let opening = opening.withLock({ $0 }) {
        try HistorySettings.take(opening, at: path, in: surroundings)
      } else {
        try HistorySettings.open(path, wait: wait, in: surroundings)
      }
    store.withLock { $0 = opened }
    return opened
  }
}
