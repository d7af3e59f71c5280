internal import CSQLite
internal import Glibc

/// A row of a result, whose columns are read by their names. Valid until the next row.
@safe
struct Row: ~Copyable {
  private let pointer: OpaquePointer

  init(_ pointer: OpaquePointer) { unsafe self.pointer = pointer }

  /// The whole number in a column; 0 for NULL.
  func integer(_ name: StaticString) throws(SQLiteError) -> Int64 {
    unsafe sqlite3_column_int64(pointer, try index(of: name))
  }

  func optionalInteger(_ name: StaticString) throws(SQLiteError) -> Int64? {
    let index = try index(of: name)
    return unsafe sqlite3_column_type(pointer, index) == SQLITE_NULL
      ? nil : sqlite3_column_int64(pointer, index)
  }

  func bool(_ name: StaticString) throws(SQLiteError) -> Bool { try integer(name) != 0 }

  /// The text in a column; empty for NULL.
  func text(_ name: StaticString) throws(SQLiteError) -> String {
    String(decoding: try bytes(name), as: UTF8.self)
  }

  func optionalText(_ name: StaticString) throws(SQLiteError) -> String? {
    let index = try index(of: name)
    return unsafe sqlite3_column_type(pointer, index) == SQLITE_NULL ? nil : try text(name)
  }

  /// The bytes in a column, also those of a text; none for NULL.
  func bytes(_ name: StaticString) throws(SQLiteError) -> [UInt8] {
    let index = try index(of: name)
    guard let start = unsafe sqlite3_column_blob(pointer, index) else { return [] }
    return unsafe Array(
      UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(pointer, index))))
  }

  /// True if a column holds exactly these bytes.
  func holds(_ bytes: [UInt8], in name: StaticString) throws(SQLiteError) -> Bool {
    let index = try index(of: name)
    guard unsafe Int(sqlite3_column_bytes(pointer, index)) == bytes.count else { return false }
    guard let start = unsafe sqlite3_column_blob(pointer, index) else { return true }
    return unsafe bytes.withUnsafeBytes { buffer in
      unsafe buffer.baseAddress.map { unsafe memcmp(start, $0, bytes.count) == 0 } ?? true
    }
  }

  /// SQLite finds columns by number only.
  private func index(of name: StaticString) throws(SQLiteError) -> Int32 {
    let count = unsafe sqlite3_column_count(pointer)
    for index in 0..<count where unsafe isSame(name, sqlite3_column_name(pointer, index)) {
      return index
    }
    throw SQLiteError(code: SQLITE_RANGE, message: "no column '\(name)' in the result")
  }

  private func isSame(_ wanted: StaticString, _ found: UnsafePointer<CChar>?) -> Bool {
    guard let found = unsafe found else { return false }
    // The text of a static string ends with a zero.
    return unsafe strcmp(
      found, UnsafeRawPointer(wanted.utf8Start).assumingMemoryBound(to: CChar.self))
      == 0
  }
}
