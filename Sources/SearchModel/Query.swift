@_spi(_Unicode) internal import Swift

/// What is searched for, as the user typed it but in NFC; never empty and without control characters.
///
/// Two queries are the same when their NFC forms are, byte for byte: case counts.
package struct Query: Hashable, Sendable, CustomStringConvertible {
  package let text: String

  /// Refuses a text that is empty, only blanks, or holds control characters.
  package init?(_ text: String) {
    guard text.unicodeScalars.contains(where: { !$0.properties.isWhitespace }),
      !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
    else { return nil }
    // Strings that differ in their normal form alone are equal to Swift and not to the networks, nor
    // to those who compare bytes of `tags.json`.
    self.text = String(String.UnicodeScalarView(text._nfc))
  }

  package var description: String { text }
}
