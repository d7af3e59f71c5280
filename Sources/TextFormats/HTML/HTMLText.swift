/// What a piece of HTML says, as plain text, and where it links to.
///
/// A paragraph's end is a blank line and `<br>` a line's end; lists get `-` or numbers, quotes `>`;
/// scripts and styles are left out, and blanks are one outside `<pre>`. Pieces of any shape may come:
/// tags that never close, entities in addresses, nesting without end.
package struct HTMLText: Hashable, Sendable {
  /// The text, without a blank at its ends.
  package var text: String
  /// The http and https addresses of its `<a>`, in order, each once.
  package var links: [String]

  package init(text: String, links: [String] = []) {
    self.text = text
    self.links = links
  }

  /// How much of a piece is read; what stands behind it is left out.
  static let sizeLimit = 1 << 20

  /// Reads a piece of HTML; never fails.
  ///
  /// - Parameters:
  ///   - classes: Links of these classes are no links of their own, such as the hashtags and mentions
  ///     of a Mastodon post; their text stays.
  ///   - base: The address that links without a host are meant from; nil leaves them out.
  package static func read(
    _ html: String, leavingOutLinksOf classes: [String] = [], relativeTo base: String? = nil
  ) -> HTMLText {
    let builder = HTMLTextBuilder(leavingOutLinksOf: classes, relativeTo: base)
    var html = html
    html.withUTF8 { bytes in
      // Most posts' plain paragraphs need no parser at all.
      if unsafe bytes.contains(where: { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: "&") }) {
        unsafe HTMLParser.parse(cut(bytes), into: builder)
      } else {
        unsafe builder.characters(cut(bytes))
      }
    }
    return builder.finish()
  }

  /// The first bytes within the limit, up to a whole character.
  private static func cut(_ bytes: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
    guard bytes.count > sizeLimit else { return unsafe bytes }
    var end = sizeLimit
    while end > 0, unsafe bytes[end] & 0xC0 == 0x80 { end -= 1 }
    return unsafe UnsafeBufferPointer(rebasing: bytes[..<end])
  }
}
