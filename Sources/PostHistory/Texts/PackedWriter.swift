internal import TextFormats

/// Numbers, texts and bytes one after the other, each text and each run of bytes with its length.
struct PackedWriter: ~Copyable {
  private var block: ByteBlock

  init(capacity: Int = 64) { block = ByteBlock(capacity: capacity) }

  var bytes: [UInt8] { consuming get { block.bytes } }

  var count: Int { block.count }

  var isEmpty: Bool { count == 0 }

  /// The most bytes of a number.
  private static let longestNumber = 10

  /// Writes a number to memory, seven bits in each byte, the lowest first; returns the number of bytes.
  @inline(__always)
  private static func write(_ number: UInt64, to place: UnsafeMutablePointer<UInt8>) -> Int {
    var (rest, count) = (number, 0)
    while rest >= 0x80 {
      place[count] = UInt8(truncatingIfNeeded: rest) | 0x80
      rest >>= 7
      count += 1
    }
    place[count] = UInt8(truncatingIfNeeded: rest)
    return count + 1
  }

  /// Appends a number in as many bytes as it needs.
  mutating func write(_ number: UInt64) {
    block.append(atMost: Self.longestNumber) { Self.write(number, to: $0) }
  }

  /// Appends a number that may be negative, so that small ones need few bytes.
  mutating func write(signed number: Int64) { write(Self.unsigned(number)) }

  /// Appends a key and such a number with its length before it.
  mutating func write(_ key: UInt8, signed number: Int64) {
    block.append(atMost: Self.longestNumber + 2) { place in
      let count = Self.write(Self.unsigned(number), to: place + 2)
      place[0] = key
      place[1] = UInt8(truncatingIfNeeded: count)
      return count + 2
    }
  }

  private static func unsigned(_ number: Int64) -> UInt64 {
    UInt64(bitPattern: number << 1 ^ number >> 63)
  }

  /// Appends a key and a part.
  mutating func write(_ key: UInt8, _ part: UnsafeBufferPointer<UInt8>) {
    block.append(atMost: 1 + Self.longestNumber + part.count) { place in
      place[0] = key
      let start = Self.write(UInt64(part.count), to: place + 1) + 1
      if let bytes = part.baseAddress { (place + start).update(from: bytes, count: part.count) }
      return start + part.count
    }
  }

  mutating func write(_ text: String) {
    var text = text
    text.withUTF8 { write($0) }
  }

  mutating func write(_ part: UnsafeBufferPointer<UInt8>) {
    write(UInt64(part.count))
    block.append(part)
  }

  /// Appends the bytes of another writer.
  mutating func write(_ part: borrowing PackedWriter) {
    write(UInt64(part.block.count))
    block.append(part.block)
  }

  mutating func append(_ byte: UInt8) { block.append(byte) }

  /// Appends what `body` writes as a part, with its length before it.
  mutating func writePart(_ body: (inout PackedWriter) -> Void) {
    let start = block.count
    // The length comes last; those of most parts take two bytes.
    block.append(0, times: 2)
    body(&self)
    let length = block.count - start - 2
    if length >> 7 > 0, length >> 14 == 0 {
      block[start] = UInt8(length & 0x7F) | 0x80
      block[start + 1] = UInt8(length >> 7)
    } else {
      let part = block.read { Array($0[(start + 2)...]) }
      block.removeAll(after: start)
      part.withUnsafeBufferPointer { write($0) }
    }
  }

  /// Appends the eight bytes of a number, the lowest first.
  mutating func append(word: UInt64) {
    withUnsafeBytes(of: word.littleEndian) { block.append($0.assumingMemoryBound(to: UInt8.self)) }
  }
}
