internal import FoundationEssentials
internal import TextFormats

/// The base address of a server: http or https, without user, query and fragment, and without a
/// slash at its end; or the whole address of one document, such as a feed.
package struct ServerAddress: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// The parts, shared by all copies: millions of posts and searches name one of a few servers.
  private final class Parts: Sendable {
    let text: String
    let query: String?
    let isSecure: Bool
    let isLoopback: Bool
    let host: String
    let authority: String
    let isTemplate: Bool
    /// The address with its query.
    let whole: String
    /// The parts of the address around each placeholder for the search text; empty if it has none.
    let pieces: [String]

    init(
      text: String, query: String?, isSecure: Bool, isLoopback: Bool, host: String,
      authority: String
    ) {
      self.text = text
      self.query = query
      self.isSecure = isSecure
      self.isLoopback = isLoopback
      self.host = host
      self.authority = authority
      isTemplate =
        ByteSearch.contains(ServerAddress.placeholder, in: text)
        || query.map { ByteSearch.contains(ServerAddress.placeholder, in: $0) } == true
      whole = query.map { "\(text)?\($0)" } ?? text
      pieces =
        isTemplate ? whole.components(separatedBy: ServerAddress.placeholder) : []
    }
  }

  private let parts: Parts

  /// The address without its query, which may contain a secret and is never shown.
  package var text: String { parts.text }
  /// The query of a whole address; nil if it has none.
  private var query: String? { parts.query }
  /// True if the scheme is `https`.
  package var isSecure: Bool { parts.isSecure }
  /// True if the host is this machine: `localhost`, `127.0.0.0/8` or `[::1]`.
  package var isLoopback: Bool { parts.isLoopback }
  /// The host in lower case, without brackets and port.
  package var host: String { parts.host }
  /// The host, with its port unless that is the scheme's default; handles name servers like this.
  package var authority: String { parts.authority }

  /// Creates a base address; nil for anything but an absolute http or https address without user,
  /// query and fragment.
  package init?(_ text: String) {
    var trimmed = Substring(text)
    while trimmed.hasSuffix("/") { trimmed.removeLast() }
    self.init(base: trimmed, query: nil)
  }

  /// Creates the address of a document, which is kept unchanged except for its fragment and the
  /// case of its host.
  ///
  /// `{query}` in it is replaced by the search text. Returns nil for anything but an absolute http or
  /// https address without a user.
  package static func whole(_ text: String) -> ServerAddress? {
    let address = text.utf8.prefix { $0 != UInt8(ascii: "#") }
    let base = address.prefix { $0 != UInt8(ascii: "?") }
    guard address.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return nil }
    let query = address[base.endIndex...].dropFirst()
    return ServerAddress(
      base: Substring(base),
      query: base.endIndex < address.endIndex ? String(Substring(query)) : nil)
  }

  private init?(base: Substring, query: String?) {
    let plain = Origin(plain: base)
    guard let origin = plain ?? Origin(parsing: base) else { return nil }
    let defaultPort = origin.isSecure ? 443 : 80
    let port = origin.port.flatMap { $0 == defaultPort ? nil : ":\($0)" } ?? ""
    var name = origin.host
    if name.hasPrefix("["), name.hasSuffix("]") { name = String(name.dropFirst().dropLast()) }
    let hasDefaultPort = origin.port == defaultPort
    let isNormal = plain != nil && !hasDefaultPort
    parts = Parts(
      text: isNormal ? String(base) : Self.normalized(base, withoutPort: hasDefaultPort),
      query: query,
      isSecure: origin.isSecure,
      isLoopback: name == "localhost" || name == "::1" || Self.isInLoopbackBlock(name), host: name,
      authority: origin.host + port)
  }

  /// The address with its scheme and host in lower case, and perhaps without its port, if that is the default one, which
  /// makes no difference to servers (RFC 3986, sections 6.2.2.1 and 6.2.3).
  private static func normalized(_ base: Substring, withoutPort: Bool) -> String {
    let path = base.utf8.firstIndex(of: UInt8(ascii: ":")).flatMap { colon in
      base.utf8[colon...].dropFirst(3).firstIndex(of: UInt8(ascii: "/"))
    }
    let end = path ?? base.endIndex
    var origin = base[..<end].lowercased()
    if withoutPort, let colon = origin.lastIndex(of: ":") { origin.removeSubrange(colon...) }
    return origin + base[end...]
  }

  /// The scheme, host and port of a base address.
  private struct Origin {
    let isSecure: Bool
    /// In lower case.
    let host: String
    let port: Int?

    /// Reads an address in which there is nothing to decode; nil for any other.
    // Foundation takes ten times as long, and networks name the server of each author.
    init?(plain address: Substring) {
      guard
        let scheme = ["https://", "http://"].first(where: { address.utf8.starts(with: $0.utf8) })
      else { return nil }
      isSecure = scheme == "https://"
      let rest = address.utf8.dropFirst(scheme.utf8.count)
      let host = rest.prefix { byte in
        byte.isASCIILetterOrDigit && byte == byte.lowercasedASCII || "-.".utf8.contains(byte)
      }
      var path = rest[host.endIndex...]
      guard !host.isEmpty else { return nil }
      self.host = String(Substring(host))
      if path.first == UInt8(ascii: ":") {
        let digits = path.dropFirst().prefix(while: \.isASCIIDigit)
        guard let number = UInt16(Substring(digits)), digits.first != 0x30 else { return nil }
        port = Int(number)
        path = path[digits.endIndex...]
      } else {
        port = nil
      }
      guard path.first ?? UInt8(ascii: "/") == UInt8(ascii: "/"), path.allSatisfy(Self.isPlain)
      else { return nil }
    }

    /// Reads any address; nil if it has a user, a query or a fragment.
    init?(parsing address: Substring) {
      guard address.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }),
        let url = URLComponents(
          string: ByteSearch.replacing(placeholder, in: String(address), with: "query")),
        let scheme = url.scheme?.lowercased(), scheme == "http" || scheme == "https",
        let host = url.host, !host.isEmpty,
        url.user == nil, url.password == nil, url.query == nil, url.fragment == nil
      else { return nil }
      isSecure = scheme == "https"
      self.host = host.lowercased()
      port = url.port
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
      byte.isASCIILetterOrDigit || "/-._~@".utf8.contains(byte)
    }
  }

  private static func isInLoopbackBlock(_ host: String) -> Bool {
    guard host.utf8.starts(with: "127.".utf8) else { return false }
    let octets = host.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return octets.count == 4 && octets.allSatisfy { UInt8(Substring($0)) != nil }
  }

  private static let placeholder = "{query}"

  /// True if the search text is a part of the address.
  package var isTemplate: Bool { parts.isTemplate }

  /// The whole address, with a percent-encoded search text in place of `{query}`.
  package func address(of query: String) -> String {
    isTemplate ? parts.pieces.joined(separator: query) : parts.whole
  }

  /// The scheme and host of a web address, with its port unless that is the default; nil if it is malformed.
  package static func origin(of address: String) -> String? {
    guard let server = WebLink.origin(of: address).flatMap({ ServerAddress($0) }) else {
      return nil
    }
    return "\(server.isSecure ? "https" : "http")://\(server.authority)"
  }

  package var description: String { text }

  package static func == (one: Self, other: Self) -> Bool {
    one.parts === other.parts || (one.text == other.text && one.query == other.query)
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(text)
    hasher.combine(query)
  }

  package static func < (one: Self, other: Self) -> Bool { one.text < other.text }
}
