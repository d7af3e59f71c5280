internal import FoundationEssentials
internal import SearchModel

/// Restricts addresses in responses to the server that sent them.
enum SameOrigin {
  /// The most bytes that an address of a next page may have; servers' own limits are about this.
  private static let longestAddress = 8192

  /// Returns the path and query of an address; nil if its scheme, host or port is not the server's.
  static func path(of address: String, on server: ServerAddress) -> String? {
    guard address.utf8.count <= longestAddress,
      address.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\") }),
      let parts = URLComponents(string: address), let base = URLComponents(string: server.text)
    else { return nil }
    if parts.scheme != nil || parts.host != nil {
      let isSame =
        (parts.scheme ?? base.scheme)?.lowercased() == base.scheme?.lowercased()
        && parts.host?.lowercased() == base.host?.lowercased() && port(parts) == port(base)
        && parts.user == nil && parts.password == nil
      guard isSame else { return nil }
    }
    let path = parts.percentEncodedPath
    guard path.hasPrefix("/"), !path.hasPrefix("//") else { return nil }
    return path + (parts.percentEncodedQuery.map { "?\($0)" } ?? "")
  }

  /// Returns the address of a path with a server's scheme, host and port.
  static func address(of path: String, on server: ServerAddress) -> String? {
    guard let separator = server.text.firstRange(of: "://"), path.hasPrefix("/") else { return nil }
    let tail = server.text[separator.upperBound...]
    return server.text[..<(tail.firstIndex(of: "/") ?? tail.endIndex)] + path
  }

  private static func port(_ parts: URLComponents) -> Int? {
    parts.port ?? (parts.scheme?.lowercased() == "http" ? 80 : 443)
  }
}
