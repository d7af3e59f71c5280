internal import SearchModel

/// A history that another thread opens meanwhile, and to which it may write a run.
package final class OpeningHistory: Sendable {
  /// True if the other thread writes a run, too.
  package let writes: Bool
  private let coming: Coming<Result<Opened, HistoryError>>

  private struct Opened: Sendable {
    let history: SQLiteHistory
    let loss: HistoryError?
  }

  /// - Parameters:
  ///   - wait: The wait for other processes.
  ///   - batch: Returns the run to write, on the other thread; nil to write nothing.
  package init(at path: String, wait: LockWait, writing batch: (@Sendable () -> RunBatch)? = nil) {
    writes = batch != nil
    coming = Coming {
      Result { () throws(HistoryError) in
        let history = try SQLiteHistory(at: path, wait: wait)
        do throws(HistoryError) {
          if let batch { try history.commit(batch()) }
        } catch {
          return Opened(history: history, loss: error)
        }
        return Opened(history: history, loss: nil)
      }
    }
  }

  /// Waits until it is open, and the run is written.
  package func opened() throws(HistoryError) -> SQLiteHistory { try coming.value.get().history }

  /// Waits for the same; returns the error because of which the run was not written.
  package var loss: HistoryError? { try? coming.value.get().loss }
}
