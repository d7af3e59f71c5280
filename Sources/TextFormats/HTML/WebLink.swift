internal import FoundationEssentials

/// URLs of the web in texts.
package enum WebLink {
  /// Returns whether a link's text is its shortened URL: `example.com/lo…` for
  /// `https://www.example.com/long`.
  package static func isShortened(_ shown: String, of address: String) -> Bool {
    // The last bytes of an ellipsis and of a dot; few links end in them.
    guard let last = shown.utf8.last, last == 0xA6 || last == UInt8(ascii: ".") else {
      return false
    }
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

  /// Resolves a reference against the URL of the document that contains it (RFC 3986, section 5);
  /// nil if the result is not an http or https URL.
  ///
  /// An absolute URL stays as written, except for blanks.
  package static func resolved(_ reference: String, against base: String?) -> String? {
    let isClean = reference.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F }
    let text = isClean ? reference : cleaned(reference)
    if text.isHTTPURL { return text }
    guard let base, base.isHTTPURL, !text.isEmpty, text.utf8.count <= 8192, !hasScheme(text),
      let origin = URL(string: base), let address = URL(string: text, relativeTo: origin)
    else { return nil }
    let whole = address.absoluteString
    return whole.isHTTPURL ? whole : nil
  }

  /// Returns the scheme, host and port of an http or https URL (RFC 6454), or nil.
  package static func origin(of address: String) -> String? {
    guard address.isHTTPURL, let parts = URLComponents(string: address),
      let scheme = parts.scheme?.lowercased(), let host = parts.host?.lowercased()
    else { return nil }
    return "\(scheme)://\(host):\(parts.port ?? (scheme == "https" ? 443 : 80))"
  }

  /// Returns whether a link stays on the server of the document that contains it, or leads to https of
  /// the same host.
  package static func leads(from document: String, to link: String) -> Bool {
    guard let start = origin(of: document), let end = origin(of: link) else { return false }
    if start == end { return true }
    guard start.hasPrefix("http://"), end.hasPrefix("https://") else { return false }
    let upgraded = "https://" + start.dropFirst("http://".count)
    return end == upgraded
      || upgraded.hasSuffix(":80") && end == upgraded.dropLast(":80".count) + ":443"
  }

  /// The text without line ends, tabs and surrounding blanks (WHATWG URL, section 4.4).
  private static func cleaned(_ text: String) -> String {
    var bytes = text.utf8.filter { $0 >= 0x20 && $0 != 0x7F }[...]
    while bytes.first == 0x20 { bytes.removeFirst() }
    while bytes.last == 0x20 { bytes.removeLast() }
    return String(decoding: bytes, as: UTF8.self).replacing(" ", with: "%20")
  }

  /// Returns whether a text begins with a scheme, such as `mailto:` or `javascript:`.
  private static func hasScheme(_ text: String) -> Bool {
    guard let end = text.utf8.firstIndex(where: { ":/?#".utf8.contains($0) }),
      text.utf8[end] == UInt8(ascii: ":"), end > text.startIndex
    else { return false }
    return text.utf8[..<end].allSatisfy { byte in
      byte.isASCIILetterOrDigit || "+-.".utf8.contains(byte)
    }
  }
}

extension String {
  /// True if the text begins like an absolute http or https URL.
  package var isHTTPURL: Bool {
    var text = self
    return text.withUTF8 { unsafe $0.isHTTPURL }
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Returns the same for a text in UTF-8.
  @unsafe
  package var isHTTPURL: Bool { unsafe begins(with: "https://") || begins(with: "http://") }

  /// Returns whether the text is longer than a scheme and begins with it, ignoring case.
  private func begins(with scheme: StaticString) -> Bool {
    let length = scheme.utf8CodeUnitCount
    guard count > length else { return false }
    for position in 0..<length {
      guard unsafe self[position].lowercasedASCII == scheme.utf8Start[position] else {
        return false
      }
    }
    return true
  }
}
