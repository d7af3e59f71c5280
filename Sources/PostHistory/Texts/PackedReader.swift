/// Reads what `PackedWriter` has written; each part is nil once the bytes have ended or make no sense.
struct PackedReader {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func byte() -> UInt8? { rest.popFirst() }

  mutating func number() -> UInt64? {
    var number: UInt64 = 0
    for shift in stride(from: 0, to: 64, by: 7) {
      guard let byte = rest.popFirst() else { return nil }
      number |= UInt64(byte & 0x7F) << UInt64(shift)
      if byte < 0x80 { return number }
    }
    return nil
  }

  mutating func signedNumber() -> Int64? {
    number().map { Int64(bitPattern: $0 >> 1) ^ -Int64(bitPattern: $0 & 1) }
  }

  mutating func text() -> String? { part().map { String(decoding: $0, as: UTF8.self) } }

  /// Bytes before which their number is written.
  mutating func part() -> ArraySlice<UInt8>? {
    number().flatMap { Int(exactly: $0) }.flatMap { bytes($0) }
  }

  mutating func bytes(_ count: Int) -> ArraySlice<UInt8>? {
    guard count <= rest.count else { return nil }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }
}
