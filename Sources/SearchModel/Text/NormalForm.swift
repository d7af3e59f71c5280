@_spi(_Unicode) internal import Swift

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
