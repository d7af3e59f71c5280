internal import SearchModel

/// A history that another thread opens meanwhile.
package final class OpeningHistory: Sendable {
  private let history: Coming<Result<SQLiteHistory, HistoryError>>

  /// - Parameter wait: The wait for other processes.
  package init(at path: String, wait: LockWait) {
    history = Coming {
      Result { () throws(HistoryError) in try SQLiteHistory(at: path, wait: wait) }
    }
  }

  /// Waits until it is open.
  package func opened() throws(HistoryError) -> SQLiteHistory { try history.value.get() }
}
