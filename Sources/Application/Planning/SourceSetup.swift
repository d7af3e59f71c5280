package import SearchModel
package import SearchSources

/// A source with its servers.
package struct SourceSetup: Sendable {
  /// One server with the secrets that may be sent to it.
  package struct Server: Sendable {
    package var address: ServerAddress
    package var credentials: Credentials?
    /// The reason there are none although they may be useful; nil if there is no reason.
    package var missing: String?
    /// Advice for a missing credential of this server; nil if the source's own advice, to set the
    /// variables that it knows, is right.
    package var credentialAdvice: String?
    /// The variables of this server, by the source's own variables that they replace.
    package var ownNames: [String: String] = [:]
    /// The reason the credentials that are set cannot be sent at all.
    package var badCredential: Failure?
    /// The variables that are set and not sent to this server.
    package var withheld: [String] = []
    /// The name of a feed in the user's list, and of its folder.
    package var title: String?
    package var folder: String?

    package init(address: ServerAddress) { self.address = address }

    /// A source's message about a missing credential, adapted to this server.
    func reason(_ text: String) -> String {
      var text = text
      for (name, own) in ownNames { text = text.replacing(name, with: own) }
      guard credentials == nil, ownNames.isEmpty, let credentialAdvice else { return text }
      return "\(text): \(credentialAdvice)"
    }
  }

  package var source: any Source
  package var servers: [Server]
  /// The variable that holds its addresses: `SEARCHAGG_TWITTER_CLASSIC_URL`.
  package let addressVariable: String
  /// True if it is asked only when it is named.
  package let isOff: Bool

  package init(
    source: any Source, servers: [Server], addressVariable: String, isOff: Bool = false
  ) {
    self.source = source
    self.servers = servers
    self.addressVariable = addressVariable
    self.isOff = isOff
  }

  /// True if a run asks it by default: it has an address and everything it needs.
  package var isAskedByDefault: Bool { servers.contains { isAskedByDefault($0) } }

  /// Returns whether a run asks a server by default.
  func isAskedByDefault(_ server: Server) -> Bool {
    // A server whose credential is unusable is included, so that the outcome says so.
    !isOff && server.badCredential != nil
      || !isOff && isReady(server)
        && (server.credentials != nil || source.traits.isSearchedAnonymously)
  }

  /// Returns whether a server can be asked with the credentials that are set.
  package func isReady(_ server: Server) -> Bool {
    server.credentials != nil || !source.traits.needsCredentials
  }

  /// A line for each reason why credentials are set but not sent; none for a server that is not asked
  /// without them, since the outcome says so.
  package var warnings: [String] {
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
}
