import FoundationEssentials
import QueuedHTTP
import SearchModel
import Testing

@testable import SearchSources

struct ThreadsTests {
  private let source = Threads()
  private let server = "https://graph.threads.net"

  private func asked(_ query: String = "a") throws -> PageRequest {
    try source.asking(query, at: server, credentials: ["secrettoken"])
  }

  @Test func `Words are keywords, and a hashtag is a topic`() throws {
    let request = try source.request(
      for: source.asking(
        "two words", at: server, since: "2026-11-20T10:00:00.900Z",
        until: "2026-11-21T09:00:00.100Z", wanted: 20, cursor: Cursor(rawValue: "QVFI=="),
        credentials: ["tok"]))
    #expect(
      request.url
        == "https://graph.threads.net/v1.0/keyword_search?q=two%20words&search_type=RECENT"
        + "&search_mode=KEYWORD&limit=20&fields=id%2Ctext%2Cmedia_type%2Cmedia_url%2Cpermalink%2C"
        + "timestamp%2Cusername%2Cis_quote_post%2Cis_reply&since=1795168800&until=1795251601"
        + "&after=QVFI%3D%3D&access_token=tok")
    let topic = try source.request(for: asked("#swift"))
    #expect(topic.url.contains("?q=swift&search_type=RECENT&search_mode=TAG&"))
    #expect(throws: Failure.self) { try source.request(for: source.asking("a", at: server)) }
  }

  @Test func `Dates stay within the range that the network accepts`() throws {
    let request = try source.request(
      for: source.asking(
        "a", at: server, since: "2020-01-01T00:00:00Z", until: "2026-12-01T00:00:00Z",
        credentials: ["t"]))
    #expect(request.url.contains("&since=1688540400&") && !request.url.contains("&until="))
    let before = try moment("2023-07-05T00:00:00Z")
    #expect(source.unreachableReason(since: nil, until: before, now: testNow) != nil)
    #expect(source.unreachableReason(since: before, until: nil, now: testNow) == nil)
    #expect(source.unreachableReason(since: nil, until: testNow, now: testNow) == nil)
  }

  @Test func `Posts are read, with a zone offset without a colon`() throws {
    let page = try source.page(
      from: answer(
        #"""
        {"data":[
         {"id":"1","text":"A & B","media_type":"IMAGE","media_url":"https://i.example/1","permalink":"https://www.threads.net/@amy/post/x","timestamp":"2023-10-17T05:42:03+0000","username":"amy"},
         {"id":"2","text":"b"}, {"id":"3"}, {"text":"no id"}, 5],
         "paging":{"cursors":{"before":"B","after":"A"}}}
        """#), to: asked())
    #expect(page.brokenItems == 3)
    #expect(page.next == Cursor(rawValue: "unnamed=A"))
    let post = page.posts[0]
    #expect(post.text == "A & B" && post.media == ["https://i.example/1"])
    #expect(post.url == "https://www.threads.net/@amy/post/x" && post.uri == post.url)
    #expect(post.author == Author(handle: "amy", url: "https://www.threads.net/@amy"))
    #expect(post.createdAt == (try moment("2023-10-17T05:42:03Z")))
    #expect(page.posts[1].uri == "https://www.threads.net/t/2")
    let empty = answer(#"{"data":[],"paging":{"cursors":{"after":"A"}}}"#)
    // The cursor of a page without posts leads nowhere unless an address says that there is more.
    #expect(try source.page(from: empty, to: asked()) == Page())
    #expect(try source.page(from: answer(#"{"data":[]}"#), to: asked()) == Page())
    let address = "https://graph.threads.net/v1.0/keyword_search?access_token=x&after=B%3D&limit=9"
    let linked = answer(#"{"data":[],"paging":{"next":"\#(address)"}}"#)
    #expect(try source.page(from: linked, to: asked()).next == Cursor(rawValue: "B="))
    let unusable = answer(#"{"data":[],"paging":{"next":"https://graph.threads.net/"}}"#)
    #expect(try source.page(from: unusable, to: asked()).deadEnd != nil)
  }

  // A page that the one before it does not name is asked for, as documented answers name none, but need not exist.
  @Test func `An album may have no text, and a repost has nothing of its own`() throws {
    let page = try source.page(
      from: answer(
        #"""
        {"data":[{"id":"1","media_type":"CAROUSEL_ALBUM","permalink":"https://www.threads.net/@a/post/1","username":"a"},
         {"id":"2","media_type":"REPOST_FACADE","permalink":"https://www.threads.net/@a/post/2"},
         {"id":"3","media_type":"TEXT_POST"}]}
        """#), to: source.asking("swift", at: "https://graph.threads.net", credentials: ["t"]))
    #expect(page.posts.map(\.id) == ["1"] && page.passedOver == 1 && page.brokenItems == 1)
  }

  @Test func `A refusal of a page that no page names is the end`() throws {
    let refused = answer(
      #"{"error":{"message":"Invalid cursor","type":"OAuthException","code":100}}"#, status: 400)
    func asked(_ cursor: String) throws -> PageRequest {
      try source.asking(
        "a", at: server, cursor: Cursor(rawValue: cursor), credentials: ["secrettoken"])
    }
    #expect(try source.request(for: asked("unnamed=A")).url.contains("&after=A&"))
    #expect(try source.read(refused, to: asked("unnamed=A")) == Page())
    #expect(throws: SourceFault.self) { try source.read(refused, to: asked("A")) }
    let expired = answer(#"{"error":{"message":"Expired","code":190}}"#, status: 400)
    #expect(try source.failure(of: expired, to: asked("unnamed=A")).kind == .credential)
    let named = answer(
      #"{"data":[{"id":"2","text":"b"}],"paging":{"cursors":{"after":"A"},"next":"https://g.example/?after=A"}}"#
    )
    #expect(try source.page(from: named, to: asked("B")).next == Cursor(rawValue: "A"))
  }

  @Test(
    arguments: [
      (4, 403, .temporary), (17, 400, .temporary), (32, 400, .temporary), (613, 400, .temporary),
      (190, 400, .credential), (10, 403, .credential), (200, 403, .credential),
      (100, 400, .permanent), (1, 500, .temporary), (1, 400, .temporary), (2, 400, .temporary),
      (341, 400, .temporary),
    ] as [(Int, Int, Failure.Kind)])
  func `Errors are recognized by their number`(code: Int, status: Int, kind: Failure.Kind) throws {
    let response = answer(
      #"{"error":{"message":"bad secrettoken","type":"OAuthException","code":\#(code)}}"#,
      status: status)
    let failure = try source.failure(of: response, to: asked())
    #expect(failure.kind == kind)
    #expect(failure.message.hasSuffix("(\(status)): \(code): bad ***"))
    #expect(
      (source.verdict(on: response, now: testNow) != .done) == (kind == .temporary))
  }

  @Test func `An error that says it passes is worth another attempt`() throws {
    let response = answer(
      #"{"error":{"message":"An unknown error occurred","code":9001,"is_transient":true}}"#,
      status: 400)
    #expect(source.verdict(on: response, now: testNow) != .done)
    #expect(try source.failure(of: response, to: asked()).kind == .temporary)
  }

  @Test(arguments: Recorded.all)
  func `The documentation's example is read completely`(recorded: Recorded) throws {
    let page = try source.page(
      from: recorded.answer("threads/docs_keyword_search.json"), to: asked())
    #expect(page.posts.count == 1 && page.brokenItems == 0)
    #expect(page.posts.first?.createdAt == (try moment("2023-10-17T05:42:03Z")))
  }
}
