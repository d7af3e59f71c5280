package import SearchModel
internal import SearchSources

/// What a session belongs to: an account of a source on a server.
package struct SessionPlace: Hashable, Sendable {
  package let source: SourceName
  package let server: ServerAddress
  /// The name that the login is made with; never a secret.
  package let account: String

  package init(source: SourceName, server: ServerAddress, account: String) {
    self.source = source
    self.server = server
    self.account = account
  }

  /// The place of a search that has an identifier and a password, in this order.
  init?(_ search: Search) {
    guard let values = search.credentials?.values, let account = values.first, values.count > 1
    else { return nil }
    self.init(source: search.source.name, server: search.server, account: account)
  }
}
