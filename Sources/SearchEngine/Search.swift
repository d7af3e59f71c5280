package import QueuedHTTP
package import SearchModel
package import SearchSources

extension Lane {
  /// What all requests of the lane are cancelled by.
  var group: RequestGroup { RequestGroup(rawValue: rawValue) }
}

/// One tag on one source on one server.
package struct Search: Sendable {
  package var query: Query
  package var source: any Source
  package var server: ServerAddress
  package var priority: RequestPriority
  /// The most posts that it brings; nil for no cap.
  package var cap: Int?
  /// Whether nobody asked for this cap, so that a search which brings less has not fallen short.
  package var isCapDefault: Bool
  /// The credentials for this server; nil asks anonymously.
  package var credentials: Credentials?
  /// What to do where the server wants a credential and has none; nil for what its source says.
  package var credentialAdvice: String?

  package init(
    query: Query, source: any Source, server: ServerAddress, priority: RequestPriority = .normal,
    cap: Int? = nil, isCapDefault: Bool = false, credentials: Credentials? = nil,
    credentialAdvice: String? = nil
  ) {
    self.query = query
    self.source = source
    self.server = server
    self.priority = priority
    self.cap = cap
    self.isCapDefault = isCapDefault
    self.credentials = credentials
    self.credentialAdvice = credentialAdvice
  }

  /// Limits, pace and cool-down are kept for a source on a server, so that networks behind one
  /// gateway do not freeze one another.
  package var lane: Lane { Lane(rawValue: "\(source.name) \(server)") }

  /// The pace that its source asks for; nil on an address that the user set, which the network's own
  /// rules do not bind.
  package var statedPace: Pace? {
    let traits = source.traits
    let isOwn = [traits.defaultServer, traits.serverWithCredentials].contains(server.text)
    return isOwn ? traits.pace(with: credentials) : nil
  }

  /// Its outcome, once it has one.
  package func outcome(_ ending: Ending) -> SearchOutcome {
    SearchOutcome(tag: query.text, source: source.name, server: server, ending: ending)
  }
}
