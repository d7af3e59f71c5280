/// An address by which copies of a post are found: two that lead to one page are equal.
struct CanonicalLink: Hashable, Sendable {
  /// Longer ones are not compared.
  private static let longest = 2048
  private static let campaigns: Set<String> = ["fbclid", "gclid"]

  /// The host in lower case, with its port where that is not the scheme's own.
  let host: String
  /// The path without a slash at its end, and the query without the marks of campaigns (`utm_…`).
  private let rest: String

  /// Whether it leads to a site as a whole, not to a page of its own.
  var isSite: Bool { rest.isEmpty }

  /// Reads an address of http or https, which count as one; the fragment does not count.
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
    rest = items.isEmpty ? String(path) : "\(path)?\(items.joined(separator: "&"))"
  }
}
