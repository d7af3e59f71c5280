/// A gzip file (RFC 1952) of about one mebibyte that decompresses to one gibibyte of spaces.
///
/// Deflate (RFC 1951) says at most 258 bytes with one length code. With a Huffman code of its own,
/// in which that code and the distance code have one bit each, 258 bytes take two bits.
enum GzipBomb {
  /// The number of 258-byte runs after the first byte.
  private static let runs = 4_161_791
  /// The decompressed size.
  static let decompressedCount = 1 + 258 * runs
  /// CRC-32 of that many spaces.
  private static let checksum: UInt32 = 0xB309_B362

  /// The file.
  static var bytes: [UInt8] {
    var bits = BitWriter(bytes: [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 2, 255])
    writeCodes(to: &bits)
    // The first space, from which all others are copied.
    bits.write(code: 0b10, count: 2)
    // Both codes are the bit 0.
    bits.writeZeros(runs * 2)
    bits.write(code: 0b11, count: 2)
    bits.align()
    bits.write(checksum)
    bits.write(UInt32(truncatingIfNeeded: decompressedCount))
    return bits.bytes
  }

  /// Writes the head of the one, last block: length code 285 in one bit, the space and the end of
  /// the block in two, distance code 0 in one.
  private static func writeCodes(to bits: inout BitWriter) {
    bits.write(1, count: 1)
    bits.write(2, count: 2)
    // 286 literal and length codes, one distance code, 18 code length codes.
    bits.write(286 - 257, count: 5)
    bits.write(1 - 1, count: 5)
    bits.write(18 - 4, count: 4)
    // In the order 16 17 18 0 8 7 9 6 10 5 11 4 12 3 13 2 14 1: runs of zeros (18) have one bit,
    // the lengths 1 and 2 have two.
    for length in [0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 2] as [UInt32] {
      bits.write(length, count: 3)
    }
    zeros(32, to: &bits)
    two(to: &bits)
    zeros(138, to: &bits)
    zeros(85, to: &bits)
    two(to: &bits)
    zeros(28, to: &bits)
    one(to: &bits)
    one(to: &bits)
  }

  private static func zeros(_ count: UInt32, to bits: inout BitWriter) {
    bits.write(code: 0b0, count: 1)
    bits.write(count - 11, count: 7)
  }

  private static func one(to bits: inout BitWriter) { bits.write(code: 0b10, count: 2) }
  private static func two(to bits: inout BitWriter) { bits.write(code: 0b11, count: 2) }
}

/// Writes bits in the order of deflate: from the lowest of each byte on.
struct BitWriter {
  private(set) var bytes: [UInt8]
  private var pending: UInt8 = 0
  private var pendingCount = 0

  init(bytes: [UInt8]) { self.bytes = bytes }

  /// Writes a number, its lowest bit first.
  mutating func write(_ number: UInt32, count: Int) {
    for place in 0..<count { write(bit: UInt8(number >> UInt32(place) & 1)) }
  }

  /// Writes a Huffman code, its highest bit first.
  mutating func write(code: UInt32, count: Int) {
    for place in (0..<count).reversed() { write(bit: UInt8(code >> UInt32(place) & 1)) }
  }

  /// Writes a number of zero bits, whole bytes at once.
  mutating func writeZeros(_ count: Int) {
    var rest = count
    while rest > 0, pendingCount != 0 {
      write(bit: 0)
      rest -= 1
    }
    bytes.append(contentsOf: repeatElement(0, count: rest / 8))
    for _ in 0..<rest % 8 { write(bit: 0) }
  }

  /// Fills the byte at hand with zeros.
  mutating func align() {
    while pendingCount != 0 { write(bit: 0) }
  }

  /// Writes a number in four bytes, the lowest first; only where a byte begins.
  mutating func write(_ number: UInt32) {
    for place in 0..<4 { bytes.append(UInt8(truncatingIfNeeded: number >> UInt32(place * 8))) }
  }

  private mutating func write(bit: UInt8) {
    pending |= bit << UInt8(pendingCount)
    pendingCount += 1
    guard pendingCount == 8 else { return }
    bytes.append(pending)
    pending = 0
    pendingCount = 0
  }
}
