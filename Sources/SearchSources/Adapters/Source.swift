package import FoundationEssentials
package import QueuedHTTP
package import SearchModel

/// A network's adapter: pure functions from a search to a request, and from a response to a page.
///
/// A new network is one file in `Networks/` and one line in `Sources.all`.
package protocol Source: Sendable {
  var name: SourceName { get }
  var traits: SourceTraits { get }

  /// Divides a query into remote and local terms, given these credentials; by default according to
  /// `traits.abilities`.
  func split(_ query: Query, with credentials: Credentials?) -> QuerySplit

  /// Returns whether a name is a valid user name on the network.
  func canBeAuthor(_ name: String) -> Bool

  /// True if handles are numbers, so that people name authors by their display names.
  var knowsAuthorsByName: Bool { get }

  /// True if the words of a query that are filtered by here may be in the names of authors.
  var searchesAuthors: Bool { get }

  /// True if the network has no tags, so that a tag that is filtered by here is a word like any other.
  var takesTagsForWords: Bool { get }

  /// Returns why the network cannot answer a query with these credentials, or nil if it can.
  ///
  /// `skipReason(for:with:)`, which calls this, adds what is true of all networks.
  func unsupportedReason(for split: QuerySplit, with credentials: Credentials?) -> String?

  /// Returns why the network has no posts from a range of dates, or nil if it may have some; by
  /// default according to `traits.horizon`.
  func unreachableReason(since: Date?, until: Date?, now: Date) -> String?

  /// Returns the request for one page.
  ///
  /// Headers contain the credential or session. The engine adds what is the same for all sources:
  /// lane, timeouts, retries and judge.
  func request(for page: PageRequest) throws(Failure) -> HTTPRequest

  /// True if the request for a page depends on the software that the server runs.
  func softwareNeed(for page: PageRequest) -> SoftwareNeed

  /// The facts about the server that the source needs to read a response with status 200; nothing by default.
  func softwareNeed(toRead response: HTTPResponse, of page: PageRequest) -> SoftwareNeed

  /// Reads the answer to the request of a `SoftwareNeed`, or to a request that such an answer led to.
  func software(from response: HTTPResponse, to page: PageRequest) -> SoftwareAnswer

  /// Returns the cursor of the second page on a network that numbers its pages; nil if only the first
  /// response names it. By default according to `traits.firstPage`.
  func secondPage(after page: PageRequest) -> Cursor?

  /// Reads the posts of a response with status 200.
  ///
  /// Throws if it is something else: an error, HTML instead of JSON, an unknown shape.
  func page(from response: HTTPResponse, to page: PageRequest) throws(SourceFault) -> Page

  /// Reads a response with status 200 for several searches that made the same request.
  ///
  /// By default it is read again for each.
  func pages(
    from response: HTTPResponse, to pages: [PageRequest]
  ) -> [Result<Page, SourceFault>]

  /// The rules that the network documents for responses that are not pages; none by default.
  var errors: [ErrorRule] { get }

  /// Corrects what the status of any other response means, where neither it nor `errors` say enough.
  func interpret(_ refusal: inout Refusal, of response: HTTPResponse, to page: PageRequest)

  /// The moment from which a response with status 200 allows the next request; nil for at once.
  func pauseEnd(after response: HTTPResponse, now: Date) -> Date?

  /// Returns the request that opens a session, for a network with sessions and credentials for one.
  func loginRequest(to server: ServerAddress, with credentials: Credentials) -> HTTPRequest?

  /// Returns the request that replaces a session that has ended, if the network issues a token for
  /// that.
  func renewalRequest(to server: ServerAddress, of session: Session) -> HTTPRequest?

  /// Reads the session from the response to a login or renewal, which was made for a page.
  func session(
    from response: HTTPResponse, to page: PageRequest
  ) throws(SourceFault) -> Session
}

/// A source whose responses are JSON.
package protocol JSONSource: Source {
  /// Reads the posts of an answer.
  func page(from answer: Answer) throws(SourceFault) -> Page

  /// True if the network documents errors beside posts that do not mean missing posts; by default false.
  var mayReportErrorsBesidePosts: Bool { get }
}

extension JSONSource {
  package func page(
    from response: HTTPResponse, to page: PageRequest
  ) throws(SourceFault) -> Page {
    try Answer.read(response, to: page) { answer throws(SourceFault) in
      try answer.checked(self.page(from: answer), mayHaveErrors: mayReportErrorsBesidePosts)
    }
  }

