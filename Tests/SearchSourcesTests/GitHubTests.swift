import Foundation
import QueuedHTTP
import SearchModel
import Testing

@testable import SearchSources

struct GitHubTests {
  private let source = GitHub()
  private let server = "https://api.github.com"

  private func page(_ body: String, headers: HTTPHeaders = [:], cursor: Cursor? = nil) throws
    -> Page
  {
    try source.page(
      from: answer(body, headers: headers),
      to: source.asking("swift", at: server, wanted: 20, cursor: cursor))
  }

  @Test func `The request asks for both kinds by the advanced search`() throws {
    let request = try source.request(for: source.asking("swift c++", at: server, wanted: 20))
    #expect(
      request.url
        == "https://api.github.com/search/issues?q=swift%20c%2B%2B%20%28is%3Aissue%20OR%20is%3A"
        + "pull-request%29&sort=created&order=desc&per_page=20&page=1&advanced_search=true")
    #expect(request.headers["Accept"] == "application/vnd.github+json")
    #expect(request.headers["X-GitHub-Api-Version"] == "2022-11-28")
    #expect(request.headers["Authorization"] == nil)
    let authorized = try source.request(for: source.asking("a", at: server, credentials: ["tok"]))
    #expect(authorized.headers["Authorization"] == "Bearer tok")
  }

  @Test(
    arguments: [
      ("a is:issue", nil, nil, "a is:issue"), ("a type:pr", nil, nil, "a type:pr"),
      ("a OR b", nil, nil, "(a OR b) (is:issue OR is:pull-request)"),
      (
        "a is:pr", "2026-11-20T10:00:00.900Z", "2026-11-21T10:00:00.100Z",
        "a is:pr created:2026-11-20T10:00:00Z..2026-11-21T10:00:00Z"
      ),
      ("a is:pr", "2026-11-20T10:00:00Z", nil, "a is:pr created:>=2026-11-20T10:00:00Z"),
      ("a is:pr", nil, "2026-11-21T10:00:00Z", "a is:pr created:<=2026-11-21T09:59:59Z"),
    ] as [(String, String?, String?, String)])
  func `A query in the network's syntax gets dates and kinds`(
    query: String, since: String?, until: String?, sent: String
  ) throws {
    var page = try source.asking(query, at: server, since: since, until: until)
    page.split = source.split(page.query.raw, with: page.credentials)
    let request = try source.request(for: page)
    #expect(request.url.contains("?q=\(PercentEncoding.encode(sent))&sort="))
  }

  @Test(arguments: [("a is:private", true), ("a (IS:Private)", true), ("a -is:private", false)])
  func `Only a query that asks for private posts is about them`(
    query: String, isPrivate: Bool
  ) throws {
    var asked = try source.asking(query, at: server, credentials: ["t"])
    asked.split = source.split(asked.query.raw, with: asked.credentials)
    #expect(try source.request(for: asked).url.contains("is%3Apublic") == !isPrivate)
    let found = try source.page(
      from: answer(#"{"total_count":1,"items":[{"id":1,"title":"t"}]}"#), to: asked)
    #expect(found.posts.map(\.isOpen) == [!isPrivate])
  }

  @Test func `A query that is too long is refused before it is sent`() throws {
    let long = try #require(Query(String(repeating: "a", count: 257)))
    #expect(
      source.unsupportedReason(for: source.split(long, with: nil), with: nil)?.contains("256")
        == true)
    let fitting = try #require(Query(String(repeating: "a", count: 256)))
    #expect(source.unsupportedReason(for: source.split(fitting, with: nil), with: nil) == nil)
  }

  @Test func `A search that timed out is never "nothing found"`() throws {
    let page = try page(#"{"total_count":0,"incomplete_results":true,"items":[]}"#)
    #expect(page.posts.isEmpty && page.gap != nil)
  }

  @Test func `A simulated search that runs out of time has a gap`() async throws {
    try await SimulatedAsking.with("github") { asking in
      let cut = try await asking.page("incomplete").page
      let whole = try await asking.page("swift").page
      #expect(cut.gap != nil && whole.gap == nil)
    }
  }

  @Test func `A token allows 30 requests a minute instead of 10`() {
    let traits = source.traits
    #expect(traits.pace(with: nil) == Pace(requests: 10, per: .seconds(60)))
    #expect(traits.pace(with: Credentials(["t"])) == Pace(requests: 30, per: .seconds(60)))
  }

  @Test func `Issues and pull requests are read, even those of deleted accounts`() throws {
    let page = try page(
      #"""
      {"total_count":4,"incomplete_results":true,"items":[
       {"id":2500000001,"number":7,"title":"It &amp; breaks","body":"Steps:\r\n1. `a<b>`","user":{"login":"amy","html_url":"https://github.com/amy"},"html_url":"https://github.com/o/r/issues/7","created_at":"2026-11-20T09:00:00Z","comments":3,"reactions":{"total_count":5,"+1":4}},
       {"id":2,"number":8,"title":"Fix it","body":null,"user":null,"html_url":"https://github.com/o/r/pull/8","created_at":"2026-11-20T08:00:00Z","comments":0,"pull_request":{}},
       {"id":3,"title":null}, {"title":"no id"}, 5]}
      """#)
    #expect(page.brokenItems == 3)
    #expect(page.gap == "GitHub's search timed out, so posts may be missing")
    let issue = page.posts[0]
    #expect(issue.id == "2500000001")
    #expect(issue.uri == "https://github.com/o/r/issues/7")
    #expect(issue.url == issue.uri)
    #expect(issue.title == "It &amp; breaks")
    #expect(issue.text == "Steps:\n1. `a<b>`")
    #expect(issue.author == Author(handle: "amy", url: "https://github.com/amy"))
    #expect(issue.createdAt == (try moment("2026-11-20T09:00:00Z")))
    #expect(issue.counts == Counts(likes: 4, replies: 3))
    #expect(page.posts[1].author == Author())
    #expect(page.posts[1].text.isEmpty)
  }

  @Test func `Pages smaller than requested are read to the last`() throws {
    var asked = try source.asking("a", at: server, cursor: Cursor(rawValue: "10/100"))
    asked.itemsBefore = 270
    let body = #"{"total_count":300,"items":[{"id":1,"title":"t"}]}"#
    let next: HTTPHeaders = ["Link": #"<https://api.github.com/x?page=11>; rel="next""#]
    #expect(
      try source.page(from: answer(body, headers: next), to: asked).next
        == Cursor(rawValue: "11/100"))
    asked.cursor = Cursor(rawValue: "2/100")
    asked.itemsBefore = 50
    #expect(try source.page(from: answer(body), to: asked).next == Cursor(rawValue: "3/100"))
    let end: HTTPHeaders = ["Link": #"<https://api.github.com/x?page=1>; rel="prev""#]
    #expect(try source.page(from: answer(body, headers: end), to: asked).next == nil)
    // The last page may be short.
    asked.cursor = Cursor(rawValue: "10/100")
    asked.itemsBefore = 900
    let many = body.replacing("300", with: "4000")
    let last = try source.page(from: answer(many, headers: end), to: asked)
    #expect(last.missing == "GitHub returns only the newest 1000 posts of a query")
    // Some of the last 1000 may be hidden, and nothing is behind them.
    let whole = body.replacing("300", with: "1000")
    for headers in [end, [:]] {
      let last = try source.page(from: answer(whole, headers: headers), to: asked)
      #expect(last.next == nil && last.missing == nil && last.isLast)
    }
    // One that is hidden from the search counts all the same.
    asked.cursor = Cursor(rawValue: "2/20")
    asked.itemsBefore = 19
    let none = try source.page(from: answer(#"{"total_count":20,"items":[]}"#), to: asked)
    #expect(none.next == nil && none.gap == nil && none.missing == nil)
  }

  @Test func `Pages are requested by number up to the total count or the ceiling`() throws {
    let body = #"{"total_count":4000,"items":[{"id":1,"title":"t"}]}"#
    let link: HTTPHeaders = [
      "Link": "<https://api.github.com/x?page=1>; rel=\"prev\", <https://h/?page=3>; rel=\"next\""
    ]
    #expect(try page(body, headers: link).next == Cursor(rawValue: "2/20"))
    #expect(try page(body).next == Cursor(rawValue: "2/20"))
    #expect(try page(#"{"items":[]}"#, headers: link).next == Cursor(rawValue: "2/20"))
    #expect(try page(#"{"items":[]}"#).next == nil)
    let empty = try page(#"{"total_count":20,"items":[]}"#)
    #expect(
      empty.next == nil && empty.gap == "a page was empty, although GitHub counts 20 posts")
    let request = try source.request(
      for: source.asking("a", at: server, wanted: 3, cursor: Cursor(rawValue: "2/20")))
    #expect(request.url.contains("&per_page=20&page=2&"))
    var asked = try source.asking("a", at: server, cursor: Cursor(rawValue: "10/100"))
    asked.itemsBefore = 999
    let last = try source.page(from: answer(body, headers: link), to: asked)
    #expect(
      last.next == nil && last.missing == "GitHub returns only the newest 1000 posts of a query")
    #expect(last.missing == "GitHub returns only the newest 1000 posts of a query")
  }

  private static let secondary = #"{"message":"You have exceeded a secondary rate limit."}"#

  @Test(
    arguments: [
      (403, secondary, [:], 60), (429, secondary, [:], 60), (429, "", [:], 60),
      (403, secondary, ["Retry-After": "90", "X-RateLimit-Reset": "1795255201"], 90),
      (403, secondary, ["X-RateLimit-Remaining": "21", "X-RateLimit-Reset": "1795259999"], 60),
      (
        403, #"{"message":"API rate limit exceeded for 1.2.3.4."}"#,
        ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1795255320"], 121
      ),
      (
        403, #"{"message":"Must have push access"}"#,
        ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1795255320"], 121
      ),
    ] as [(Int, String, HTTPHeaders, Double)])
  func `Primary and secondary limits are distinguished from other errors`(
    status: Int, body: String, headers: HTTPHeaders, wait: Double
  ) throws {
    let response = answer(body, status: status, headers: headers)
    let until = testNow.addingTimeInterval(wait)
    #expect(source.verdict(on: response, now: testNow) == .coolDown(until: until))
    let fault = try source.fault(of: response, to: source.asking("a", at: server))
    guard case .rateLimited(until, let failure) = fault else {
      Issue.record("it is \(fault)")
      return
    }
    #expect(failure.advice == "set GITHUB_TOKEN for a higher limit")
  }

  @Test func `A 403 about something else is permanent`() throws {
    let response = answer(
      #"{"message":"Resource not accessible by integration"}"#, status: 403,
      headers: ["X-RateLimit-Remaining": "29", "X-RateLimit-Reset": "1795255320"])
    #expect(source.verdict(on: response, now: testNow) == .done)
    let failure = try source.failure(of: response, to: source.asking("a", at: server))
    #expect(failure.kind == .permanent)
    #expect(failure.message == "refused (403): Resource not accessible by integration")
  }

  @Test(arguments: Recorded.all)
  func `Recorded responses are read completely`(recorded: Recorded) throws {
    for name in recorded.names("github") where !name.contains("error") {
      let recording = try recorded.answer("github/\(name)")
      let json = try JSONSerialization.jsonObject(with: Data(recording.body.text.utf8))
      guard let items = (json as? [String: Any])?["items"] as? [[String: Any]],
        items.contains(where: { $0["number"] != nil })
      else { continue }
      let page = try source.page(from: recording, to: source.asking("a", at: server))
      #expect(page.brokenItems == 0)
      #expect(page.posts.count == items.count)
      #expect(page.posts.allSatisfy { $0.createdAt != nil && $0.url != nil })
      #expect((page.next != nil) == (recording.headers["Link"]?.contains("\"next\"") == true))
    }
  }

  @Test(arguments: Recorded.all)
  func `Recorded limits are distinguished from other recorded errors`(recorded: Recorded) throws {
    for name in recorded.names("github") where name.contains("limit") || name.contains("primary") {
      let response = try recorded.answer("github/\(name)", status: 403)
      // The placeholders of moments in these recordings are not dates.
      let verdict = source.verdict(on: response, now: testNow)
      let isLimit = response.body.text.contains("rate limit")
      #expect((verdict != .done) == isLimit || response.headers["Retry-After"] != nil, "\(name)")
    }
    for name in recorded.names("github") where name.contains("error_401") {
      let response = try recorded.answer("github/\(name)", status: 401)
      let failure = try source.failure(of: response, to: source.asking("a", at: server))
      #expect(failure.kind == .credential)
    }
  }
}
