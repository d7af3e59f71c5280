@_spi(_Unicode) internal import Swift
internal import TextFormats

/// A text prepared for matching: in lower case and one normal form, with runs of blanks as one.
///
/// Spellings that people do not tell apart are one: `’` is `'`, U+2011 is `-`, full-width letters are
/// plain ones, `ς` is `σ`, `é` is `e` (marks are ignored on Latin letters, and on no others), and
/// characters that are not seen, such as soft hyphens, are left out.
package struct SearchedText: Hashable, Sendable {
  private let scalars: [Unicode.Scalar]

  /// - Parameter ignoresAccents: Whether marks are ignored on all letters, those of other scripts
  ///   included; both texts of a comparison are to be made alike.
  package init(_ text: String, ignoresAccents: Bool = false) {
    var reader = SearchedTextReader(ignoresAccents: ignoresAccents)
    var text = text
    text.withUTF8 { reader.read($0) }
    scalars = reader.scalars
  }

  package var isEmpty: Bool { scalars.isEmpty }

  /// Returns whether it contains another text as whole words: `swiftly` does not contain `swift`.
  ///
  /// Scripts without blanks between words, or with endings attached to them, have no such boundaries.
  package func holds(_ other: SearchedText) -> Bool { holds(other, asWholeWords: true) }

  /// Returns whether it contains another text only inside longer words.
  package func holdsOnlyWithinWords(_ other: SearchedText) -> Bool {
    !holds(other) && holds(other, asWholeWords: false)
  }

  private func holds(_ other: SearchedText, asWholeWords: Bool) -> Bool {
    let sought = other.scalars
    guard let first = sought.first, let last = sought.last, sought.count <= scalars.count else {
      return false
    }
    for start in 0...(scalars.count - sought.count) where scalars[start] == first {
      let end = start + sought.count
      guard scalars[start..<end].elementsEqual(sought) else { continue }
      guard asWholeWords else { return true }
      if start > 0, Self.joins(scalars[start - 1], first) { continue }
      if end < scalars.count, Self.joins(last, scalars[end]) { continue }
      return true
    }
    return false
  }

  /// True if two adjacent scalars belong to one word.
  private static func joins(_ one: Unicode.Scalar, _ other: Unicode.Scalar) -> Bool {
    isOfSpacedWord(one) && isOfSpacedWord(other)
  }

  package static func isOfSpacedWord(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case ..<0x80:
      switch scalar {
      case "a"..."z", "A"..."Z", "0"..."9", "_": return true
      default: return false
      }
    // Thai and Lao, Myanmar, Hangul's letters, Khmer, kana with Bopomofo and more such letters, Hangul.
    case 0x0E00...0x0EFF, 0x1000...0x109F, 0x1100...0x11FF, 0x1780...0x17FF,
      0x3040...0x31FF, 0xAC00...0xD7FF:
      return false
    default:
      let properties = scalar.properties
      return !properties.isIdeographic && (properties.isAlphabetic || properties.numericType != nil)
    }
  }
}

/// Makes the scalars of a searched text.
private struct SearchedTextReader {
  let ignoresAccents: Bool
  private(set) var scalars: [Unicode.Scalar] = []

  init(ignoresAccents: Bool) { self.ignoresAccents = ignoresAccents }

  /// Reads UTF-8: ASCII byte by byte, and the rest in runs, as the tables of Unicode are slow.
  mutating func read(_ bytes: UnsafeBufferPointer<UInt8>) {
    scalars.reserveCapacity(bytes.count)
    var position = 0
    while position < bytes.count {
      // A mark changes the letter before it, and nothing further away.
      let first = bytes[position]
      let end =
        first.isASCIIBlank
        ? position + 1 : bytes[(position + 1)...].firstIndex { $0 < 0x80 } ?? bytes.count
      if end == position + 1, first < 0x80 {
        append(ascii: first)
      } else {
        let run = UnsafeBufferPointer(rebasing: bytes[position..<end])
        append(String(decoding: run, as: UTF8.self))
      }
      position = end
    }
    if scalars.last == " " { scalars.removeLast() }
  }

  private mutating func append(ascii byte: UInt8) {
    if byte.isASCIIBlank { return appendBlank() }
    scalars.append(Unicode.Scalar(byte.lowercasedASCII))
  }

  private mutating func append(_ text: String) {
    if !ignoresAccents {
      // Most need no tables, either.
      let plain = text.unicodeScalars.compactMap(Folding.plainScalar)
      if plain.count == text.unicodeScalars.count {
        scalars += plain
        return
      }
    }
    let text = text.lowercased()
    let normal = ignoresAccents ? NormalForm.bare(text) : NormalForm.composed(text)
    for scalar in normal.unicodeScalars {
      if scalar.isASCII {
        append(ascii: UInt8(truncatingIfNeeded: scalar.value))
      } else if scalar.properties.isWhitespace {
        appendBlank()
      } else if let folded = Folding.scalar(for: scalar, after: scalars.last) {
        scalars.append(folded)
      }
    }
  }

  private mutating func appendBlank() {
    if let last = scalars.last, last != " " { scalars.append(" ") }
  }
}

/// The normal form of texts that are compared by their scalars.
package enum NormalForm {
  // Strings that differ only in their normal form are equal in Swift, but not to networks and to other
  // readers of `tags.json`, which compare bytes. The standard library of Apple's platforms does not
  // expose NFC; there a text is compared as it was typed.
  /// Returns a text in NFC.
  package static func composed(_ text: String) -> String {
    text.utf8.allSatisfy { $0 < 0x80 } ? text : String(String.UnicodeScalarView(text._nfc))
  }

  /// Returns a text without accents and other nonspacing marks.
  package static func bare(_ text: String) -> String {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text }
    let letters = text._nfd.lazy.filter { $0.properties.generalCategory != .nonspacingMark }
    return String(String.UnicodeScalarView(letters))
  }
}
