internal import FoundationEssentials

/// The base address of a server: http or https, without user, query and fragment, and without a
/// slash at its end; or the whole address of one document there, such as a feed.
package struct ServerAddress: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// The address without its query, which may hold a secret and is never shown.
  package let text: String
  /// The query of a whole address; nil when it has none.
  private let query: String?
  /// Whether it begins with `https`.
  package let isSecure: Bool
  /// Whether its host is this machine: `localhost`, `127.0.0.0/8` or `[::1]`.
  package let isLoopback: Bool
  /// The host in lower case, without brackets and port.
  package let host: String
  /// The host with its port, where that is not the usual one of the scheme, as handles name a server.
  package let authority: String

  /// Refuses what is no absolute http or https address, or carries a user, a query or a fragment.
  package init?(_ text: String) {
    var trimmed = Substring(text)
    while trimmed.hasSuffix("/") { trimmed.removeLast() }
    self.init(base: trimmed, query: nil)
  }

  /// Takes the whole address of a document as it is, but for its fragment.
  ///
  /// `{query}` in it stands for what is searched. Refuses what is no absolute http or https address,
  /// or carries a user.
  package static func whole(_ text: String) -> ServerAddress? {
    let address = text.prefix { $0 != "#" }
    let parts = address.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    guard let base = parts.first, address.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
      return nil
    }
    return ServerAddress(base: base, query: parts.count == 2 ? String(parts[1]) : nil)
  }

  private init?(base trimmed: Substring, query: String?) {
    guard
      let parts = URLComponents(string: String(trimmed).replacing(Self.placeholder, with: "query")),
      let scheme = parts.scheme?.lowercased(),
      scheme == "http" || scheme == "https", let host = parts.host, !host.isEmpty,
      parts.user == nil, parts.password == nil, parts.query == nil, parts.fragment == nil,
      trimmed.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
    else { return nil }
    self.text = String(trimmed)
    self.query = query
    isSecure = scheme == "https"
    var name = host.lowercased()
    if name.hasPrefix("["), name.hasSuffix("]") { name = String(name.dropFirst().dropLast()) }
    self.host = name
    let usualPort = isSecure ? 443 : 80
    authority =
      host.lowercased() + (parts.port.flatMap { $0 == usualPort ? nil : ":\($0)" } ?? "")
    isLoopback = name == "localhost" || name == "::1" || Self.isInLoopbackBlock(name)
  }

  private static func isInLoopbackBlock(_ host: String) -> Bool {
    let octets = host.split(separator: ".", omittingEmptySubsequences: false)
    return octets.count == 4 && octets[0] == "127" && octets.allSatisfy { UInt8($0) != nil }
  }

  private static let placeholder = "{query}"

  /// Whether what is searched is a part of the address.
  package var isTemplate: Bool {
    text.contains(Self.placeholder) || query?.contains(Self.placeholder) == true
  }

  /// The whole address, with what is searched, percent-encoded, in its place.
  package func address(of query: String) -> String {
    let whole = self.query.map { "\(text)?\($0)" } ?? text
    return whole.replacing(Self.placeholder, with: query)
  }

  package var description: String { text }

  package static func < (one: Self, other: Self) -> Bool { one.text < other.text }
}
