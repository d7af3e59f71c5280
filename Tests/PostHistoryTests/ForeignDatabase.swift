import CSQLite
import Testing

/// A database as another program sees it.
final class ForeignDatabase {
  private var pointer: OpaquePointer?

  init(at path: String) throws { try #require(sqlite3_open(path, &pointer) == SQLITE_OK) }

  deinit { sqlite3_close(pointer) }

  func run(_ sql: String) throws {
    try #require(sqlite3_exec(pointer, sql, nil, nil, nil) == SQLITE_OK)
  }

  /// The numbers in the first column of a result.
  func numbers(_ sql: String) throws -> [Int64] {
    var statement: OpaquePointer?
    try #require(sqlite3_prepare_v2(pointer, sql, -1, &statement, nil) == SQLITE_OK)
    defer { sqlite3_finalize(statement) }
    var numbers: [Int64] = []
    while sqlite3_step(statement) == SQLITE_ROW {
      numbers.append(sqlite3_column_int64(statement, 0))
    }
    return numbers
  }
}
