internal import FoundationEssentials

extension WebAddress {
  /// Returns the address of the web that a reference means where `base` is the address of what it
  /// stands in (RFC 3986, section 5); nil when it is none of http or https.
  ///
  /// An address that is whole stays as it is written, without blanks at its ends and within.
  package static func resolved(_ reference: String, against base: String?) -> String? {
    let isClean = reference.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F }
    let text = isClean ? reference : cleaned(reference)
    if isOne(text) { return text }
    guard let base, isOne(base), !text.isEmpty, text.utf8.count <= 8192, !hasScheme(text),
      let origin = URL(string: base), let address = URL(string: text, relativeTo: origin)
    else { return nil }
    let whole = address.absoluteString
    return isOne(whole) ? whole : nil
  }

  /// Returns scheme, host and port of an address of the web (RFC 6454); nil when it is none.
  package static func origin(of address: String) -> String? {
    guard isOne(address), let parts = URLComponents(string: address),
      let scheme = parts.scheme?.lowercased(), let host = parts.host?.lowercased()
    else { return nil }
    return "\(scheme)://\(host):\(parts.port ?? (scheme == "https" ? 443 : 80))"
  }

  /// Without line ends and tabs, and without blanks at the ends (WHATWG URL, section 4.4).
  private static func cleaned(_ text: String) -> String {
    var bytes = text.utf8.filter { $0 >= 0x20 && $0 != 0x7F }[...]
    while bytes.first == 0x20 { bytes.removeFirst() }
    while bytes.last == 0x20 { bytes.removeLast() }
    return String(decoding: bytes, as: UTF8.self).replacing(" ", with: "%20")
  }

  /// Whether it begins with a scheme, as `mailto:` and `javascript:` do.
  private static func hasScheme(_ text: String) -> Bool {
    guard let end = text.utf8.firstIndex(where: { ":/?#".utf8.contains($0) }),
      text.utf8[end] == UInt8(ascii: ":"), end > text.startIndex
    else { return false }
    return text.utf8[..<end].allSatisfy { byte in
      (byte | 0x20) &- UInt8(ascii: "a") <= 25 || byte &- UInt8(ascii: "0") <= 9
        || "+-.".utf8.contains(byte)
    }
  }
}
