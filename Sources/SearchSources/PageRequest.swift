package import FoundationEssentials
package import SearchModel

/// One page of one search: everything that a source needs to write its request.
package struct PageRequest: Sendable {
  /// The query, split for the source and these credentials.
  package var split: QuerySplit
  package var server: ServerAddress
  /// Inclusive.
  package var since: Date?
  /// Exclusive.
  package var until: Date?
  /// How many posts are still wanted of this search; nil when there is no cap.
  package var wanted: Int?
  /// Where the page begins; nil for the first.
  package var cursor: Cursor?
  /// The credentials for this server; nil when none were given.
  package var credentials: Credentials?
  /// What to do where the server wants a credential and has none; nil for what its source says.
  package var credentialAdvice: String?
  /// The session that a login opened.
  package var session: Session?
  /// The program that the server runs, where that is known.
  package var software: ServerSoftware?
  /// The run's now.
  package var now: Date
  /// When the answer came, by the clock: what waits are counted from.
  package var answered: Date

  package init(
    _ split: QuerySplit, server: ServerAddress, since: Date? = nil, until: Date? = nil,
    wanted: Int? = nil, cursor: Cursor? = nil, credentials: Credentials? = nil,
    credentialAdvice: String? = nil, session: Session? = nil, software: ServerSoftware? = nil,
    now: Date, answered: Date? = nil
  ) {
    self.split = split
    self.server = server
    self.since = since
    self.until = until
    self.wanted = wanted
    self.cursor = cursor
    self.credentials = credentials
    self.credentialAdvice = credentialAdvice
    self.session = session
    self.software = software
    self.now = now
    self.answered = answered ?? now
  }

  package var query: Query { split.query }

  /// What no message may show: a server may send back what it was sent.
  var secrets: [String] {
    (credentials?.values ?? [])
      + [session?.accessToken, session?.refreshToken].compactMap(\.self)
  }

  /// How many posts to ask the page for: what is wanted, within what the network allows.
  package func size(within range: ClosedRange<Int>) -> Int {
    min(max(wanted ?? range.upperBound, range.lowerBound), range.upperBound)
  }
}
