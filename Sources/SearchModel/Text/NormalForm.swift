#if os(Linux)
  @_spi(_Unicode) internal import Swift
#endif

/// The normal form of texts that are compared by their scalars.
package enum NormalForm {
  // Strings that differ in their normal form alone are equal to Swift, and neither to the networks nor
  // to those who compare the bytes of `tags.json`. The standard library of Apple's platforms does not
  // show its NFC; there a text stays as it was typed, and is compared no worse.
  /// Returns a text in NFC.
  package static func composed(_ text: String) -> String {
    #if os(Linux)
      text.utf8.allSatisfy { $0 < 0x80 } ? text : String(String.UnicodeScalarView(text._nfc))
    #else
      text
    #endif
  }

  /// Returns a text without its accents, and without the other marks that take no place of their own.
  package static func bare(_ text: String) -> String {
    #if os(Linux)
      if text.utf8.allSatisfy({ $0 < 0x80 }) { return text }
      let letters = text._nfd.lazy.filter { $0.properties.generalCategory != .nonspacingMark }
      return String(String.UnicodeScalarView(letters))
    #else
      return text
    #endif
  }
}
