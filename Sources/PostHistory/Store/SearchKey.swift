package import SearchModel

/// A search as runs remember it: one tag on one source on one server.
package struct SearchKey: Hashable, Sendable {
  package var tag: String
  /// True for a tag in the network's own syntax.
  package var isRaw: Bool
  package var source: SourceName
  package var server: String

  package init(tag: String, isRaw: Bool = false, source: SourceName, server: ServerAddress) {
    self.tag = tag
    self.isRaw = isRaw
    self.source = source
    self.server = Self.name(of: server)
  }

  /// - Parameter serverName: The server as `server` has it.
  init(tag: String, isRaw: Bool, source: SourceName, serverName: String) {
    self.tag = tag
    self.isRaw = isRaw
    self.source = source
    server = serverName
  }

  /// A server's address, followed by a hash of its query, which may hold a secret.
  static func name(of server: ServerAddress) -> String {
    let whole = server.address(of: "{query}")
    guard whole.utf8.count > server.text.utf8.count else { return server.text }
    return "\(server.text)?#\(whole.nameHash)"
  }
}
