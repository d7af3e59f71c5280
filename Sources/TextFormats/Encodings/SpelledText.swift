/// A text in any of the spellings that formats give it: as it is, percent-encoded, with the escapes of JSON, also
/// nested ones, or with the character references of HTML; each byte in its own.
package struct SpelledText: Hashable, Sendable {
  private typealias Bytes = ArraySlice<UInt8>

  /// Replaces a secret.
  package static let mark = "***"

  /// The references of markup, of which JSON and addresses have none.
  private static let references: [(name: [UInt8], byte: UInt8)] =
    ([
      ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"),
    ] as [(String, Unicode.Scalar)]).map { (Array($0.0.utf8), UInt8(ascii: $0.1)) }

  /// The marks of a string within a string within a string.
  private static let mostMarks = 8

  private let bytes: [UInt8]
  /// For each byte, whether a spelling of the text may begin with it.
  private let beginnings: [Bool]

  package init(_ text: String) {
    bytes = Array(text.utf8)
    let first = bytes.first
    beginnings = (0...255).map { byte in
      first.map {
        $0 == byte || "%\\&".utf8.contains(byte) || $0 == 0x20 && byte == UInt8(ascii: "+")
      }
        ?? false
    }
  }

  /// The secrets that are worth looking for: shorter ones occur in any text, and hide nothing.
  package static func secrets(_ values: [String]) -> [SpelledText] {
    values.map(SpelledText.init).filter { $0.count >= 4 }
  }

  /// The number of bytes of the text itself.
  package var count: Int { bytes.count }

  /// Returns whether the text is somewhere in bytes.
  package func occurs(in other: [UInt8]) -> Bool {
    var next = 0
    while let place = candidate(in: other, from: next) {
      if end(in: other, at: place) != nil { return true }
      next = place + 1
    }
    return false
  }

  /// Returns bytes with a mark in place of each text.
  ///
  /// - Parameters:
  ///   - texts: The longest first, so that no part of a longer one remains.
  ///   - isMeant: Returns whether a text is replaced at a place.
  package static func masking(
    _ texts: [SpelledText], in bytes: [UInt8],
    where isMeant: (SpelledText, Range<Int>, [UInt8]) -> Bool = { _, _, _ in true }
  ) -> [UInt8] {
    var bytes = bytes
    for text in texts {
      var masked: [UInt8] = []
      var copied = 0
      var next = 0
      while let place = text.candidate(in: bytes, from: next) {
        guard let end = text.end(in: bytes, at: place), isMeant(text, place..<end, bytes) else {
          next = place + 1
          continue
        }
        masked += bytes[copied..<place]
        masked += mark.utf8
        (next, copied) = (end, end)
      }
      if copied > 0 { bytes = masked + bytes[copied...] }
    }
    return bytes
  }

  /// The next place where the text may begin.
  private func candidate(in other: [UInt8], from start: Int) -> Int? {
    unsafe other.withUnsafeBufferPointer { other in
      unsafe beginnings.withUnsafeBufferPointer { beginnings in
        var place = start
        while place < other.count {
          if unsafe beginnings[Int(other[place])] { return place }
          place += 1
        }
        return nil
      }
    }
  }

  /// The end of the text that begins at a place; nil where another one does.
  private func end(in other: [UInt8], at place: Int) -> Int? {
    var steps = bytes.count + 64
    return end(of: bytes[...], in: other[place...], &steps)
  }

  /// - Parameter steps: The number of further bytes to try, as some bytes have several spellings at one place.
  private func end(of rest: Bytes, in other: Bytes, _ steps: inout Int) -> Int? {
    guard let byte = rest.first else { return other.startIndex }
    for length in Self.lengths(of: byte, in: other) {
      steps -= 1
      guard steps > 0 else { return nil }
      if let end = end(of: rest.dropFirst(), in: other.dropFirst(length), &steps) { return end }
    }
    return nil
  }

  /// The lengths of the spellings of a byte that others begin with.
  private static func lengths(of byte: UInt8, in other: Bytes) -> [Int] {
    guard let first = other.first else { return [] }
    var lengths = first == byte ? [1] : []
    switch first {
    case UInt8(ascii: "+") where byte == 0x20: lengths.append(1)
    case UInt8(ascii: "%"):
      if value(of: other.dropFirst().prefix(2), digits: 2) == byte { lengths.append(3) }
    case UInt8(ascii: "\\"):
      // A string within a string has its marks twice.
      let marks = other.prefix(mostMarks).prefix { $0 == first }.count
      let rest = other.dropFirst(marks)
      if byte == first {
        // The longest first, so that no half of an escape remains.
        lengths = [4, 2].filter { $0 <= marks } + lengths
      } else if rest.first == byte {
        lengths.append(marks + 1)
      } else if rest.first == UInt8(ascii: "u"), byte < 0x80,
        value(of: rest.dropFirst().prefix(4), digits: 4) == byte
      {
        lengths.append(marks + 5)
      }
    case UInt8(ascii: "&"):
      for (name, character) in references where character == byte && other.starts(with: name) {
        lengths.append(name.count)
      }
      if let length = lengthOfNumber(byte, in: other) { lengths.append(length) }
    default: break
    }
    return lengths
  }

  /// The length of a reference by number, such as `&#39;` or `&#x27;`, that means a byte; nil for anything else.
  private static func lengthOfNumber(_ byte: UInt8, in other: Bytes) -> Int? {
    guard byte < 0x80, other.dropFirst().first == UInt8(ascii: "#"),
      let end = other.prefix(8).firstIndex(of: UInt8(ascii: ";"))
    else { return nil }
    let number = String(decoding: other[(other.startIndex + 2)..<end], as: UTF8.self)
    let isHexadecimal = number.hasPrefix("x") || number.hasPrefix("X")
    let value = isHexadecimal ? UInt8(number.dropFirst(), radix: 16) : UInt8(number)
    return value == byte ? end + 1 - other.startIndex : nil
  }

  /// The value of hexadecimal digits; nil unless there are as many.
  private static func value(of digits: Bytes, digits count: Int) -> UInt8? {
    guard digits.count == count, digits.allSatisfy(\.isASCIILetterOrDigit) else { return nil }
    return UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
  }
}
