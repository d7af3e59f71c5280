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

  /// Writes so many zeros, whole bytes at once.
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
