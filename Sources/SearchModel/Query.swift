/// What is searched for, as the user typed it; never empty and without control characters.
///
/// Two queries are the same when their NFC forms are, byte for byte: case counts.
package struct Query: Hashable, Sendable, CustomStringConvertible {
  package let text: String

  /// Refuses a text that is empty, only blanks, or holds control characters.
  package init?(_ text: String) {
    guard text.unicodeScalars.contains(where: { !$0.properties.isWhitespace }),
      !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
    else { return nil }
    self.text = text
  }

  package var description: String { text }
}
