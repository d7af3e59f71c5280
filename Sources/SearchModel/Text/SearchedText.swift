@_spi(_Unicode) internal import Swift

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
    var scalars: [Unicode.Scalar] = []
    scalars.reserveCapacity(text.utf8.count)
    let text = text.lowercased()
    let normal = ignoresAccents ? NormalForm.bare(text) : NormalForm.composed(text)
    for scalar in normal.unicodeScalars {
      let isBlank =
        scalar.isASCII
        ? scalar == " " || (0x09...0x0D).contains(scalar.value) : scalar.properties.isWhitespace
      if isBlank {
        if let last = scalars.last, last != " " { scalars.append(" ") }
      } else if scalar.isASCII {
        scalars.append(scalar)
      } else if let folded = Folding.scalar(for: scalar, after: scalars.last) {
        scalars.append(folded)
      }
    }
    if scalars.last == " " { scalars.removeLast() }
    self.scalars = scalars
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
      case _: return false
      }
    // Thai and Lao, Myanmar, Hangul's letters, Khmer, kana with Bopomofo and more such letters, Hangul.
    case 0x0E00...0x0EFF, 0x1000...0x109F, 0x1100...0x11FF, 0x1780...0x17FF,
      0x3040...0x31FF, 0xAC00...0xD7FF:
      return false
    case _:
      let properties = scalar.properties
      return !properties.isIdeographic && (properties.isAlphabetic || properties.numericType != nil)
    }
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
