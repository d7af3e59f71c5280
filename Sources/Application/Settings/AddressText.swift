internal import TextFormats

/// Addresses of servers and proxies as people write them.
package enum AddressText {
  /// Splits a list at its commas; a complete address ends only where the next address begins.
  package static func list(_ text: String, areWhole: Bool) -> [String] {
    var addresses: [String] = []
    for part in text.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
      let part = Substring(part)
      let trimmed = String(part.trimmed)
      let begins = ["http://", "https://"].contains { trimmed.lowercased().hasPrefix($0) }
      if areWhole, !begins, let last = addresses.popLast() {
        addresses.append("\(last),\(part)")
      } else {
        addresses.append(trimmed)
      }
    }
    return addresses.map { address in
      var address = String(address.trimmed)
      while address.hasSuffix(",") { address.removeLast() }
      return address
    }.filter { !$0.isEmpty }
  }

  private static let proxySchemes: Set<Substring> = [
    "http", "https", "socks4", "socks4a", "socks5", "socks5h",
  ]

  /// Returns whether a text is the address of a proxy in the form that libcurl expects.
  package static func isProxy(_ text: String) -> Bool {
    let separator = text.firstRange(of: "://")
    let scheme = separator.map { text[..<$0.lowerBound] } ?? "http"
    let rest = separator.map { text[$0.upperBound...] } ?? text[...]
    let place = rest.lastIndex(of: "@").map { rest[rest.index(after: $0)...] } ?? rest
    return proxySchemes.contains(Substring(scheme.lowercased())) && isHostAndPort(place)
  }

  private static func isHostAndPort(_ text: Substring) -> Bool {
    var text = text
    while text.hasSuffix("/") { text.removeLast() }
    guard !text.isEmpty, text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != 0x2F }) else {
      return false
    }
    if text.hasPrefix("[") {
      guard let end = text.lastIndex(of: "]") else { return false }
      let port = text[text.index(after: end)...]
      return port.isEmpty || port.hasPrefix(":") && UInt16(port.dropFirst()) != nil
    }
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    return !parts[0].isEmpty && (parts.count == 1 || parts.count == 2 && UInt16(parts[1]) != nil)
  }

  /// An address with `***` in place of user and password, and of the query.
  package static func masked(_ text: String) -> String {
    var shown = text
    if let question = shown.firstIndex(of: "?") { shown = shown[..<question] + "?***" }
    if let at = shown.lastIndex(of: "@") {
      let start = shown.firstRange(of: "://")?.upperBound ?? shown.startIndex
      if start <= at { shown = shown[..<start] + "***" + shown[at...] }
    }
    return shown
  }

  /// The advice about a host in letters beyond ASCII, which is written as DNS has it (RFC 5891); empty for any other.
  package static func hint(for text: String) -> String {
    let host = text.firstRange(of: "://").map { text[$0.upperBound...].prefix { $0 != "/" } }
    let isForeign = host?.utf8.contains { $0 >= 0x80 } ?? false
    return isForeign ? " (write its host in ASCII, such as xn--bcher-kva.example)" : ""
  }

  /// An address without user, password, query and fragment.
  package static func censored(_ text: String) -> String {
    var shown = text[..<(text.firstIndex { $0 == "?" || $0 == "#" } ?? text.endIndex)]
    let isCut = shown.endIndex < text.endIndex
    if let at = shown.lastIndex(of: "@") {
      let start = shown.firstRange(of: "://")?.upperBound ?? shown.startIndex
      if start <= at { shown = shown[..<start] + "…" + shown[at...] }
    }
    return isCut ? "\(shown)…" : String(shown)
  }
}
