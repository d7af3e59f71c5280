/// A character reference of HTML: `&eacute;`, `&#233;` or `&#xE9;`.
///
/// Read as the HTML standard says (section 13.2.5.72 and on): the numbers 128 to 159 are those of
/// Windows-1252, a number needs no semicolon, and neither do the names that have always done without.
struct CharacterReference {
  /// Where a reference may stand; it decides about names without a semicolon.
  enum Place {
    /// The text of HTML: `&copy2` is `©2`.
    case text
    /// An attribute, or a text that is not HTML: `&copy=2` and `&copy2` stay as they are, since they
    /// belong to an address.
    case attribute
    /// XML: as in an attribute, but `&lang;` and `&rang;` are what XHTML 1 declares them to be.
    case xml
  }

  /// One character or two, as UTF-8.
  let text: String
  /// The index after its last byte.
  let end: Int

  /// Reads the reference whose `&` is at `start`; nil when there is none.
  @unsafe
  init?(at start: Int, in bytes: UnsafeBufferPointer<UInt8>, within place: Place) {
    guard start + 1 < bytes.count else { return nil }
    let reference =
      unsafe bytes[start + 1] == UInt8(ascii: "#")
      ? unsafe Self.number(at: start + 2, in: bytes)
      : unsafe Self.name(at: start + 1, in: bytes, within: place)
    guard let reference else { return nil }
    self = reference
  }

  private init(text: String, end: Int) {
    self.text = text
    self.end = end
  }

  // MARK: - Numbers

  @unsafe
  private static func number(at start: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Self? {
    let isHexadecimal = unsafe start < bytes.count && bytes[start] | 0x20 == UInt8(ascii: "x")
    var position = isHexadecimal ? start + 1 : start
    let firstDigit = position
    var number: UInt32 = 0
    while position < bytes.count,
      let digit = unsafe digit(bytes[position], isHexadecimal: isHexadecimal)
    {
      // Past the last character it cannot come back.
      number = min(number * (isHexadecimal ? 16 : 10) + digit, 0x110000)
      position += 1
    }
    guard position > firstDigit else { return nil }
    if position < bytes.count, unsafe bytes[position] == UInt8(ascii: ";") { position += 1 }
    return Self(text: String(scalar(numbered: number)), end: position)
  }

  private static func digit(_ byte: UInt8, isHexadecimal: Bool) -> UInt32? {
    if byte &- UInt8(ascii: "0") <= 9 { return UInt32(byte - UInt8(ascii: "0")) }
    let letter = (byte | 0x20) &- UInt8(ascii: "a")
    return isHexadecimal && letter <= 5 ? UInt32(letter) + 10 : nil
  }

  private static func scalar(numbered number: UInt32) -> Unicode.Scalar {
    guard number != 0 else { return "\u{FFFD}" }
    return Windows1252.scalar(numbered: number) ?? Unicode.Scalar(number) ?? "\u{FFFD}"
  }

  // MARK: - Names

  /// The longest name is `CounterClockwiseContourIntegral`.
  private static let longestName = 31
  /// The longest name that needs no semicolon, such as `Aacute`.
  private static let longestBareName = 6

  @unsafe
  private static func name(
    at start: Int, in bytes: UnsafeBufferPointer<UInt8>, within place: Place
  ) -> Self? {
    var end = start
    while end < bytes.count, end - start <= longestName, unsafe isAlphanumeric(bytes[end]) {
      end += 1
    }
    guard end > start else { return nil }
    if end < bytes.count, unsafe bytes[end] == UInt8(ascii: ";"),
      let entry = unsafe entry(named: UnsafeBufferPointer(rebasing: bytes[start..<end]))
    {
      return Self(
        text: place == .xml && end - start == 4 ? inXHTML(entry.text) : entry.text, end: end + 1)
    }
    // The longest beginning that is a name: `&notit` is `¬it`.
    var bareEnd = min(end, start + longestBareName)
    while bareEnd > start + 1 {
      if let entry = unsafe entry(named: UnsafeBufferPointer(rebasing: bytes[start..<bareEnd])),
        !entry.needsSemicolon
      {
        let isFollowed =
          unsafe bareEnd < bytes.count
          && (bytes[bareEnd] == UInt8(ascii: "=") || isAlphanumeric(bytes[bareEnd]))
        if place != .text, isFollowed { return nil }
        return Self(text: entry.text, end: bareEnd)
      }
      bareEnd -= 1
    }
    return nil
  }

  private static func inXHTML(_ text: String) -> String {
    switch text {
    case "\u{27E8}": "\u{2329}"
    case "\u{27E9}": "\u{232A}"
    case _: text
    }
  }

  /// Searches the table by halves, without making anything of it first.
  @unsafe
  private static func entry(
    named name: UnsafeBufferPointer<UInt8>
  ) -> (text: String, needsSemicolon: Bool)? {
    let table = unsafe UnsafeBufferPointer(
      start: HTMLNames.table.utf8Start, count: HTMLNames.table.utf8CodeUnitCount)
    var low = 0
    var high = table.count
    while low < high {
      var start = (low + high) / 2
      while start > low, unsafe !isSeparator(table[start - 1]) { start -= 1 }
      var position = start
      var offset = 0
      while offset < name.count, unsafe table[position] == name[offset] {
        position += 1
        offset += 1
      }
      let isAtEnd = unsafe !isAlphanumeric(table[position])
      if offset == name.count, isAtEnd {
        return unsafe (value(at: position + 1, in: table), table[position] == UInt8(ascii: ":"))
      }
      // A name stands before all that it is the beginning of.
      if !isAtEnd, unsafe offset == name.count || name[offset] < table[position] {
        high = start
      } else {
        while position < high, unsafe !isSeparator(table[position]) { position += 1 }
        low = position + 1
      }
    }
    return nil
  }

  @unsafe
  private static func value(at start: Int, in table: UnsafeBufferPointer<UInt8>) -> String {
    var text = ""
    var number: UInt32 = 0
    var position = start
    while position < table.count, unsafe !isSeparator(table[position]) {
      if let digit = unsafe digit(table[position], isHexadecimal: true) {
        number = number * 16 + digit
      } else {
        text.unicodeScalars.append(Unicode.Scalar(number) ?? "\u{FFFD}")
        number = 0
      }
      position += 1
    }
    text.unicodeScalars.append(Unicode.Scalar(number) ?? "\u{FFFD}")
    return text
  }

  private static func isSeparator(_ byte: UInt8) -> Bool { byte <= 0x20 }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    byte &- UInt8(ascii: "0") <= 9 || (byte | 0x20) &- UInt8(ascii: "a") <= 25
  }
}
