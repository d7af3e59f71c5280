package import FoundationEssentials
package import QueuedHTTP
package import SearchModel

/// A source in front of another one, which it changes in some respects and otherwise leaves as it is.
package protocol SourceAdapter: Source {
  /// The network's own source.
  var source: any Source { get }
}

extension SourceAdapter {
  package var name: SourceName { source.name }
  package var traits: SourceTraits { source.traits }
  package var knowsAuthorsByName: Bool { source.knowsAuthorsByName }
  package var searchesAuthors: Bool { source.searchesAuthors }
  package var takesTagsForWords: Bool { source.takesTagsForWords }

  package func split(_ query: Query, with credentials: Credentials?) -> QuerySplit {
    source.split(query, with: credentials)
  }

  package func canBeAuthor(_ name: String) -> Bool { source.canBeAuthor(name) }

  package func unsupportedReason(
    for split: QuerySplit, with credentials: Credentials?
  ) -> String? {
    source.unsupportedReason(for: split, with: credentials)
  }

  package func unreachableReason(since: Date?, until: Date?, now: Date) -> String? {
    source.unreachableReason(since: since, until: until, now: now)
  }

  package func request(for page: PageRequest) throws(Failure) -> HTTPRequest {
    try source.request(for: page)
  }

  package func secondPage(after page: PageRequest) -> Cursor? { source.secondPage(after: page) }

  package func page(
    from response: HTTPResponse, to page: PageRequest
  ) throws(SourceFault) -> Page {
    try source.page(from: response, to: page)
  }

  package func softwareNeed(for page: PageRequest) -> SoftwareNeed {
    source.softwareNeed(for: page)
  }

  package func softwareNeed(
    toRead response: HTTPResponse, of page: PageRequest
  ) -> SoftwareNeed {
    source.softwareNeed(toRead: response, of: page)
  }

  package func software(from response: HTTPResponse, to page: PageRequest) -> SoftwareAnswer {
    source.software(from: response, to: page)
  }

  package var errors: [ErrorRule] { source.errors }

  package func interpret(
    _ refusal: inout Refusal, of response: HTTPResponse, to page: PageRequest
  ) {
    source.interpret(&refusal, of: response, to: page)
  }

  package func pauseEnd(after response: HTTPResponse, now: Date) -> Date? {
    source.pauseEnd(after: response, now: now)
  }

  package func loginRequest(
    to server: ServerAddress, with credentials: Credentials
  ) -> HTTPRequest? {
    source.loginRequest(to: server, with: credentials)
  }

  package func renewalRequest(to server: ServerAddress, of session: Session) -> HTTPRequest? {
    source.renewalRequest(to: server, of: session)
  }

  package func session(
    from response: HTTPResponse, to page: PageRequest
  ) throws(SourceFault) -> Session {
    try source.session(from: response, to: page)
  }
}
