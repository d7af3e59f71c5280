/// A value for a parameter of a statement, in PostgreSQL's binary form; nil is NULL.
enum PostgresValue: Sendable {
  case integer(Int64?)
  case text(String?)
  case bytes([UInt8]?)
  case bool(Bool)
  case integers([Int64?])
  case texts([String])
  case byteStrings([[UInt8]])
  case bools([Bool])

  /// The number of its type in every server (`pg_type.dat`).
  var type: UInt32 {
    switch self {
    case .bool: 16
    case .bytes: 17
    case .integer: 20
    case .text: 25
    case .bools: 1000
    case .byteStrings: 1001
    case .texts: 1009
    case .integers: 1016
    }
  }

  /// The bytes that the server reads; nil for NULL.
  var encoded: [UInt8]? {
    switch self {
    case .integer(let number): number.map(Self.bytes)
    case .text(let text): text.map(Self.bytes)
    case .bytes(let bytes): bytes
    case .bool(let isTrue): [isTrue ? 1 : 0]
    case .integers(let all): Self.array(of: 20, all.map { $0.map(Self.bytes) })
    case .texts(let all): Self.array(of: 25, all.map(Self.bytes))
    case .byteStrings(let all): Self.array(of: 17, all)
    case .bools(let all): Self.array(of: 16, all.map { [$0 ? 1 : 0] })
    }
  }

  private static func bytes(of text: String) -> [UInt8] {
    // PostgreSQL's texts hold every character but this one.
    let bytes = Array(text.utf8)
    return bytes.contains(0) ? Array(text.replacing("\0", with: "\u{FFFD}").utf8) : bytes
  }

  private static func bytes(of number: Int64) -> [UInt8] { bigEndian(number) }

  private static func bigEndian(_ number: some FixedWidthInteger) -> [UInt8] {
    stride(from: number.bitWidth - 8, through: 0, by: -8).map {
      UInt8(truncatingIfNeeded: number >> $0)
    }
  }

  /// An array of one dimension: its head, then each element after its length, where -1 is NULL.
  private static func array(of type: UInt32, _ elements: [[UInt8]?]) -> [UInt8] {
    let size = elements.reduce(20) { $0 + 4 + ($1?.count ?? 0) }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(size)
    // An array without elements has no dimension.
    bytes += bigEndian(Int32(elements.isEmpty ? 0 : 1))
    bytes += bigEndian(Int32(elements.contains { $0 == nil } ? 1 : 0))
    bytes += bigEndian(type)
    guard !elements.isEmpty else { return bytes }
    bytes += bigEndian(Int32(elements.count))
    bytes += bigEndian(Int32(1))
    for element in elements {
      bytes += bigEndian(Int32(element?.count ?? -1))
      if let element { bytes += element }
    }
    return bytes
  }
}
