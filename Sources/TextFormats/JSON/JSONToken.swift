/// The parts of JSON that take more than one byte to recognize.
enum JSONToken {
  /// The UTF-16 unit of the escape `\uXXXX` at `position`; nil when there is none.
  static func escapedUnit(in text: [UInt8], at position: Int) -> UInt16? {
    guard position + 6 <= text.count, text[position] == UInt8(ascii: "\\"),
      text[position + 1] == UInt8(ascii: "u")
    else { return nil }
    var unit: UInt16 = 0
    for byte in text[(position + 2)..<(position + 6)] {
      guard let digit = Character(UnicodeScalar(byte)).hexDigitValue else { return nil }
      unit = unit << 4 | UInt16(digit)
    }
    return unit
  }

  /// A number in a text (RFC 8259, section 6).
  struct Number {
    /// The characters that can occur in numbers, in any order.
    let range: Range<Int>
    /// The offset at which the characters stop being a number; nil if they are one.
    let fault: Int?
    private let isWhole: Bool

    /// Reads the number that begins at `start`.
    init(in text: [UInt8], at start: Int) {
      var end = start
      while end < text.count, Self.isNumeric(text[end]) { end += 1 }
      range = start..<end

      var position = start
      func skipDigits() -> Bool {
        let first = position
        while position < end, text[position].isASCIIDigit { position += 1 }
        return position > first
      }
      func skip(_ characters: UInt8...) -> Bool {
        guard position < end, characters.contains(text[position]) else { return false }
        position += 1
        return true
      }
      _ = skip(UInt8(ascii: "-"))
      var isWellFormed = skip(UInt8(ascii: "0")) || skipDigits()
      var isWhole = true
      if isWellFormed, skip(UInt8(ascii: ".")) {
        isWhole = false
        isWellFormed = skipDigits()
      }
      if isWellFormed, skip(UInt8(ascii: "e"), UInt8(ascii: "E")) {
        isWhole = false
        _ = skip(UInt8(ascii: "+"), UInt8(ascii: "-"))
        isWellFormed = skipDigits()
      }
      fault = isWellFormed && position == end ? nil : position
      self.isWhole = isWhole
    }

    static func begins(with byte: UInt8) -> Bool { byte.isASCIIDigit || byte == UInt8(ascii: "-") }

    /// The number as written.
    func spelling(in text: [UInt8]) -> String { String(decoding: text[range], as: UTF8.self) }

    /// True if it is a number that fits neither 64 bits nor a double; simdjson refuses it.
    func isOutOfRange(in text: [UInt8]) -> Bool {
      guard fault == nil else { return false }
      let spelling = spelling(in: text)
      if isWhole { return Int64(spelling) == nil && UInt64(spelling) == nil }
      return Double(spelling).map { !$0.isFinite } ?? true
    }

    private static func isNumeric(_ byte: UInt8) -> Bool {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"),
        UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"):
        true
      default: false
      }
    }
  }
}
