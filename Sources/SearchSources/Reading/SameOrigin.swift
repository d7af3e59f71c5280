internal import FoundationEssentials
internal import QueuedHTTP
internal import SearchModel
internal import TextFormats

/// Restricts addresses in responses to the server that sent them.
enum SameOrigin {
  /// The most bytes that an address of a next page may have; servers' own limits are about this.
  private static let longestAddress = 8192

  /// Returns the path and query of an address; nil if its scheme, host or port is not the server's.
  static func path(of address: String, on server: ServerAddress) -> String? {
    guard address.utf8.count <= longestAddress, address.utf8.allSatisfy(isAllowed),
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

  /// Returns the path and query of a next page; nil if that is on another server.
  ///
  /// The address may be relative (RFC 3986, section 5). It is on the same server, too, if it is where a redirect led
  /// to, or names http on a server that is asked by https, or has the path of the response, as behind a tunnel, where
  /// servers name pages by an address of their own: the page is requested where the first one was.
  static func path(
    ofNext address: String, in response: HTTPResponse, on server: ServerAddress
  ) -> String? {
    let base = response.url.isEmpty ? server.text : response.url
    guard address.utf8.allSatisfy(isAllowed), let whole = WebLink.resolved(address, against: base)
    else { return nil }
    if let path = path(of: whole, on: server) { return path }
    guard let origin = WebLink.origin(of: whole),
      origin == WebLink.origin(of: response.url) || WebLink.leads(from: whole, to: server.text)
        || URLComponents(string: whole)?.percentEncodedPath
          == URLComponents(string: response.url)?.percentEncodedPath
    else { return nil }
    return ServerAddress(origin).flatMap { path(of: whole, on: $0) }
  }

  /// Returns the address of a path with a server's scheme, host and port.
  static func address(of path: String, on server: ServerAddress) -> String? {
    guard let separator = server.text.firstRange(of: "://"), path.hasPrefix("/") else { return nil }
    let tail = server.text[separator.upperBound...]
    return server.text[..<(tail.firstIndex(of: "/") ?? tail.endIndex)] + path
  }

  private static func isAllowed(_ byte: UInt8) -> Bool {
    byte > 0x20 && byte < 0x7F && byte != UInt8(ascii: "\\")
  }

  private static func port(_ parts: URLComponents) -> Int? {
    parts.port ?? (parts.scheme?.lowercased() == "http" ? 80 : 443)
  }
}
