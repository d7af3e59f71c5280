/// The program that a server of the fediverse runs, as the server itself says.
package struct ServerSoftware: Hashable, Sendable {
  /// In lower case, such as `mastodon` or `gotosocial`.
  package var name: String
  /// As the program writes it, such as `0.19.20`; nil when it was not said.
  package var version: String?

  package init(name: String, version: String? = nil) {
    self.name = name.lowercased()
    self.version = version
  }
}
