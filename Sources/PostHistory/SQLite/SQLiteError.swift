internal import CSQLite

/// A failure that SQLite reports.
struct SQLiteError: Error, Hashable {
  /// The failures that callers tell apart.
  enum Reason: Hashable {
    /// The file is not a database, or a damaged one.
    case damaged
    case diskFull
    case readOnly
    /// Another connection holds the lock, and the wait for it has ended.
    case busy
    case other
  }

  let reason: Reason
  /// The message in SQLite's words.
  let message: String

  /// - Parameter code: A result code (https://www.sqlite.org/rescode.html), also an extended one.
  init(code: Int32, message: String) {
    self.message = message
    reason =
      switch code & 0xFF {
      case SQLITE_CORRUPT, SQLITE_NOTADB: .damaged
      case SQLITE_FULL: .diskFull
      case SQLITE_READONLY: .readOnly
      case SQLITE_BUSY: .busy
      case _: .other
      }
  }
}
