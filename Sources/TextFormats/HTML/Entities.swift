/// HTML character references in otherwise plain text.
package enum Entities {
  /// Replaces each reference by its character, in one pass: `&amp;lt;` becomes `&lt;`.
  ///
  /// A name without a semicolon is replaced if HTML allows that and no letter, digit or `=` follows, as
  /// in a URL. Everything else is kept.
  package static func decode(_ text: String) -> String {
    var text = text
    return text.withUTF8 { unsafe decode(utf8: $0) }
  }

  /// Decodes UTF-8.
  @unsafe
  package static func decode(utf8 bytes: UnsafeBufferPointer<UInt8>) -> String {
    guard unsafe ByteSearch.first(UInt8(ascii: "&"), in: bytes, from: 0) != nil else {
      return unsafe String(decoding: bytes, as: UTF8.self)
    }
    var decoded = ByteBlock(capacity: bytes.count)
    unsafe append(decodingUTF8: bytes, to: &decoded)
    return unsafe decoded.read { unsafe String(decoding: $0, as: UTF8.self) }
  }

  /// Decodes UTF-8 and appends it to bytes.
  @unsafe
  package static func append(
    decodingUTF8 bytes: UnsafeBufferPointer<UInt8>, to decoded: inout ByteBlock
  ) {
    var runStart = 0
    var next = 0
    while let position = unsafe ByteSearch.first(UInt8(ascii: "&"), in: bytes, from: next) {
      next = position + 1
      guard let reference = unsafe CharacterReference(at: position, in: bytes, within: .attribute)
      else { continue }
      unsafe decoded.append(UnsafeBufferPointer(rebasing: bytes[runStart..<position]))
      decoded.append(reference.text)
      next = reference.end
      runStart = next
    }
    unsafe decoded.append(UnsafeBufferPointer(rebasing: bytes[runStart...]))
  }

  /// Returns whether a text contains a reference that ends in a semicolon.
  package static func containsComplete(in text: String) -> Bool {
    var text = text
    return text.withUTF8 { bytes in
      bytes.indices.contains { position in
        guard unsafe bytes[position] == UInt8(ascii: "&"),
          let reference = unsafe CharacterReference(at: position, in: bytes, within: .attribute)
        else { return false }
        return unsafe bytes[reference.end - 1] == UInt8(ascii: ";")
      }
    }
  }
}

/// A character reference of HTML: `&eacute;`, `&#233;` or `&#xE9;`.
///
/// Read as the HTML standard requires (from section 13.2.5.72 on): the numbers 128 to 159 are those of
/// Windows-1252, and neither numbers nor the oldest names need a semicolon.
struct CharacterReference {
  /// The context of a reference, which decides about names without a semicolon.
  enum Place {
    /// The text of HTML: `&copy2` is `©2`.
    case text
    /// An attribute, or text that is not HTML: `&copy=2` and `&copy2` are kept, since they are part of a
    /// URL.
    case attribute
    /// XML: as in an attribute, but with the `&lang;` and `&rang;` of XHTML 1.
    case xml
  }

  /// One character or two, as UTF-8.
  let text: String
  /// The index after its last byte.
  let end: Int

  /// Reads the reference whose `&` is at `start`, or returns nil.
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
      // Clamped, so that it cannot overflow.
      number = min(number * (isHexadecimal ? 16 : 10) + digit, 0x110000)
      position += 1
    }
    guard position > firstDigit else { return nil }
    if position < bytes.count, unsafe bytes[position] == UInt8(ascii: ";") { position += 1 }
    return Self(text: String(scalar(numbered: number)), end: position)
  }

  private static func digit(_ byte: UInt8, isHexadecimal: Bool) -> UInt32? {
    if byte.isASCIIDigit { return UInt32(byte - UInt8(ascii: "0")) }
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
    while end < bytes.count, end - start <= longestName, unsafe bytes[end].isASCIILetterOrDigit {
      end += 1
    }
    guard end > start else { return nil }
    if end < bytes.count, unsafe bytes[end] == UInt8(ascii: ";"),
      let entry = unsafe entry(named: UnsafeBufferPointer(rebasing: bytes[start..<end]))
    {
      return Self(
        text: place == .xml && end - start == 4 ? inXHTML(entry.text) : entry.text, end: end + 1)
    }
    // The longest prefix that is a name: `&notit` is `¬it`.
    var bareEnd = min(end, start + longestBareName)
    while bareEnd > start + 1 {
      if let entry = unsafe entry(named: UnsafeBufferPointer(rebasing: bytes[start..<bareEnd])),
        !entry.needsSemicolon
      {
        let isFollowed =
          unsafe bareEnd < bytes.count
          && (bytes[bareEnd] == UInt8(ascii: "=") || bytes[bareEnd].isASCIILetterOrDigit)
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
    default: text
    }
  }

  /// Returns the character of a name that all software writes, which needs no search.
  @unsafe
  private static func common(_ name: UnsafeBufferPointer<UInt8>) -> String? {
    if unsafe ByteSearch.isEqual(name, "amp") { return "&" }
    if unsafe ByteSearch.isEqual(name, "lt") { return "<" }
    if unsafe ByteSearch.isEqual(name, "gt") { return ">" }
    return unsafe ByteSearch.isEqual(name, "quot") ? "\"" : nil
  }

  /// Performs a binary search in the table, which is not parsed beforehand.
  @unsafe
  private static func entry(
    named name: UnsafeBufferPointer<UInt8>
  ) -> (text: String, needsSemicolon: Bool)? {
    if let common = unsafe common(name) { return (common, false) }
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
      let isAtEnd = unsafe !table[position].isASCIILetterOrDigit
      if offset == name.count, isAtEnd {
        return unsafe (value(at: position + 1, in: table), table[position] == UInt8(ascii: ":"))
      }
      // A name sorts before all names that it is a prefix of.
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
}
