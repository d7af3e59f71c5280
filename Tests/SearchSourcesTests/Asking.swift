import FoundationEssentials
import QueuedHTTP
import SearchModel
import Testing
import TextFormats

@testable import SearchSources

/// The moment that the tests run at.
let testNow = Date(timeIntervalSince1970: 1_795_255_200)  // 2026-11-21T10:00:00Z

func moment(_ text: String) throws -> Date { try #require(RFC3339.parse(text)) }

/// An answer with a body.
func answer(_ body: String, status: Int = 200, headers: HTTPHeaders = [:]) -> HTTPResponse {
  HTTPResponse(status: status, headers: headers, body: HTTPBody(Array(body.utf8)))
}

extension Source {
  /// A page of a search, as the engine asks for it.
  func asking(
    _ query: String, at server: String, since: String? = nil, until: String? = nil,
    wanted: Int? = nil, cursor: Cursor? = nil, credentials: [String]? = nil,
    session: Session? = nil
  ) throws -> PageRequest {
    let credentials = credentials.map { Credentials($0) }
    return PageRequest(
      split(try #require(Query(query)), with: credentials),
      server: try #require(ServerAddress(server) ?? .whole(server)),
      since: try since.map(moment), until: try until.map(moment), wanted: wanted, cursor: cursor,
      credentials: credentials, session: session, now: testNow)
  }

  /// The failure that an answer is.
  func failure(of response: HTTPResponse, to page: PageRequest) throws -> Failure {
    switch try fault(of: response, to: page) {
    case .failed(let failure): failure
    case .rateLimited(_, let failure): failure
    }
  }

  func fault(of response: HTTPResponse, to page: PageRequest) throws -> SourceFault {
    let result: Result<Page, SourceFault>
    do {
      result = .success(try self.page(from: response, to: page))
    } catch {
      result = .failure(error)
    }
    switch result {
    case .success(let page):
      Issue.record("no failure, but \(page)")
      throw Failure(.permanent, message: "no failure")
    case .failure(let fault): return fault
    }
  }
}
