internal import CSQLite

/// A prepared statement, in use by one caller until the value ends.
@safe
struct Statement: ~Copyable {
  private let database: Database
  /// Its place among those of the database.
  private let place: Int
  private let pointer: OpaquePointer

  init(_ pointer: OpaquePointer, place: Int, of database: Database) {
    unsafe self.pointer = pointer
    self.place = place
    self.database = database
  }

  deinit { database.takeBack(at: place) }

  /// Runs it, and calls `body` with each row of the result until it returns false.
  func each(
    _ values: SQLiteValues, _ body: (borrowing Row) throws -> Bool
  ) throws {
    for (name, value) in values.all { try bind(value, to: name) }
    defer { unsafe sqlite3_reset(pointer) }
    while try step() {
      guard try body(unsafe Row(pointer)) else { return }
    }
  }

  /// Runs it for its effect.
  func run(_ values: SQLiteValues) throws(SQLiteError) {
    for (name, value) in values.all { try bind(value, to: name) }
    defer { unsafe sqlite3_reset(pointer) }
    while try step() {}
  }

  // MARK: Values by their places

  /// Sets the parameter at a place, counted from 1, to a number; nil is NULL.
  func bind(_ number: Int64?, at place: Int32) throws(SQLiteError) {
    let code =
      if let number {
        unsafe sqlite3_bind_int64(pointer, place, number)
      } else {
        unsafe sqlite3_bind_null(pointer, place)
      }
    if code != SQLITE_OK { throw database.failure(code) }
  }

  /// Sets the parameter at a place to bytes, which must stay where they are until the statement has run.
  func bind(borrowing bytes: UnsafeRawBufferPointer, at place: Int32) throws(SQLiteError) {
    // Without an address even an empty value would be NULL.
    let code = unsafe csqlite_bind_borrowed_bytes(
      pointer, place, bytes.baseAddress ?? UnsafeRawPointer(pointer), UInt64(bytes.count))
    if code != SQLITE_OK { throw database.failure(code) }
  }

  /// Sets the parameter at a place to a text in UTF-8, which must stay where it is until the statement has
  /// run.
  func bind(
    borrowingText text: UnsafeBufferPointer<UInt8>, at place: Int32
  ) throws(SQLiteError) {
    let start = unsafe UnsafeRawPointer(text.baseAddress) ?? UnsafeRawPointer(pointer)
    let code = unsafe csqlite_bind_borrowed_text(
      pointer, place, start.assumingMemoryBound(to: CChar.self), UInt64(text.count))
    if code != SQLITE_OK { throw database.failure(code) }
  }

  /// Runs it for its effect with the values that were set, and forgets them.
  func run() throws(SQLiteError) {
    defer { reset() }
    while try step() {}
  }

  /// Runs it with the values that were set, forgets them, and returns the number in the first column of
  /// the first row; nil without a row, or for NULL.
  func number() throws(SQLiteError) -> Int64? {
    defer { reset() }
    guard try step(), unsafe sqlite3_column_type(pointer, 0) != SQLITE_NULL else { return nil }
    return unsafe sqlite3_column_int64(pointer, 0)
  }

  private func reset() {
    unsafe sqlite3_reset(pointer)
    // What was borrowed may go away.
    unsafe sqlite3_clear_bindings(pointer)
  }

  /// Returns true if there is another row.
  private func step() throws(SQLiteError) -> Bool {
    switch unsafe sqlite3_step(pointer) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let code: throw database.failure(code)
    }
  }

  private func bind(_ value: SQLiteValue, to name: StaticString) throws(SQLiteError) {
    // The text of a static string ends with a zero.
    let name = unsafe UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: CChar.self)
    let index = unsafe sqlite3_bind_parameter_index(pointer, name)
    let code =
      switch value {
      case .integer(let number?): unsafe sqlite3_bind_int64(pointer, index, number)
      case .text(let text?): unsafe Self.bind(text, to: index, of: pointer)
      case .bytes(let bytes?): unsafe Self.bind(bytes, to: index, of: pointer)
      case .integer(nil), .text(nil), .bytes(nil): unsafe sqlite3_bind_null(pointer, index)
      }
    if code != SQLITE_OK { throw database.failure(code) }
  }

  private static func bind(
    _ text: String, to index: Int32, of pointer: OpaquePointer
  ) -> Int32 {
    text.withCString { start in
      unsafe csqlite_bind_text(pointer, index, start, UInt64(text.utf8.count))
    }
  }

  private static func bind(
    _ bytes: [UInt8], to index: Int32, of pointer: OpaquePointer
  ) -> Int32 {
    bytes.withUnsafeBytes { buffer in
      // Without an address even an empty value would be NULL.
      unsafe csqlite_bind_bytes(
        pointer, index, buffer.baseAddress ?? UnsafeRawPointer(pointer), UInt64(buffer.count))
    }
  }
}
