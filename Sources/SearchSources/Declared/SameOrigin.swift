internal import FoundationEssentials
internal import SearchModel

/// Keeps what a server says about its next page on that server.
enum SameOrigin {
  /// The path and query of an address that a server named; nil where it lies anywhere but on the
  /// scheme, host and port that were asked.
  static func path(of address: String, on server: ServerAddress) -> String? {
    guard address.utf8.count <= DeclaredPaging.longestMark,
      address.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\") }),
      let parts = URLComponents(string: address), let asked = URLComponents(string: server.text)
    else { return nil }
    if parts.scheme != nil || parts.host != nil {
      let isSame =
        (parts.scheme ?? asked.scheme)?.lowercased() == asked.scheme?.lowercased()
        && parts.host?.lowercased() == asked.host?.lowercased() && port(parts) == port(asked)
        && parts.user == nil && parts.password == nil
      guard isSame else { return nil }
    }
    let path = parts.percentEncodedPath
    guard path.hasPrefix("/"), !path.hasPrefix("//") else { return nil }
    return path + (parts.percentEncodedQuery.map { "?\($0)" } ?? "")
  }

  /// The address of a path on a server's scheme, host and port.
  static func address(of path: String, on server: ServerAddress) -> String? {
    guard let separator = server.text.firstRange(of: "://"), path.hasPrefix("/") else { return nil }
    let rest = server.text[separator.upperBound...]
    return server.text[..<(rest.firstIndex(of: "/") ?? rest.endIndex)] + path
  }

  private static func port(_ parts: URLComponents) -> Int? {
    parts.port ?? (parts.scheme?.lowercased() == "http" ? 80 : 443)
  }
}