  package var mayReportErrorsBesidePosts: Bool { false }
}

extension Source {
  /// Reads a response with a status other than 200 and 203, or that is an error which passes; nil for an answer.
  package func refusal(in response: HTTPResponse, to page: PageRequest) -> Refusal? {
    guard !response.isAnswer else {
      return errors.refusal(in: response, to: page, from: traits)
    }
    var refusal = Refusal(response, to: page, from: traits, by: errors)
    interpret(&refusal, of: response, to: page)
    return refusal
  }

  package func judgement(on response: HTTPResponse, to page: PageRequest) -> Judgement {
    refusal(in: response, to: page).map { .refusal($0) }
      ?? .answer(
        pauseEnd: pauseEnd(after: response, now: page.answered),
        isCutOff: Answer.isCutOff(response.body))
  }

  /// The credentials of a page, on a network that answers nothing without them.
  func requiredCredentials(of page: PageRequest) throws(Failure) -> Credentials {
    guard let credentials = page.credentials else { throw missingCredentials }
    return credentials
  }

  var missingCredentials: Failure {
    Failure(
      .credential, message: "a credential is needed",
      advice: "set \(traits.credentialNames.joined(separator: " and "))")
  }

  package func split(_ query: Query, with credentials: Credentials?) -> QuerySplit {
    QuerySplit(query, by: traits.abilities, canBeAuthor: canBeAuthor)
  }

  package func canBeAuthor(_ name: String) -> Bool { !name.contains("@") }

  package var knowsAuthorsByName: Bool { false }

  package var searchesAuthors: Bool { false }

  package var takesTagsForWords: Bool { false }

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

  package func softwareNeed(
    toRead response: HTTPResponse, of page: PageRequest
  ) -> SoftwareNeed {
    .none
  }

  package func software(from response: HTTPResponse, to page: PageRequest) -> SoftwareAnswer {
    NodeInfo.answer(from: response, of: page.server)
  }

  package func secondPage(after page: PageRequest) -> Cursor? {
    traits.firstPage == nil ? nil : numbered(page).next
  }

  package func pages(
    from response: HTTPResponse, to pages: [PageRequest]
  ) -> [Result<Page, SourceFault>] {
    pages.map { asked in
      Result { () throws(SourceFault) in try page(from: response, to: asked) }
    }
  }

  package var errors: [ErrorRule] { [] }

  package func interpret(
    _ refusal: inout Refusal, of response: HTTPResponse, to page: PageRequest
  ) {}

  /// The moment at which a quota resets that the response calls spent.
  package func pauseEnd(after response: HTTPResponse, now: Date) -> Date? {
    RateLimit.resetOfSpentQuota(response.headers, now: now)
  }

  package func loginRequest(
    to server: ServerAddress, with credentials: Credentials
  ) -> HTTPRequest? {
    nil
  }

  package func renewalRequest(to server: ServerAddress, of session: Session) -> HTTPRequest? { nil }

  package func session(
    from response: HTTPResponse, to page: PageRequest
  ) throws(SourceFault) -> Session {
    throw .failed(Failure(.permanent, message: "\(name) has no sessions"))
  }
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
    guard !local.isEmpty || !split.wholeWords.isEmpty else { return page }
    let result = TermFilter(
      local, wholeWords: split.wholeWords, knowsAuthorsByName: knowsAuthorsByName,
      searchesAuthors: searchesAuthors, takesTagsForWords: takesTagsForWords
    ).filter(page.posts)
    var page = page
    page.posts = result.posts
    page.notes += result.unknown.map { term in
      term.kind == .author
        ? "posts without an author were left out: \(term)"
        : "\(term) was ignored for posts without a language"
    }
    if traits.givesExcerpts, result.leavesOutLongerWords {
      page.notes.append(
        "posts with a word only inside longer ones, in their excerpts, were left out")
    }
    // A tag is one of the post's topics, which are complete.
    let texts = local.filter { $0.kind == .word || $0.kind == .phrase }
    if traits.givesExcerpts, !texts.isEmpty {
      let names = texts.map(\.description).joined(separator: ", ")
      page.notes.append("matched against excerpts only: \(names)")
    }
    return page
  }
}

extension HTTPResponse {
  /// True for what was asked for, also where a proxy on the way has changed it (RFC 9110, section 15.3.4).
  var isAnswer: Bool { status == 200 || status == 203 }
}
