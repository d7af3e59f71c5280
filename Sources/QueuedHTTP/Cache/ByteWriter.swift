/// Writes numbers, and strings with their length.
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

/// Reads what a `ByteWriter` wrote; returns nil after the end.
struct ByteReader {
  private let bytes: [UInt8]
  private var position: Int

  init(_ bytes: [UInt8], from position: Int = 0) {
    self.bytes = bytes
    self.position = position
  }

  /// The bytes that have not been read.
  var rest: ArraySlice<UInt8> { bytes[min(position, bytes.count)...] }

  mutating func number<Number: FixedWidthInteger>(_ type: Number.Type = Number.self) -> Number? {
    guard let raw = raw(Number.bitWidth / 8) else { return nil }
    return raw.reversed().reduce(0 as Number) { $0 << 8 | Number(truncatingIfNeeded: $1) }
  }

  mutating func text() -> String? {
    number(UInt32.self).flatMap { raw(Int($0)) }.map { String(decoding: $0, as: UTF8.self) }
  }

  mutating func texts() -> [String]? {
    guard let count = number(UInt32.self), count <= rest.count else { return nil }
    var texts: [String] = []
    for _ in 0..<count {
      guard let text = text() else { return nil }
      texts.append(text)
    }
    return texts
  }

  mutating func raw(_ count: Int) -> ArraySlice<UInt8>? {
    guard count <= bytes.count - position else { return nil }
    defer { position += count }
    return bytes[position..<(position + count)]
  }
}
