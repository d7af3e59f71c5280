/// A query as the user typed it, but in NFC and without blanks at its ends; never empty and without
/// control characters.
///
/// Two queries are equal if their NFC forms are, byte for byte: case counts.
package struct Query: Hashable, Sendable, CustomStringConvertible {
  package let text: String
  /// The terms in the order in which they were typed; none if the text is in the network's own syntax.
  package let terms: [QueryTerm]
  /// True if the text is in the network's own syntax, and sent unchanged.
  package let isRaw: Bool

  /// Creates a query; nil for a text that is empty, blank, or contains control characters.
  package init?(_ text: String) {
    if Self.isPlain(text) {
      self.init(composed: text, isRaw: false)
      return
    }
    let trimmed = Self.trimmed(text)
    guard !trimmed.isEmpty,
      !trimmed.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
    else { return nil }
    self.init(composed: NormalForm.composed(trimmed), isRaw: false)
  }

  /// Returns whether a text is a query as it is: visible ASCII, perhaps with blanks within it.
  // Without a look at Unicode's tables, as there may be a million queries.
  private static func isPlain(_ text: String) -> Bool {
    let (blank, bytes) = (UInt8(ascii: " "), text.utf8)
    guard let first = bytes.first, first != blank, bytes.last != blank else { return false }
    return bytes.allSatisfy { (blank...UInt8(ascii: "~")).contains($0) }
  }

  /// Returns a text without blanks at its ends, and without what is not seen there: spaces of zero width, byte order
  /// marks and signs of direction come with text that is copied from a page.
  package static func trimmed(_ text: String) -> String {
    let tail = text.unicodeScalars.drop(while: isBlank)
    guard let last = tail.lastIndex(where: { !isBlank($0) }) else { return "" }
    return String(tail[...last])
  }

  private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
    let properties = scalar.properties
    if properties.isWhitespace { return true }
    // Joiners (U+200C, U+200D) shape the letter before them, and a flag may end in a tag (from U+E0000 on).
    return properties.generalCategory == .format && properties.isDefaultIgnorableCodePoint
      && scalar.value < 0xE_0000 && !("\u{200C}"..."\u{200D}").contains(scalar)
  }

  private init(composed text: String, isRaw: Bool) {
    self.text = text
    self.isRaw = isRaw
    terms = isRaw ? [] : QueryReader.terms(of: text)
  }

  /// The same text, as a query in the network's own syntax.
  package var raw: Query { Query(composed: text, isRaw: true) }

  package var description: String { text }

  // The terms are derived from the text.
  package static func == (one: Self, other: Self) -> Bool {
    one.isRaw == other.isRaw && one.text.utf8.elementsEqual(other.text.utf8)
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(isRaw)
    hasher.combine(text)
  }
}

/// One term of a query; `searchagg help queries` documents the grammar.
package struct QueryTerm: Hashable, Sendable, CustomStringConvertible {
  package enum Kind: Hashable, Sendable {
    /// A word, or anything else between two blanks.
    case word
    /// Adjacent words in quotation marks.
    case phrase
    /// `#name`.
    case tag
    /// `from:name`.
    case author
    /// `lang:de`.
    case language
  }

  // First, so that no bytes are between the other two: there may be millions of terms.
  /// The value without its prefix, never empty: `swift` of `#swift`, `amy` of `from:@amy`, `de` of
  /// `lang:de-AT`.
  package var value: String
  package var kind: Kind
  /// True if it is an exclusion, typed with `-`.
  package var isExcluded: Bool

  package init(_ kind: Kind, _ value: String, isExcluded: Bool = false) {
    self.kind = kind
    self.value = value
    self.isExcluded = isExcluded
  }

  /// The term as it is typed; parsing it gives the same term.
  package var description: String {
    let sign = isExcluded ? "-" : ""
    switch kind {
    case .word: return sign + value
    case .phrase: return "\(sign)\"\(value)\""
    case .tag: return "\(sign)#\(value)"
    case .author:
      let isQuoted = value.contains(where: \.isWhitespace)
      return isQuoted ? "\(sign)from:\"\(value)\"" : "\(sign)from:\(value)"
    case .language: return "\(sign)lang:\(value)"
    }
  }

  /// True if it says what to search for, and does not only filter results.
  package var isSought: Bool { !isExcluded && kind != .language }

  /// True if it is a word, a phrase or a tag to search for.
  package var isSoughtText: Bool { isSought && kind != .author }
}
