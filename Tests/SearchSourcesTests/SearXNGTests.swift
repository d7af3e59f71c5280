import FoundationEssentials
import QueuedHTTP
import SearchModel
import Testing

@testable import SearchSources

struct SearXNGTests {
  private let source = SearXNG()
  private let server = "https://searx.example/sub"

  // Instances leave out engines that cannot restrict their results to dates.
  @Test(arguments: [nil, "2026-11-20T11:00:00Z"])
  func `The request asks for JSON, without dates`(since: String?) throws {
    for cursor in ["2/10", "2/10 qwant"] {
      let request = try source.request(
        for: source.asking("c++ #x", at: server, since: since, cursor: Cursor(rawValue: cursor)))
      #expect(
        request.url == "https://searx.example/sub/search?q=c%2B%2B%20x&format=json&pageno=2")
    }
  }

  @Test func `No engine is skipped for a date`() async throws {
    try await SimulatedAsking.with("searxng") { asking in
      let query = try #require(Query("swift"))
      let since = testNow.addingTimeInterval(-86_400)
      let dated = try await asking.page(query, since: since).page
      #expect(try await dated.posts == asking.page(query).page.posts)
    }
  }

  @Test func `A later page on which all engines failed is not the end`() async throws {
    try await SimulatedAsking.with("searxng") { asking in
      let first = try await asking.page("tiring").page
      #expect(!first.posts.isEmpty)
      let second = try await asking.page("tiring", cursor: first.next)
      guard case .failure(.failed(let failure)) = second.result else {
        Issue.record("no failure")
        return
      }
      #expect(failure.kind == .temporary)
      // One that has been silent before does not matter.
      #expect(try await asking.walk("swift").count > 1)
    }
  }

  @Test func `Results are read, with or without a date`() throws {
    let page = try source.page(
      from: answer(
        #"""
        {"results":[
         {"url":"https://a.example/1","title":"A & B","content":"text","publishedDate":"2026-11-20T00:00:00","thumbnail":"https://i.example/1","img_src":""},
         {"url":"https://a.example/2","title":"t","content":"","publishedDate":null},
         {"url":"https://a.example/3","title":"t","publishedDate":"2026-11-20"},
         {"url":"javascript:alert(1)","title":"t"}, {"url":"https://a.example/4"}, 5],
         "unresponsive_engines":[["qwant","CAPTCHA"],5]}
        """#), to: source.asking("a", at: server))
    #expect(page.brokenItems == 3)
    #expect(page.notes == ["engines that did not respond: qwant (CAPTCHA)"])
    #expect(page.next?.rawValue.hasPrefix("2/") == true)
    let result = page.posts[0]
    #expect(result.uri == "https://a.example/1" && result.url == result.uri)
    #expect(result.title == "A & B" && result.text == "text" && result.links == [result.uri])
    #expect(
      page.posts.map(\.createdAt?.timeIntervalSince1970) == [1_795_132_800, nil, 1_795_132_800])
  }

  @Test func `Pages follow each other until an empty one`() throws {
    let one = #"{"results":[{"url":"https://a.example","title":"t"}]}"#
    let asked = try source.asking("a", at: server, cursor: Cursor(rawValue: "10/10"))
    let page = try source.page(from: answer(one), to: asked)
    #expect(page.next?.rawValue.hasPrefix("11/") == true && page.missing == nil)
    #expect(
      try source.page(from: answer(#"{"results":[]}"#), to: source.asking("a", at: server))
        == Page())
  }

  @Test func `No results with failed engines is a temporary failure`() throws {
    let dead = answer(
      #"{"results":[],"unresponsive_engines":[["dead","unexpected crash"],["b","timeout"]]}"#)
    let failure = try source.failure(of: dead, to: source.asking("a", at: server))
    #expect(failure.kind == .temporary)
    #expect(
      failure.message
        == "nothing found, but some engines failed: dead (unexpected crash), b (timeout)")
    // After a page of results, too, unless those engines were silent before.
    let later = try source.asking("a", at: server, cursor: Cursor(rawValue: "2/10"))
    #expect(try source.failure(of: dead, to: later).kind == .temporary)
    let end = try source.asking("a", at: server, cursor: Cursor(rawValue: "2/10 b\ndead"))
    #expect(try source.page(from: dead, to: end).notes.count == 1)
  }

  @Test func `A result without an address is neither a post nor broken`() throws {
    let page = try source.page(
      from: answer(
        #"{"results":[{"kvmap":{"a":"b"}},{"url":null,"title":"t"},{"url":"https://a.example"}]}"#),
      to: source.asking("a", at: server))
    #expect(page.posts.isEmpty && page.brokenItems == 1)
  }

  @Test(arguments: Recorded.all)
  func `Responses of a real instance are read, with all engines or one failing`(recorded: Recorded)
    throws
  {
    let page = try source.page(
      from: recorded.answer("searxng/some.json"), to: source.asking("widget", at: server))
    #expect(page.posts.count == 18 && page.brokenItems == 0)
    #expect(page.notes == ["engines that did not respond: dead (Suspended: unexpected crash)"])
    let failure = try source.failure(
      of: recorded.answer("searxng/dead.json"), to: source.asking("widget", at: server))
    #expect(failure.kind == .temporary)
  }

  @Test func `An instance without a working engine fails, and facts are not items`()
    async throws
  {
    try await SimulatedAsking.with("searxng") { asking in
      guard case .failure(.failed) = try await asking.page("unresponsive").result else {
        Issue.record("no failure")
        return
      }
      let answered = try await asking.page("swift")
      #expect(answered.response.body.text.contains("kvmap"))
      #expect(try answered.page.brokenItems == 0)
      #expect(try answered.page.posts.count == 20)
    }
  }

  @Test func `The error of an instance without JSON says what to do`() throws {
    let failure = try source.failure(
      of: answer("<h1>Forbidden</h1>", status: 403), to: source.asking("a", at: server))
    #expect(failure.kind == .permanent)
    #expect(failure.advice == "search an instance whose settings allow the json format")
  }
}
