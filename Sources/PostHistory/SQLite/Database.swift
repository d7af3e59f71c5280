internal import CSQLite

/// A connection to a database file.
///
/// One thread at a time may use it, with its statements.
final class Database {
  private let pointer: OpaquePointer
  /// SQLite holds a pointer to it.
  private let wait: LockWait
  /// The prepared statements. There are few, and comparing their texts, mostly the same literals, is cheaper
  /// than hashing them.
  private var prepared: [PreparedStatement] = []

  /// Opens a file that exists; an empty one is a database without tables.
  ///
  /// - Parameter wait: The wait for other connections.
  init(at path: String, wait: LockWait) throws(SQLiteError) {
    _ = Self.isConfigured
    var pointer: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX
    let code = unsafe sqlite3_open_v2(path, &pointer, flags, nil)
    guard code == SQLITE_OK, let opened = unsafe pointer else {
      let failure = unsafe Self.failure(code, pointer)
      // A failure leaves a connection, too.
      unsafe sqlite3_close_v2(pointer)
      throw failure
    }
    unsafe self.pointer = opened
    self.wait = wait
    unsafe sqlite3_busy_handler(
      opened, waitForLock, Unmanaged.passUnretained(wait).toOpaque())
    // Before anything uses the index.
    let ready = unsafe csqlite_use_words(opened)
    if ready != SQLITE_OK { throw failure(ready) }
  }

  /// True since the library was set up, which has to come before its first use.
  private static let isConfigured = csqlite_leave_memory_uncounted() == SQLITE_OK

  deinit {
    for statement in prepared { unsafe sqlite3_finalize(statement.pointer) }
    unsafe sqlite3_close_v2(pointer)
  }

  // MARK: Statements

  /// Prepares a statement, or finds it prepared already.
  func prepare(_ sql: String) throws(SQLiteError) -> Statement {
    // Most texts differ in their length, which is known without reading them.
    let length = sql.utf8.count
    let known = prepared.firstIndex {
      !$0.isInUse && $0.sql.utf8.count == length && $0.sql == sql
    }
    let place = if let known { known } else { try add(sql) }
    prepared[place].isInUse = true
    return unsafe Statement(prepared[place].pointer, place: place, of: self)
  }

  private func add(_ sql: String) throws(SQLiteError) -> Int {
    var statement: OpaquePointer?
    let code = unsafe sqlite3_prepare_v3(
      pointer, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
    guard code == SQLITE_OK, let statement = unsafe statement else { throw failure(code) }
    prepared.append(unsafe PreparedStatement(sql: sql, pointer: statement))
    return prepared.count - 1
  }

  /// Keeps a statement for its next use.
  func takeBack(at place: Int) { prepared[place].isInUse = false }

  /// Runs statements without parameters, separated by semicolons.
  func execute(_ sql: String) throws(SQLiteError) {
    let code = unsafe sqlite3_exec(pointer, sql, nil, nil, nil)
    if code != SQLITE_OK { throw failure(code) }
  }

  /// Runs a statement for its effect.
  func run(_ sql: String, _ values: SQLiteValues = [:]) throws(SQLiteError) {
    try prepare(sql).run(values)
  }

  /// Calls `body` with each row of a result until it returns false.
  func each(
    _ sql: String, _ values: SQLiteValues = [:], _ body: (borrowing Row) throws -> Bool
  ) throws {
    try prepare(sql).each(values, body)
  }

  /// Returns what `body` makes of each row of a result.
  func all<Value>(
    _ sql: String, _ values: SQLiteValues = [:], _ body: (borrowing Row) throws -> Value
  ) throws -> [Value] {
    var all: [Value] = []
    try each(sql, values) { row in
      all.append(try body(row))
      return true
    }
    return all
  }

  /// Returns what `body` makes of the first row; nil without one.
  func first<Value>(
    _ sql: String, _ values: SQLiteValues = [:], _ body: (borrowing Row) throws -> Value
  ) throws -> Value? {
    var first: Value?
    try each(sql, values) { row in
      first = try body(row)
      return false
    }
    return first
  }

  /// The number of rows that this connection has changed.
  var changes: Int64 { unsafe sqlite3_total_changes64(pointer) }

  /// The number of the row that was inserted last.
  var lastInsertedNumber: Int64 { unsafe sqlite3_last_insert_rowid(pointer) }

  // MARK: The cache and the log

  /// Bounds the memory for pages.
  func setCache(megabytes: Int) throws(SQLiteError) {
    // A negative number counts thousands of bytes, and not pages.
    try execute("PRAGMA cache_size = -\(megabytes * 1000)")
  }

  /// True if commits and closing leave everything in the write-ahead log, so that they cost no more than
  /// writing it.
  func setLogKept(_ isKept: Bool) throws(SQLiteError) {
    let code = unsafe csqlite_keep_log(pointer, isKept ? 1 : 0)
    if code != SQLITE_OK { throw failure(code) }
    // In pages; 1000 is SQLite's own choice.
    try execute("PRAGMA wal_autocheckpoint = \(isKept ? 0 : 1000)")
  }

  // MARK: Transactions

  /// The locks that a transaction takes when it begins.
  enum TransactionKind: String {
    /// Sees one state of the database; others may write meanwhile.
    case reading = "DEFERRED"
    /// No other writer comes between.
    case writing = "IMMEDIATE"
  }

  /// Runs `body` in a transaction; rolls back if it throws.
  func transaction<Value>(_ kind: TransactionKind, _ body: () throws -> Value) throws -> Value {
    try execute("BEGIN \(kind.rawValue)")
    do {
      let value = try body()
      try execute("COMMIT")
      return value
    } catch {
      // SQLite has ended the transaction by itself after some errors.
      if unsafe sqlite3_get_autocommit(pointer) == 0 { try? execute("ROLLBACK") }
      throw error
    }
  }

  // MARK: Errors

  /// The error for a result code of this connection.
  func failure(_ code: Int32) -> SQLiteError { unsafe Self.failure(code, pointer) }

  private static func failure(_ code: Int32, _ pointer: OpaquePointer?) -> SQLiteError {
    let words = unsafe pointer.map { unsafe String(cString: sqlite3_errmsg($0)) }
    let cause = unsafe pointer.map { unsafe sqlite3_system_errno($0) } ?? 0
    return unsafe SQLiteError(
      code: code, cause: cause, message: words ?? String(cString: sqlite3_errstr(code)))
  }
}

/// A statement that its connection keeps.
@safe
private struct PreparedStatement {
  let sql: String
  let pointer: OpaquePointer
  var isInUse = false

  init(sql: String, pointer: OpaquePointer) {
    self.sql = sql
    unsafe self.pointer = pointer
  }
}

private func waitForLock(_ wait: UnsafeMutableRawPointer?, _ attempts: Int32) -> Int32 {
  guard let wait = unsafe wait else { return 0 }
  return unsafe Unmanaged<LockWait>.fromOpaque(wait).takeUnretainedValue().pause(after: attempts)
    ? 1 : 0
}
