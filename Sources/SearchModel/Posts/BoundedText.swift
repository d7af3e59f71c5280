/// The texts of posts within a maximum size, as anybody may send anything.
package enum BoundedText {
  /// The maximum size of a title, a text or an author's name in UTF-8; longer ones are cut.
  package static let longest = 256 * 1024

  /// Returns a text within the maximum, with an ellipsis if it was cut.
  static func of(_ text: String) -> String {
    let utf8 = text.utf8
    guard utf8.count > longest else { return text }
    let mark = "…"
    var end = utf8.index(utf8.startIndex, offsetBy: longest - mark.utf8.count)
    // Not within a character.
    while utf8[end] & 0xC0 == 0x80 { end = utf8.index(before: end) }
    return text[..<end] + mark
  }
}
