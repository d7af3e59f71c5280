/// Addresses of the web in texts.
package enum WebAddress {
  /// Whether a text is an absolute http or https address, as far as its beginning says.
  package static func isOne(_ text: String) -> Bool {
    let scheme = text.utf8.prefix(8).map { $0 | 0x20 }
    return (scheme.starts(with: "https://".utf8) && text.utf8.count > 8)
      || (scheme.starts(with: "http://".utf8) && text.utf8.count > 7)
  }

  /// Whether a link's text is its address cut short: `example.com/lo…` of
  /// `https://www.example.com/long`.
  package static func isShortened(_ shown: String, of address: String) -> Bool {
    var shown = Substring(shown)
    if shown.hasSuffix("…") {
      shown.removeLast()
    } else if shown.hasSuffix("...") {
      shown.removeLast(3)
    } else {
      return false
    }
    return !shown.isEmpty && withoutScheme(Substring(address)).hasPrefix(withoutScheme(shown))
  }

  private static func withoutScheme(_ address: Substring) -> Substring {
    var rest = address
    for beginning in ["https://", "http://", "www."] where rest.hasPrefix(beginning) {
      rest = rest.dropFirst(beginning.count)
    }
    return rest
  }
}
