/// An address in the form by which copies of a post are found: two addresses of one page are equal.
struct CanonicalLink: Hashable, Sendable {
  /// The longest address that is compared, in bytes.
  private static let longest = 2048
  private static let campaigns: Set<String> = ["fbclid", "gclid"]

  /// The host in lower case, with its port unless that is the scheme's default.
  let host: String
  /// The path without a trailing slash, and the query without campaign parameters (`utm_…`).
  private let pathAndQuery: String

  /// True if it is the address of a site, and not of a page.
  var isSite: Bool { pathAndQuery.isEmpty }

  /// Reads an http or https address; the two schemes are equivalent, and the fragment is ignored.
  init?(_ address: String) {
    guard address.utf8.count <= Self.longest, let separator = address.firstRange(of: "://"),
      ["http", "https"].contains(address[..<separator.lowerBound].lowercased())
    else { return nil }
    var address = address[separator.upperBound...]
    if let fragment = address.firstIndex(of: "#") { address = address[..<fragment] }
    let end = address.firstIndex { $0 == "/" || $0 == "?" } ?? address.endIndex
    var host = address[..<end].lowercased()
    for port in [":80", ":443"] where host.hasSuffix(port) { host.removeLast(port.count) }
    guard !host.isEmpty else { return nil }
    self.host = host
    let mark = address.firstIndex(of: "?") ?? address.endIndex
    var path = address[end..<mark]
    while path.hasSuffix("/") { path.removeLast() }
    let items = address[mark...].dropFirst().split(separator: "&").filter { item in
      let name = item.prefix { $0 != "=" }.lowercased()
      return !name.hasPrefix("utm_") && !Self.campaigns.contains(name)
    }
    pathAndQuery = items.isEmpty ? String(path) : "\(path)?\(items.joined(separator: "&"))"
  }
}
