import FoundationEssentials
import QueuedHTTP
import SearchModel
import Testing

@testable import SearchSources

struct StackExchangeTests {
  private let source = StackExchange()
  private let server = "https://api.stackexchange.com"

  private func page(_ body: String, query: String = "swift", cursor: Cursor? = nil) throws -> Page {
    try source.page(
      from: answer(body), to: source.asking(query, at: server, wanted: 20, cursor: cursor))
  }

  @Test(arguments: [
    ("two words", "site=stackoverflow&order=desc&sort=creation&q=two%20words"),
    ("#c++", "site=stackoverflow&order=desc&sort=creation&tagged=c%2B%2B"),
    ("#swift crash site:superuser", "site=superuser&order=desc&sort=creation&tagged=swift&q=crash"),
    ("#a #b c", "site=stackoverflow&order=desc&sort=creation&q=%5Ba%5D%20%5Bb%5D%20c"),
  ])
  func `A query is split into site, tag and words`(query: String, sent: String) throws {
    let request = try source.request(for: source.asking(query, at: server, wanted: 20))
    #expect(
      request.url
        == "https://api.stackexchange.com/2.3/search/advanced?\(sent)&pagesize=20&page=1&filter=withbody"
    )
  }

  @Test(arguments: [
    ("access_token_required", 401), ("invalid_access_token", 402), ("access_denied", 403),
    ("key_required", 405), ("access_token_compromised", 406), ("bad_parameter", 400),
  ])
  func `A rejected key is a credential's fault, with status 400`(name: String, id: Int) throws {
    let body = #"{"error_id":\#(id),"error_name":"\#(name)","error_message":"`key` is not valid"}"#
    let failure = try source.failure(
      of: answer(body, status: 400), to: source.asking("a", at: server, credentials: ["k"]))
    #expect(failure.kind == .credential && failure.advice?.contains("STACKEXCHANGE_KEY") == true)
  }

  @Test func `Dates are inclusive seconds, and the key comes last`() throws {
    let request = try source.request(
      for: source.asking(
        "a", at: server, since: "2026-11-20T10:00:00.900Z", until: "2026-11-21T10:00:00Z",
        wanted: 500, credentials: ["k"]))
    #expect(
      request.url.hasSuffix(
        "&pagesize=100&page=1&filter=withbody&fromdate=1795168800&todate=1795255199&key=k"))
    #expect(
      source.unsupportedReason(
        for: source.split(try #require(Query("site:unix")), with: nil), with: nil) != nil)
  }

  @Test(arguments: [false, true])
  func `A query that names two sites is not searched for`(isRaw: Bool) throws {
    func reason(_ text: String) throws -> String? {
      let written = try #require(Query(text))
      let query = isRaw ? written.raw : written
      return source.skipReason(for: source.split(query, with: nil), with: nil)
    }
    #expect(
      try reason("site:superuser site:serverfault linux")
        == "a query is searched on one site; name only one")
    #expect(try reason("site:superuser linux site:superuser") == nil)
    #expect(try reason("site:superuser linux") == nil)
  }

  @Test func `A page without has_more is the last, whatever the ceiling`() throws {
    let page = try page(#"{"items":[{"question_id":8,"title":"t"}],"has_more":false}"#)
    #expect(page.isLast && page.next == nil && page.missing == nil)
  }

  @Test func `Questions are read, with their entities decoded`() throws {
    let page = try page(
      #"""
      {"items":[
       {"question_id":7,"title":"Is &quot;a &lt; b&quot; ok?","body":"<p>See <a href=\"https://a.example/\">it</a> &amp; go</p>","link":"https://stackoverflow.com/questions/7/is-it","creation_date":1795168800,"last_edit_date":1795168900,"score":-2,"answer_count":1,"view_count":30,"owner":{"user_id":5,"display_name":"J&#252;rgen","link":"https://stackoverflow.com/users/5/j"}},
       {"question_id":8,"title":"t","creation_date":1,"owner":{"user_type":"does_not_exist","display_name":"user12345"}},
       {"question_id":9}, {"title":"x"}, 5],"has_more":true,"quota_remaining":3}
      """#)
    #expect(page.brokenItems == 3)
    #expect(page.next == Cursor(rawValue: "2/20"))
    let question = page.posts[0]
    #expect(question.title == #"Is "a < b" ok?"#)
    #expect(question.text == "See it & go")
    #expect(question.links == ["https://a.example/"])
    #expect(question.uri == "https://stackoverflow.com/questions/7")
    #expect(question.url == "https://stackoverflow.com/questions/7/is-it")
    #expect(
      question.author
        == Author(handle: "5", name: "Jürgen", url: "https://stackoverflow.com/users/5/j"))
    #expect(question.createdAt == (try moment("2026-11-20T10:00:00Z")))
    #expect(question.editedAt == (try moment("2026-11-20T10:01:40Z")))
    #expect(question.counts == Counts(likes: -2, replies: 1, views: 30))
    #expect(page.posts[1].author == Author(handle: "user12345", name: "user12345"))
  }

  @Test func `Pages end without has_more, and at 25 without a key`() throws {
    let more = #"{"items":[{"question_id":7,"title":"t"}],"has_more":true}"#
    #expect(try page(#"{"items":[{"question_id":7,"title":"t"}],"has_more":false}"#).next == nil)
    #expect(try page(#"{"items":[],"has_more":true}"#).next == Cursor(rawValue: "2/20"))
    let silent = try page(#"{"items":[{"question_id":7,"title":"t"}]}"#)
    #expect(silent.deadEnd == "the response does not say whether there is more")
    let last = try page(more, cursor: Cursor(rawValue: "25/20"))
    #expect(last.next == nil && last.missing != nil)
    let keyed = try source.page(
      from: answer(more),
      to: source.asking("a", at: server, cursor: Cursor(rawValue: "25/20"), credentials: ["k"]))
    #expect(keyed.next == Cursor(rawValue: "26/20"))
  }

  @Test(
    arguments: [
      (#"{"items":[],"backoff":10}"#, .doneThenCoolDown(until: testNow.addingTimeInterval(10))),
      (#"{"items":[]}"#, .done), (#"{"items":[],"backoff":0}"#, .done),
      (#"{"items":[],"backoff":"x"}"#, .done), ("<html>", .done), ("", .done),
    ] as [(String, Verdict)])
  func `A backoff in a successful response delays the next request`(body: String, verdict: Verdict)
  {
    #expect(source.verdict(on: answer(body), now: testNow) == verdict)
  }

  @Test func `An error beside an empty list is not "nothing found"`() throws {
    let body =
      #"{"items":[],"has_more":false,"error_id":502,"error_name":"throttle_violation","error_message":"too many"}"#
    let failure = try source.failure(of: answer(body), to: source.asking("a", at: server))
    #expect(failure.message.contains("the server returned an error"), "\(failure.message)")
  }

  @Test func `A backoff does not change the posts of its response`() async throws {
    try await SimulatedAsking.with("stackexchange") { asking in
      let answered = try await asking.page("backoff", wanted: 10)
      #expect(try answered.page.posts.count == 10)
      let until = testNow.addingTimeInterval(1)
      #expect(
        asking.source.verdict(on: answered.response, now: testNow)
          == .doneThenCoolDown(until: until))
    }
  }

  @Test func `An error may ask for a backoff, too`() throws {
    func verdict(_ error: String) -> Verdict {
      let body = #"{"error_id":503,\#(error),"backoff":5}"#
      return source.verdict(on: answer(body, status: 400), now: testNow)
    }
    let until = testNow.addingTimeInterval(5)
    #expect(verdict(#""error_name":"temporarily_unavailable""#) == .coolDown(until: until))
    #expect(
      verdict(
        #""error_name":"throttle_violation","error_message":"more requests available in 9 seconds""#
      ) == .coolDown(until: testNow.addingTimeInterval(9)))
    #expect(verdict(#""error_name":"bad_parameter""#) == .done)
  }

  @Test func `The wait of a spent quota is read from its message`() throws {
    let response = answer(
      #"{"error_id":502,"error_name":"throttle_violation","error_message":"too many requests from this IP, more requests available in 67194 seconds"}"#,
      status: 400)
    let until = testNow.addingTimeInterval(67_194)
    #expect(source.verdict(on: response, now: testNow) == .coolDown(until: until))
    guard
      case .rateLimited(until, let failure) = try source.fault(
        of: response, to: source.asking("a", at: server))
    else {
      Issue.record("no limit")
      return
    }
    #expect(failure.message.contains("67194 seconds"))
    let bare = answer(#"{"error_id":502,"error_name":"throttle_violation"}"#, status: 400)
    let minute = testNow.addingTimeInterval(60)
    #expect(source.verdict(on: bare, now: testNow) == .coolDown(until: minute))
  }

  @Test func `Other errors are recognized by name, as the status is always 400`() throws {
    let down = answer(#"{"error_id":503,"error_name":"temporarily_unavailable"}"#, status: 400)
    #expect(source.verdict(on: down, now: testNow) == .retry)
    #expect(try source.failure(of: down, to: source.asking("a", at: server)).kind == .temporary)
    let bad = answer(
      #"{"error_id":400,"error_message":"No site found for name `x`","error_name":"bad_parameter"}"#,
      status: 400)
    #expect(source.verdict(on: bad, now: testNow) == .done)
    let failure = try source.failure(of: bad, to: source.asking("a", at: server))
    #expect(failure.kind == .permanent)
    #expect(failure.message == "refused (400): bad_parameter: No site found for name `x`")
  }

  @Test(arguments: Recorded.all)
  func `Recorded responses are read completely`(recorded: Recorded) throws {
    for name in recorded.names("stackexchange") {
      let page = try source.page(
        from: recorded.answer("stackexchange/\(name)"), to: source.asking("a", at: server))
      #expect(page.brokenItems == 0 && page.posts.isEmpty == (name == "empty.json"))
      for post in page.posts {
        #expect(post.createdAt != nil && post.url != nil)
        #expect(post.title?.contains("&#39;") == false && post.title?.contains("&quot;") == false)
      }
    }
  }
}
