internal import CSQLite
internal import Glibc

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

  /// - Parameters:
  ///   - code: A result code (https://www.sqlite.org/rescode.html), also an extended one.
  ///   - cause: The error of the system that led to it; 0 for none.
  init(code: Int32, cause: Int32 = 0, message: String) {
    self.message = message
    reason =
      switch code & 0xFF {
      case SQLITE_CORRUPT, SQLITE_NOTADB: .damaged
      case SQLITE_FULL: .diskFull
      // The files beside the database could not grow.
      case SQLITE_IOERR where [ENOSPC, EDQUOT].contains(cause): .diskFull
      case SQLITE_READONLY: .readOnly
      case SQLITE_BUSY: .busy
      default: .other
      }
  }
}
