/// Numbers, texts and bytes one after the other, each text and each run of bytes with its length.
struct PackedWriter {
  private(set) var bytes: [UInt8] = []

  init(capacity: Int = 0) { bytes.reserveCapacity(capacity) }

  /// Appends a number in as many bytes as it needs, seven bits in each, the lowest first.
  mutating func write(_ number: UInt64) {
    var rest = number
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }

  /// Appends a number that may be negative, so that small ones need few bytes.
  mutating func write(signed number: Int64) {
    write(UInt64(bitPattern: number << 1 ^ number >> 63))
  }

  /// Appends such a number with its length before it.
  mutating func writePart(signed number: Int64) {
    let place = bytes.count
    bytes.append(0)
    write(signed: number)
    bytes[place] = UInt8(bytes.count - place - 1)
  }

  mutating func write(_ text: String) {
    let isDone: Void? = text.utf8.withContiguousStorageIfAvailable { utf8 in
      write(UInt64(utf8.count))
      bytes.append(contentsOf: utf8)
    }
    if isDone == nil { write(Array(text.utf8)) }
  }

  mutating func write(_ part: some Collection<UInt8>) {
    write(UInt64(part.count))
    bytes.append(contentsOf: part)
  }

  /// Appends bytes without a length.
  mutating func append(_ part: some Collection<UInt8>) { bytes.append(contentsOf: part) }

  mutating func append(_ byte: UInt8) { bytes.append(byte) }
}
