internal import GRDB
internal import GRDBSQLite

/// A prepared statement that runs for every post of a run.
///
/// Values are bound and read with SQLite's own functions: passing them through arrays of database values
/// takes GRDB longer than the statement itself. All results are whole numbers.
struct RepeatedStatement {
  /// A value for one of the question marks.
  enum Value {
    case integer(Int64?)
    case text(String)
  }

  /// The columns of a result row.
  @safe
  struct Row {
    fileprivate let pointer: OpaquePointer

    /// The whole number in a column; nil for null.
    subscript(column: Int32) -> Int64? {
      unsafe sqlite3_column_type(pointer, column) == SQLITE_NULL
        ? nil : sqlite3_column_int64(pointer, column)
    }
  }

  private let statement: Statement
  private let database: Database

  init(_ sql: String, in database: Database) throws {
    statement = try database.cachedStatement(sql: sql)
    self.database = database
  }

  /// Runs it to its end, and passes each row on.
  func run(_ values: Value..., row: (Row) -> Void = { _ in }) throws {
    try run(values, row: row)
  }

  private func run(_ values: [Value], row: (Row) -> Void) throws {
    let pointer = unsafe statement.sqliteStatement
    defer { unsafe sqlite3_reset(pointer) }
    for (index, value) in values.enumerated() { try bind(value, to: Int32(index + 1)) }
    while true {
      switch unsafe sqlite3_step(pointer) {
      case SQLITE_ROW: row(unsafe Row(pointer: pointer))
      case SQLITE_DONE: return
      case let code: throw failure(code)
      }
    }
  }

  /// The first column of the last row; nil without one.
  func number(_ values: Value...) throws -> Int64? {
    var number: Int64?
    try run(values) { number = $0[0] }
    return number
  }

  private func bind(_ value: Value, to index: Int32) throws {
    let pointer = unsafe statement.sqliteStatement
    let code =
      switch value {
      case .integer(let number?): unsafe sqlite3_bind_int64(pointer, index, number)
      case .integer(nil): unsafe sqlite3_bind_null(pointer, index)
      case .text(let text):
        text.withCString { start in
          unsafe sqlite3_bind_text(
            pointer, index, start, Int32(clamping: text.utf8.count), Self.copying)
        }
      }
    if code != SQLITE_OK { throw failure(code) }
  }

  private func failure(_ code: Int32) -> DatabaseError {
    DatabaseError(
      resultCode: ResultCode(rawValue: code), message: database.lastErrorMessage,
      sql: statement.sql)
  }

  /// SQLITE_TRANSIENT: SQLite makes a copy of a text at once.
  private static let copying = unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self)
}
