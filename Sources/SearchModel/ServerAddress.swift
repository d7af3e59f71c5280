internal import FoundationEssentials

/// The base address of a server: http or https, without user, query and fragment, and without a
/// slash at its end.
package struct ServerAddress: Hashable, Sendable, Comparable, CustomStringConvertible {
  package let text: String
  /// Whether it begins with `https`.
  package let isSecure: Bool
  /// Whether its host is this machine: `localhost`, `127.0.0.0/8` or `[::1]`.
  package let isLoopback: Bool
  /// The host in lower case, without brackets and port.
  package let host: String

  /// Refuses what is no absolute http or https address, or carries a user, a query or a fragment.
  package init?(_ text: String) {
    var trimmed = Substring(text)
    while trimmed.hasSuffix("/") { trimmed.removeLast() }
    guard let parts = URLComponents(string: String(trimmed)),
      let scheme = parts.scheme?.lowercased(),
      scheme == "http" || scheme == "https", let host = parts.host, !host.isEmpty,
      parts.user == nil, parts.password == nil, parts.query == nil, parts.fragment == nil,
      trimmed.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
    else { return nil }
    self.text = String(trimmed)
    isSecure = scheme == "https"
    var name = host.lowercased()
    if name.hasPrefix("["), name.hasSuffix("]") { name = String(name.dropFirst().dropLast()) }
    self.host = name
    isLoopback = name == "localhost" || name == "::1" || Self.isInLoopbackBlock(name)
  }

  private static func isInLoopbackBlock(_ host: String) -> Bool {
    let octets = host.split(separator: ".", omittingEmptySubsequences: false)
    return octets.count == 4 && octets[0] == "127" && octets.allSatisfy { UInt8($0) != nil }
  }

  package var description: String { text }

  package static func < (one: Self, other: Self) -> Bool { one.text < other.text }
}
