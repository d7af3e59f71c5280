internal import CPostgres

/// The result of a statement, freed when its owner ends, so that no way out of a function can leak it.
@safe
struct PostgresResult: ~Copyable {
  private let library: PostgresLibrary
  private let pointer: OpaquePointer

  /// Takes over what libpq returned.
  init(_ pointer: OpaquePointer, _ library: PostgresLibrary) {
    self.library = library
    unsafe self.pointer = pointer
  }

  deinit { unsafe library.functions.pointee.clear(pointer) }

  /// True if the statement succeeded.
  var isSuccess: Bool {
    let status = unsafe library.functions.pointee.resultStatus(pointer)
    return [CPOSTGRES_COMMAND_OK, CPOSTGRES_TUPLES_OK].contains(Int(status))
  }

  /// The SQLSTATE of an error; nil where libpq itself reports it.
  var errorCode: String? {
    unsafe library.functions.pointee.resultErrorField(pointer, Int32(CPOSTGRES_SQLSTATE))
      .map { unsafe String(cString: $0) }
  }

  var errorMessage: String? {
    unsafe library.functions.pointee.resultErrorMessage(pointer).map { unsafe String(cString: $0) }
  }

  /// The number of rows.
  var count: Int { Int(unsafe library.functions.pointee.ntuples(pointer)) }

  /// Calls `body` with each row until it returns false; returns true if it never did.
  @discardableResult
  func each(_ body: (borrowing PostgresRow) throws -> Bool) rethrows -> Bool {
    for row in 0..<count {
      guard try body(unsafe PostgresRow(pointer, Int32(row), library)) else { return false }
    }
    return true
  }
}
