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
    /// What to do where this server wants a credential and has none; nil where the source's own advice,
    /// to set the variables that it knows, is right.
    var credentialAdvice: String?
    /// The variables of this server by those that its source knows, where they are others.
    var ownNames: [String: String] = [:]
    /// Why the credentials that are set cannot be sent to anybody.
    var badCredential: Failure?
    /// The variables that are set and not sent to this server.
    var withheld: [String] = []

    /// What a source says about a missing credential, in the words that help with this server.
    func reason(_ text: String) -> String {
      var text = text
      for (name, own) in ownNames { text = text.replacing(name, with: own) }
      guard credentials == nil, ownNames.isEmpty, let credentialAdvice else { return text }
      return "\(text): \(credentialAdvice)"
    }
  }

  var source: any Source
  var servers: [Server]

  /// Whether a run asks it without being told to: it has an address, and all that it needs.
  var isAskedByDefault: Bool { servers.contains { isAskedByDefault($0) } }

  /// Whether a run asks a server without being told to.
  func isAskedByDefault(_ server: Server) -> Bool {
    // One whose credential is unusable is asked for, so that the outcome says so.
    server.badCredential != nil
      || isReady(server) && (server.credentials != nil || source.traits.answersStrangers)
  }

  /// Whether a server can be asked with what there is.
  func isReady(_ server: Server) -> Bool {
    server.credentials != nil || !source.traits.needsCredentials
  }

  /// A line for each reason why credentials are there and are not sent; none for a server that is not
  /// asked without them, as the outcome says it there.
  var warnings: [String] {
    var reasons: [String] = []
    var addresses: [String: [String]] = [:]
    for server in servers where !server.withheld.isEmpty && isReady(server) {
      let names = server.withheld.joined(separator: " and ")
      let reason = "\(names) \(server.withheld.count == 1 ? "is" : "are") not sent"
      let key = "\(reason): \(server.missing ?? "")"
      if addresses[key] == nil { reasons.append(key) }
      addresses[key, default: []].append(server.address.text)
    }
    return reasons.map { reason in
      "\(source.name) (\(addresses[reason, default: []].joined(separator: ", "))): \(reason)"
    }
  }

  /// The variable that holds a source's addresses: `SEARCHAGG_TWITTER_CLASSIC_URL`.
  static func addressVariable(of source: SourceName) -> String {
    SettingOrigin.variableName(of: "\(source)-url")
  }
}
