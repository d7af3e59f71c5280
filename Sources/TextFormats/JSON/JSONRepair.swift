/// Repairs mistakes of networks inside strings and numbers, so that one item is lost rather than the
/// whole page: a byte order mark, invalid UTF-8, half a surrogate pair, raw control characters in
/// strings, numbers out of range (they become strings). Structure is not touched.
struct JSONRepair {
  private let text: [UInt8]
  private var mended: [UInt8] = []
  private var position = 0

  /// Returns a repaired copy, or nil if there was nothing to repair.
  static func mended(_ bytes: UnsafeRawBufferPointer) -> [UInt8]? {
    // Decoding replaces invalid UTF-8 by U+FFFD.
    let valid = Array(unsafe String(decoding: bytes, as: UTF8.self).utf8)
    var repair = JSONRepair(text: valid)
    repair.mend()
    return unsafe bytes.elementsEqual(repair.mended) ? nil : repair.mended
  }

  private init(text: [UInt8]) {
    self.text = text
    mended.reserveCapacity(text.count + 64)
  }

  private mutating func mend() {
    if text.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    while position < text.count {
      let byte = text[position]
      if byte == UInt8(ascii: "\"") {
        mendString()
      } else if JSONToken.Number.begins(with: byte) {
        mendNumber()
      } else {
        keep(1)
      }
    }
  }

  private mutating func mendNumber() {
    let number = JSONToken.Number(in: text, at: position)
    guard number.isOutOfRange(in: text) else { return keep(number.range.count) }
    mended.append(UInt8(ascii: "\""))
    keep(number.range.count)
    mended.append(UInt8(ascii: "\""))
  }

  private mutating func mendString() {
    keep(1)
    while position < text.count {
      let byte = text[position]
      if byte == UInt8(ascii: "\"") { return keep(1) }
      if byte == UInt8(ascii: "\\") {
        mendEscape()
      } else if byte < 0x20 {
        mended.append(contentsOf: byte < 0x10 ? "\\u000".utf8 : "\\u001".utf8)
        mended.append(contentsOf: String(byte & 15, radix: 16).utf8)
        position += 1
      } else {
        keep(1)
      }
    }
  }

  private mutating func mendEscape() {
    guard let unit = JSONToken.escapedUnit(in: text, at: position) else { return keep(2) }
    guard (0xD800...0xDFFF).contains(unit) else { return keep(6) }
    if unit < 0xDC00, let low = JSONToken.escapedUnit(in: text, at: position + 6),
      (0xDC00...0xDFFF).contains(low)
    {
      return keep(12)
    }
    mended.append(contentsOf: "\\ufffd".utf8)
    position += 6
  }

  private mutating func keep(_ count: Int) {
    let end = min(position + count, text.count)
    mended.append(contentsOf: text[position..<end])
    position = end
  }
}
