package import FoundationEssentials
package import QueuedHTTP
package import SearchModel

/// A network's adapter: pure functions from a search to a request and from an answer to a page.
///
/// A new network is one file under `Networks/` and one line in `Sources.all`.
package protocol Source: Sendable {
  var name: SourceName { get }
  var traits: SourceTraits { get }

  /// Divides a query into remote and local terms, given these credentials; by default according to
  /// `traits.abilities`.
  func split(_ query: Query, with credentials: Credentials?) -> QuerySplit

  /// Returns whether a name is a valid user name on the network.
  func canBeAuthor(_ name: String) -> Bool

  /// Whether handles are numbers, so that people name authors by their display names.
  var knowsAuthorsByName: Bool { get }

  /// Returns why the network cannot answer a query with these credentials, or nil if it can.
  ///
  /// `skipReason(for:with:)`, which calls this, adds what is true of all networks.
  func unsupportedReason(for split: QuerySplit, with credentials: Credentials?) -> String?

  /// Returns why the network has no posts from a range of dates, or nil if it may have some; by
  /// default according to `traits.horizon`.
  func unreachableReason(since: Date?, until: Date?, now: Date) -> String?

  /// The request for one page.
  ///
  /// Headers carry the credential or session. What holds for all sources (lane, timeouts, retries,
  /// judge) is the engine's to add.
  func request(for page: PageRequest) throws(Failure) -> HTTPRequest

  /// Whether the request for a page depends on the program that the server runs.
  func softwareNeed(for page: PageRequest) -> SoftwareNeed

  /// What an answer to the request of a `SoftwareNeed`, or to one that such an answer led to, says of
  /// the server.
  func software(from response: HTTPResponse, to page: PageRequest) -> SoftwareAnswer

  /// Where the second page begins, for a network whose pages are told apart by number; nil where only an
  /// answer says so.
  func secondPage(after page: PageRequest) -> Cursor?

  /// The posts of an answer. Any status may come, but those that the judge has repeated.
  ///
  /// Throws a failure for an answer that is none: another status than 200, HTML where JSON was
  /// promised, a shape that is not the network's.
  func page(from response: HTTPResponse, to page: PageRequest) throws(SourceFault) -> Page

  /// The pages of one response for several searches that made the same request, each for its query.
  ///
  /// By default the response is read anew for each.
  func pages(
    from response: HTTPResponse, to pages: [PageRequest]
  ) -> [Result<Page, SourceFault>]

  /// How the request goes on after this response: the network's own way to say "slow down".
  func verdict(on response: HTTPResponse, now: Date) -> Verdict

  /// The request that opens a session, for a network that has sessions and credentials for one.
  func loginRequest(to server: ServerAddress, with credentials: Credentials) -> HTTPRequest?

  /// The request that opens the next session in the place of one that has ended, where the network gives
  /// a token for that.
  func renewalRequest(to server: ServerAddress, of session: Session) -> HTTPRequest?

  /// The session that the answer to a login or renewal opened, which was made for a page.
  func session(
    from response: HTTPResponse, to page: PageRequest
  ) throws(SourceFault) -> Session

  /// Whether a response says that the session has expired, so that one new login is worth it.
  func isExpired(_ response: HTTPResponse) -> Bool
}

extension Source {
  package func split(_ query: Query, with credentials: Credentials?) -> QuerySplit {
    QuerySplit(query, by: traits.abilities, canBeAuthor: canBeAuthor)
  }

  package func canBeAuthor(_ name: String) -> Bool { !name.contains("@") }

  package var knowsAuthorsByName: Bool { false }

  package func unsupportedReason(
    for split: QuerySplit, with credentials: Credentials?
  ) -> String? {
    nil
  }

  package func unreachableReason(since: Date?, until: Date?, now: Date) -> String? {
    guard let horizon = traits.horizon, let until, until <= now.addingTimeInterval(-horizon) else {
      return nil
    }
    return "--until is earlier than the \(Int(horizon / 86_400)) days that this network searches"
  }

  package func softwareNeed(for page: PageRequest) -> SoftwareNeed { .none }

  package func software(from response: HTTPResponse, to page: PageRequest) -> SoftwareAnswer {
    NodeInfo.answer(from: response, of: page.server)
  }

  package func secondPage(after page: PageRequest) -> Cursor? { nil }

  package func pages(
    from response: HTTPResponse, to pages: [PageRequest]
  ) -> [Result<Page, SourceFault>] {
    pages.map { asked in
      Result { () throws(SourceFault) in try page(from: response, to: asked) }
    }
  }

  package func verdict(on response: HTTPResponse, now: Date) -> Verdict {
    SlowDown.verdict(on: response, now: now)
  }

  package func loginRequest(to server: ServerAddress, with credentials: Credentials) -> HTTPRequest?
  {
    nil
  }

  package func renewalRequest(to server: ServerAddress, of session: Session) -> HTTPRequest? { nil }

  package func session(
    from response: HTTPResponse, to page: PageRequest
  ) throws(SourceFault) -> Session {
    throw .failed(Failure(.permanent, message: "\(name) has no sessions"))
  }

  package func isExpired(_ response: HTTPResponse) -> Bool { false }
}

extension Source {
  /// Returns why a search is not worth a request with these credentials, or nil if it is.
  package func skipReason(for split: QuerySplit, with credentials: Credentials?) -> String? {
    guard !split.query.isRaw else { return unsupportedReason(for: split, with: credentials) }
    guard split.query.terms.contains(where: \.isSought) else {
      return "nothing to search for: add a word, a tag or an author"
    }
    let authors = split.query.terms.filter { $0.kind == .author && !$0.isExcluded }
    if let author = authors.first, !authors.contains(where: { canBeAuthor($0.value) }) {
      return "'\(author.value)' is not a valid user name on this network"
    }
    if let reason = unsupportedReason(for: split, with: credentials) { return reason }
    guard split.remote.contains(where: \.isSought) else {
      return authors.isEmpty
        ? "this network cannot search for that alone; add a word" : Self.needsWordBesideAuthor
    }
    return nil
  }

  static var needsWordBesideAuthor: String {
    "this network cannot search by author alone; add a word"
  }

  /// Returns the page with only the posts that match the local terms, and with notes about terms that
  /// could not be applied to all posts.
  package func filtered(_ page: Page, by split: QuerySplit) -> Page {
    let local = split.local + page.localTerms.filter { !split.local.contains($0) }
    guard !local.isEmpty || !split.wholeWords.isEmpty || !split.unsupported.isEmpty else {
      return page
    }
    let result = TermFilter(
      local, wholeWords: split.wholeWords, knowsAuthorsByName: knowsAuthorsByName
    ).filter(page.posts)
    var page = page
    page.posts = result.posts
    page.notes += split.unsupported.map { "\($0) was ignored: this network cannot filter by it" }
    page.notes += result.unknown.map { term in
      term.kind == .author
        ? "posts without an author were left out: \(term)"
        : "\(term) was ignored for posts without a language"
    }
    let texts = local.filter { $0.kind != .author && $0.kind != .language }
    if traits.givesExcerpts, !texts.isEmpty {
      let names = texts.map(\.description).joined(separator: ", ")
      page.notes.append("matched against excerpts only: \(names)")
    }
    return page
  }
}
