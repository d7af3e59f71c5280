#if os(Linux)
  @_spi(_Unicode) internal import Swift
#endif

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
    self.text = Self.nfc(text)
  }

  package var description: String { text }

  // Strings that differ in their normal form alone are equal to Swift, and neither to the networks nor
  // to those who compare the bytes of `tags.json`. The standard library of Apple's platforms does not
  // show its NFC; there a query stays as it was typed, and is compared no worse.
  private static func nfc(_ text: String) -> String {
    #if os(Linux)
      String(String.UnicodeScalarView(text._nfc))
    #else
      text
    #endif
  }
}
