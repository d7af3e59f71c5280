/// Puts numbers and texts one behind another, each with its length before it.
struct ByteWriter {
  private(set) var bytes: [UInt8] = []

  mutating func append(_ number: some FixedWidthInteger) {
    for shift in stride(from: 0, to: number.bitWidth, by: 8) {
      bytes.append(UInt8(truncatingIfNeeded: number >> shift))
    }
  }

  mutating func append(_ text: String) {
    append(UInt32(truncatingIfNeeded: text.utf8.count))
    bytes.append(contentsOf: text.utf8)
  }

  mutating func append(_ texts: [String]) {
    append(UInt32(truncatingIfNeeded: texts.count))
    for text in texts { append(text) }
  }

  mutating func append(raw: some Sequence<UInt8>) { bytes.append(contentsOf: raw) }
}
