package import FoundationEssentials
package import QueuedHTTP
package import SearchModel

/// A network's adapter: pure functions from a search to a request and from an answer to a page.
///
/// A new network is one file under `Networks/` and one line in `Sources.all`.
package protocol Source: Sendable {
  var name: SourceName { get }
  var traits: SourceTraits { get }

  /// What of a query the network is asked for with these credentials, and what is judged here; by
  /// default as `traits.abilities` says.
  func split(_ query: Query, with credentials: Credentials?) -> QuerySplit

  /// Whether somebody on the network can have this name.
  func canBeAuthor(_ name: String) -> Bool

  /// Whether handles are numbers, so that authors are known by their name for people.
  var knowsAuthorsByName: Bool { get }

  /// Why the network cannot express a query with these credentials, in words; nil where it can.
  ///
  /// What holds for all networks is said by `reasonToSkip`, which asks this.
  func refusal(of query: Query, with credentials: Credentials?) -> String?

  /// Why the network can answer for no moment of a range of dates, in words; nil where it can for some.
  ///
  /// By default its `traits.horizon` decides.
  func refusal(since: Date?, until: Date?, now: Date) -> String?

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
  package func refusal(of query: Query, with credentials: Credentials?) -> String? { nil }

  package func refusal(since: Date?, until: Date?, now: Date) -> String? {
    guard let horizon = traits.horizon, let until, until <= now.addingTimeInterval(-horizon) else {
      return nil
    }
    let days = Int(horizon / 86_400)
    return "its search reaches back \(days) days, and --until is before that"
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
