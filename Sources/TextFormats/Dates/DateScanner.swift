/// Walks over the bytes of a text that spells a date.
@safe
struct DateScanner {
  private let bytes: UnsafeBufferPointer<UInt8>
  private let count: Int
  private var position = 0

  @unsafe
  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    unsafe self.bytes = unsafe bytes
    count = bytes.count
  }

  var isAtEnd: Bool { position == count }

  /// The next byte, and 0 at the end.
  var next: UInt8 { position < count ? unsafe bytes[position] : 0 }

  var isAtDigit: Bool { Self.isDigit(next) }
  var isAtLetter: Bool { Self.isLetter(next) }

  mutating func skip() { position += position < count ? 1 : 0 }

  /// Steps over a byte, if it is the next one.
  mutating func take(_ byte: UInt8) -> Bool {
    guard position < count, unsafe bytes[position] == byte else { return false }
    position += 1
    return true
  }

  /// Reads a number of just so many digits.
  mutating func number(digits: Int) -> Int? {
    guard position + digits <= count else { return nil }
    var number = 0
    for index in position..<position + digits {
      let byte = unsafe bytes[index]
      guard Self.isDigit(byte) else { return nil }
      number = number * 10 + Int(byte &- UInt8(ascii: "0"))
    }
    position += digits
    return number
  }

  /// Reads all digits that come, within these counts.
  mutating func number(digits range: ClosedRange<Int>) -> (value: Int, digits: Int)? {
    var length = 0
    while position + length < count, Self.isDigit(unsafe bytes[position + length]) {
      length += 1
      if length > range.upperBound { return nil }
    }
    guard length >= range.lowerBound, let value = number(digits: length) else { return nil }
    return (value, length)
  }

  /// Reads the digits of a fraction, any number of them, as whole milliseconds; the rest is cut.
  mutating func milliseconds() -> Int? {
    guard isAtDigit else { return nil }
    var value = 0
    var scale = 100
    while isAtDigit {
      value += Int(next &- UInt8(ascii: "0")) * scale
      scale /= 10
      position += 1
    }
    return value
  }

  /// Reads the letters that come, in lower case; nil when there is none, or more than 12.
  mutating func word() -> String? {
    var letters: [UInt8] = []
    while isAtLetter {
      letters.append(next | 0x20)
      position += 1
      if letters.count > 12 { return nil }
    }
    return letters.isEmpty ? nil : String(decoding: letters, as: UTF8.self)
  }

  /// Steps over blanks and comments in parentheses, which may be nested (RFC 5322, section 3.2.2).
  mutating func skipBlanks() {
    var depth = 0
    while position < count {
      switch unsafe bytes[position] {
      case UInt8(ascii: "("): depth += 1
      case UInt8(ascii: ")") where depth > 0: depth -= 1
      case UInt8(ascii: " "), 0x09...0x0D: break
      case _: if depth == 0 { return }
      }
      position += 1
    }
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    byte &- UInt8(ascii: "0") <= 9
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (byte | 0x20) &- UInt8(ascii: "a") <= 25
  }
}
