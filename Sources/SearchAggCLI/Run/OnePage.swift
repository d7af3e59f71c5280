internal import FoundationEssentials
internal import QueuedHTTP
internal import SearchModel
internal import SearchSources

/// A source of which no more than one small page is asked for.
struct OnePage: Source {
  private static let size = 10

  let source: any Source

  var name: SourceName { source.name }
  var traits: SourceTraits {
    var traits = source.traits
    // What is not asked for cannot be out of reach.
    traits.ceiling = nil
    traits.horizon = nil
    return traits
  }

  func split(_ query: Query, with credentials: Credentials?) -> QuerySplit {
    source.split(query, with: credentials)
  }

  func canBeAuthor(_ name: String) -> Bool { source.canBeAuthor(name) }

  var knowsAuthorsByName: Bool { source.knowsAuthorsByName }

  func refusal(of query: Query, with credentials: Credentials?) -> String? {
    source.refusal(of: query, with: credentials)
  }

  func request(for page: PageRequest) throws(Failure) -> HTTPRequest {
    var page = page
    page.wanted = Self.size
    return try source.request(for: page)
  }

  func page(from response: HTTPResponse, to page: PageRequest) throws(SourceFault) -> Page {
    var answer = try source.page(from: response, to: page)
    // What lies beyond the first page was not asked for, so it is not missing either.
    answer.next = nil
    answer.missing = nil
    return answer
  }

  func softwareNeed(for page: PageRequest) -> SoftwareNeed { source.softwareNeed(for: page) }

  func software(from response: HTTPResponse, to page: PageRequest) -> SoftwareAnswer {
    source.software(from: response, to: page)
  }

  func verdict(on response: HTTPResponse, now: Date) -> Verdict {
    source.verdict(on: response, now: now)
  }

  func loginRequest(to server: ServerAddress, with credentials: Credentials) -> HTTPRequest? {
    source.loginRequest(to: server, with: credentials)
  }

  func renewalRequest(to server: ServerAddress, of session: Session) -> HTTPRequest? {
    source.renewalRequest(to: server, of: session)
  }

  func session(from response: HTTPResponse, to page: PageRequest) throws(SourceFault) -> Session {
    try source.session(from: response, to: page)
  }

  func isExpired(_ response: HTTPResponse) -> Bool { source.isExpired(response) }
}
