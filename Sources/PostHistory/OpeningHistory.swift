internal import SearchModel
internal import Synchronization

/// A history that another thread opens while a run asks the networks, and to which it may write the run later.
package final class OpeningHistory: Sendable {
  private let path: String
  private let wait: LockWait
  /// Nil if it could not be opened yet: another process may have had it.
  private let early: Coming<SQLiteHistory?>
  /// The writing of the run.
  private let writing = Mutex<Coming<Result<Written, HistoryError>>?>(nil)

  private struct Written: Sendable {
    let history: SQLiteHistory
    let loss: HistoryError?
  }

  /// - Parameter wait: The wait for other processes.
  package init(at path: String, wait: LockWait) {
    (self.path, self.wait) = (path, wait)
    early = Coming { try? SQLiteHistory(at: path, wait: wait) }
  }

  /// Begins to write a run on another thread.
  package func write(_ batch: @escaping @Sendable () -> RunBatch) {
    let written = Coming { [self] in
      Result { () throws(HistoryError) in
        let history = try open()
        do throws(HistoryError) { try history.commit(batch()) } catch {
          return Written(history: history, loss: error)
        }
        return Written(history: history, loss: nil)
      }
    }
    writing.withLock { $0 = written }
  }

  /// True once another thread has begun to write the run.
  package var hasBegunWriting: Bool { writing.withLock { $0 != nil } }

  /// True while another thread writes the run.
  package var isWriting: Bool { writing.withLock { $0.map { !$0.isMade } ?? false } }

  /// Waits until it is open, and the run is written where that has begun.
  package func opened() throws(HistoryError) -> SQLiteHistory {
    if let writing = writing.withLock({ $0 }) { return try writing.value.get().history }
    return try open()
  }

  /// Waits for the same; returns the error because of which the run was not written.
  package var loss: HistoryError? { writing.withLock { $0 }.flatMap { try? $0.value.get().loss } }

  /// The history that was opened early, unless its file has been removed or replaced since.
  private func open() throws(HistoryError) -> SQLiteHistory {
    if let history = early.value, history.isInPlace { return history }
    return try SQLiteHistory(at: path, wait: wait)
  }
}
