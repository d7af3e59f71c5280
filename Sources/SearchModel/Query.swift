/// What is searched for, as the user typed it but in NFC and without blanks at its ends; never empty and
/// without control characters.
///
/// Two queries are the same when their NFC forms are, byte for byte: case counts.
package struct Query: Hashable, Sendable, CustomStringConvertible {
  package let text: String
  /// What it asks for, in the order that it was typed; nothing where the text is the network's own
  /// syntax.
  package let terms: [QueryTerm]
  /// Whether the text goes to each network as it is, in the network's own syntax.
  package let isRaw: Bool

  /// Refuses a text that is empty, only blanks, or holds control characters.
  package init?(_ text: String) {
    let trimmed = Self.trimmed(text)
    guard !trimmed.isEmpty,
      !trimmed.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
    else { return nil }
    self.init(composed: NormalForm.composed(trimmed), isRaw: false)
  }

  /// A text without the blanks at its ends, and without those of no width (U+200B), which come with text
  /// that is copied from a page.
  package static func trimmed(_ text: String) -> String {
    let isBlank = { (scalar: Unicode.Scalar) in
      scalar.properties.isWhitespace || scalar == "\u{200B}"
    }
    let rest = text.unicodeScalars.drop(while: isBlank)
    guard let last = rest.lastIndex(where: { !isBlank($0) }) else { return "" }
    return String(rest[...last])
  }

  private init(composed text: String, isRaw: Bool) {
    self.text = text
    self.isRaw = isRaw
    terms = isRaw ? [] : QueryReader.terms(of: text)
  }

  /// The same text in the network's own syntax.
  package var raw: Query { Query(composed: text, isRaw: true) }

  package var description: String { text }

  // The terms follow from the text.
  package static func == (one: Self, other: Self) -> Bool {
    one.isRaw == other.isRaw && one.text.utf8.elementsEqual(other.text.utf8)
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(isRaw)
    hasher.combine(text)
  }
}
