internal import SearchModel
internal import SearchSources

/// A source with the servers that it is asked on.
struct SourceSetup: Sendable {
  /// One server with the secrets that may be sent to it.
  struct Server: Sendable {
    var address: ServerAddress
    var credentials: Credentials?
    /// Why there are none although they may be wanted; nil when there is nothing to say.
    var missing: String?
  }

  var source: any Source
  var servers: [Server]

  /// Whether a run asks it without being told to: it has an address, and all that it needs.
  var isAskedByDefault: Bool { servers.contains { isReady($0) } }

  /// Whether a server can be asked with what there is.
  func isReady(_ server: Server) -> Bool {
    server.credentials != nil || !source.traits.needsCredentials
  }

  /// The variable that holds a source's addresses: `SEARCHAGG_TWITTER_CLASSIC_URL`.
  static func addressVariable(of source: SourceName) -> String {
    SettingOrigin.variableName(of: "\(source)-url")
  }
}
