/// Addresses of the web in texts.
package enum WebAddress {
  /// Whether a text is an absolute http or https address, as far as its beginning says.
  package static func isOne(_ text: String) -> Bool {
    begins(text.utf8, with: "https://") || begins(text.utf8, with: "http://")
  }

  /// Whether more stands behind a scheme, of which case does not count.
  private static func begins(_ text: String.UTF8View, with scheme: StaticString) -> Bool {
    let length = scheme.utf8CodeUnitCount
    guard text.count > length else { return false }
    var expected = unsafe scheme.utf8Start
    var rest = length
    for byte in text {
      let isUpper = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
      guard unsafe (isUpper ? byte | 0x20 : byte) == expected.pointee else { return false }
      unsafe expected += 1
      rest -= 1
      if rest == 0 { return true }
    }
    return false
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
