/// The first sixteen bytes of an identifier, as numbers that sort as the bytes do.
///
/// Missing bytes count as zeros, so that different identifiers can have equal beginnings.
struct IdentifierStart: Hashable, Comparable, Sendable {
  private var high: UInt64 = 0
  private var low: UInt64 = 0

  init() {}

  init(_ id: UnsafeBufferPointer<UInt8>) {
    if id.count < 16 {
      for byte in id.prefix(8) { high = high << 8 | UInt64(byte) }
      for byte in id.dropFirst(8) { low = low << 8 | UInt64(byte) }
      high <<= 8 * UInt64(8 - min(id.count, 8))
      low <<= 8 * UInt64(8 - max(id.count - 8, 0))
    } else {
      let bytes = UnsafeRawBufferPointer(id)
      high = UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self))
      low = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    }
  }

  static func < (one: Self, other: Self) -> Bool {
    one.high == other.high ? one.low < other.low : one.high < other.high
  }
}
