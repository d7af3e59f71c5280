internal import CPostgres

/// A row of a result, whose columns are read by their names. Valid as long as its result.
@safe
struct PostgresRow: ~Copyable {
  private let result: OpaquePointer
  private let row: Int32
  private let library: PostgresLibrary

  init(_ result: OpaquePointer, _ row: Int32, _ library: PostgresLibrary) {
    unsafe self.result = result
    self.row = row
    self.library = library
  }

  func integer(_ name: StaticString) throws(PostgresError) -> Int64 {
    guard let number = try optionalInteger(name) else { throw Self.unexpected(name) }
    return number
  }

  /// The whole number in a column, of any size; nil for NULL.
  func optionalInteger(_ name: StaticString) throws(PostgresError) -> Int64? {
    guard let bytes = try optionalBytes(name) else { return nil }
    guard (1...8).contains(bytes.count), let first = bytes.first else {
      throw Self.unexpected(name)
    }
    let sign: Int64 = first >= 0x80 ? -1 : 0
    return bytes.reduce(sign) { $0 << 8 | Int64($1) }
  }

  func bool(_ name: StaticString) throws(PostgresError) -> Bool { try integer(name) != 0 }

  func text(_ name: StaticString) throws(PostgresError) -> String {
    String(decoding: try bytes(name), as: UTF8.self)
  }

  /// The bytes in a column, also those of a text; none for NULL.
  func bytes(_ name: StaticString) throws(PostgresError) -> [UInt8] {
    try optionalBytes(name) ?? []
  }

  func optionalBytes(_ name: StaticString) throws(PostgresError) -> [UInt8]? {
    let functions = unsafe library.functions.pointee
    // The text of a static string ends with a zero.
    let column = unsafe functions.fnumber(
      result, UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: CChar.self))
    guard column >= 0 else { throw Self.unexpected(name) }
    guard unsafe functions.getisnull(result, row, column) == 0 else { return nil }
    return unsafe Array(
      UnsafeRawBufferPointer(
        start: functions.getvalue(result, row, column),
        count: Int(functions.getlength(result, row, column))))
  }

  /// The whole numbers in an array of one dimension, in the server's binary form: the number of dimensions,
  /// whether there is a NULL, the type, the length and the lower bound; then each one after its length.
  func integers(_ name: StaticString) throws(PostgresError) -> [Int64] {
    let bytes = try bytes(name)
    guard bytes.count > 20 else { return [] }
    guard (bytes.count - 20) % 12 == 0 else { throw Self.unexpected(name) }
    return stride(from: 24, to: bytes.count, by: 12).map { place in
      bytes[place..<place + 8].reduce(0) { $0 << 8 | Int64($1) }
    }
  }

  private static func unexpected(_ name: StaticString) -> PostgresError {
    PostgresError(
      kind: .refused(code: "XX000"), message: "no value of the expected kind in column '\(name)'")
  }
}
