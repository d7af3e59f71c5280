import FoundationEssentials
import QueuedHTTP
import SearchModel
import Testing
import TextFormats

@testable import SearchSources

/// The moment that the tests run at.
let testNow = Date(timeIntervalSince1970: 1_795_255_200)  // 2026-11-21T10:00:00Z

/// All sources, those of the catalog included.
enum EverySource {
  static let names = Sources.all.map(\.name.rawValue) + Catalog.entries.map(\.name.rawValue)

  /// The networks whose answers are feeds of XML.
  static let feeds: Set = ["feed", "arxiv", "lore", "public-inbox"]

  /// The networks whose answer without items is an empty object.
  static let withoutList: Set = ["gdelt"]

  static func named(_ name: String) throws -> any Source {
    if let source = Sources.named(name) { return source }
    return try #require(Catalog.entry(named: name)).network()
  }
}

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

  /// The page of a response with any status, as the engine reads it.
  func read(_ response: HTTPResponse, to page: PageRequest) throws(SourceFault) -> Page {
    switch judgement(on: response, to: page) {
    case .refusal(let refusal): try refusal.result.get()
    case .answer: try self.page(from: response, to: page)
    }
  }

  /// The verdict on a response that arrived at a moment.
  func verdict(on response: HTTPResponse, now: Date) -> Verdict {
    judgement(on: response, to: anyPage(at: now)).verdict
  }

  /// Whether a response means that the session has expired.
  func isExpired(_ response: HTTPResponse) -> Bool {
    judgement(on: response, to: anyPage(at: testNow)).isExpiredSession
  }

  private func anyPage(at now: Date) -> PageRequest {
    guard let query = Query("a"), let server = ServerAddress("https://h.example") else {
      preconditionFailure("the query and the address are valid")
    }
    return PageRequest(split(query, with: nil), server: server, now: now)
  }

  /// The failure that a response means.
  func failure(of response: HTTPResponse, to page: PageRequest) throws -> Failure {
    switch try fault(of: response, to: page) {
    case .failed(let failure): failure
    case .rateLimited(_, let failure): failure
    }
  }

  func fault(of response: HTTPResponse, to page: PageRequest) throws -> SourceFault {
    let result: Result<Page, SourceFault>
    do {
      result = .success(try read(response, to: page))
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
