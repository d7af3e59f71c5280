import Foundation
import QueuedHTTP
import SearchModel
import Testing

@testable import SearchSources

/// Sources that are declared, against the simulated networks and against answers of many shapes.
@Suite(.serialized) struct DeclaredJSONTests {
  private let hackerNews = #"""
    {"kind": "json",
     "url": "http://127.0.0.1/api/v1/search_by_date?query={query}&tags=(story,comment)&queryType=prefixNone&typoTolerance=false&restrictSearchableAttributes=title,story_text,comment_text&page={page}&hitsPerPage={limit}&numericFilters=created_at_i>={since:epoch-seconds},created_at_i<{until:epoch-seconds}",
     "items": "hits",
     "fields": {"id": "objectID", "url": "https://news.ycombinator.com/item?id={objectID}",
       "title": ["title", "story_title"], "text": ["comment_text", "story_text"], "author": "author",
       "author_url": "https://news.ycombinator.com/user?id={author}", "created_at": "created_at_i",
       "links": "url", "likes": "points", "replies": "num_comments", "reply_to": "parent_id"},
     "html": ["text"], "newest_first": true,
     "page": {"first": 0, "size": [1, 1000], "pages": "nbPages"}}
    """#

  @Test func `A declaration reads what the network's own adapter reads`() async throws {
    let source = try declared(
      hackerNews.replacingOccurrences(of: ">", with: "%3E").replacingOccurrences(
        of: "<", with: "%3C"),
      name: "hackernews")
    let own = try await SimulatedAsking.with("hackernews") { asking in
      try await asking.walk("#swift", wanted: 30).map { try $0.page }
    }
    try await SimulatedAsking.with(source, at: "hackernews") { asking in
      let pages = try await asking.walk("#swift", wanted: 30).map { try $0.page }
      #expect(pages.map { $0.posts.map(\.id) } == own.map { $0.posts.map(\.id) })
      #expect(pages.allSatisfy { $0.brokenItems == 0 && $0.missing == nil })
      for (post, other) in zip(pages.flatMap(\.posts), own.flatMap(\.posts)) {
        #expect(post.text == other.text && post.title == other.title)
        #expect(post.createdAt == other.createdAt && post.url == other.url)
        #expect(post.author == other.author && post.counts == other.counts)
        #expect(post.links == other.links && post.replyTo == other.replyTo)
      }
      let broken = try await asking.page("#swift", fault: "~broken-item", wanted: 30).page
      #expect(broken.brokenItems >= 3)
      let none = try await asking.walk("#nothing", wanted: 30)
      #expect(try none.count == 1 && none[0].page.posts.isEmpty)
    }
  }

  @Test func `Posts that share an address are told apart by their identifiers`() throws {
    let source = try declared(
      #"""
      {"url": "https://forum.example/s?q={query}",
       "fields": {"id": "id", "url": "url", "title": "title"}}
      """#, name: "forum")
    let page = try source.read(
      answer(
        #"""
        [{"id": 1, "url": "https://forum.example/t/19#1", "title": "a"},
         {"id": 9, "url": "https://forum.example/t/19", "title": "b"},
         {"id": 19, "url": "https://forum.example/t/19", "title": "c"},
         {"id": "a b", "url": "https://forum.example/a%20b", "title": "d"},
         {"id": "/x", "url": "https://forum.example/x", "title": "e"}]
        """#), to: source.asking("a", at: "https://forum.example"))
    #expect(
      page.posts.map(\.uri) == [
        "https://forum.example/t/19#1", "https://forum.example/t/19#9",
        "https://forum.example/t/19", "https://forum.example/a%20b", "https://forum.example/x",
      ])
  }

  @Test func `Lobsters is declared by its path, and takes tags only`() async throws {
    let source = try declared(
      #"""
      {"url": "http://127.0.0.1/t/{tag}/page/{page}.json", "html": ["text"],
       "fields": {"id": "short_id", "url": "short_id_url", "title": "title", "text": "description",
         "author": "submitter_user", "created_at": "created_at", "links": "url", "likes": "score"}}
      """#, name: "bricks")
    try await SimulatedAsking.with(source, at: "lobsters") { asking in
      let pages = try await asking.walk("#swift").map { try $0.page }
      #expect(pages.count > 2)
      #expect(pages.flatMap(\.posts).count >= 45)
      #expect(pages.flatMap(\.posts).allSatisfy { $0.createdAt != nil && $0.url != nil })
    }
    let reason = source.unsupportedReason(
      for: source.split(try #require(Query("two words")), with: nil), with: nil)
    #expect(reason?.contains("tag") == true)
    #expect(throws: Failure.self) {
      try source.request(for: source.asking("two words", at: "https://a.example"))
    }
  }

  @Test func `An answer that is an error, a page or of another shape is a failure`() async throws {
    let source = try declared(
      hackerNews.replacingOccurrences(of: "[<>]", with: "", options: .regularExpression))
    try await SimulatedAsking.with(source, at: "hackernews") { asking in
      for (fault, kind) in [
        ("~status=500", Failure.Kind.temporary), ("~status=401", .credential),
        ("~html", .permanent), ("~garbage", .permanent), ("~status=400", .permanent),
      ] {
        let answered = try await asking.page("#swift", fault: fault)
        guard case .failure(.failed(let failure)) = answered.result else {
          Issue.record("\(fault) gives \(answered.result)")
          continue
        }
        #expect(failure.kind == kind, "\(fault)")
      }
    }
    let page = try source.asking("a", at: "https://forum.example")
    #expect(try forum().failure(of: answer("{}"), to: page).message.contains("no list at posts"))
    #expect(
      try forum().failure(of: answer(#"{"error": "bad \"q\""}"#), to: page).message
        == #"the server returned an error: bad "q""#)
  }

  private func request(_ source: JSONNetwork, _ query: String = "a b", since: String? = nil)
    throws -> HTTPRequest
  {
    try source.request(
      for: source.asking(
        query, at: "https://forum.example", since: since, wanted: 7,
        credentials: source.traits.credentialNames.isEmpty ? nil : ["s3cret"]))
  }

  @Test(arguments: [
    ("/s?q={query}", "/s?q=a%20%23b%26"), ("/s/{words}?n={limit}", "/s/a%20b%26?n=7"),
    ("/s?q={query}&p={page}", "/s?q=a%20%23b%26&p=1"),
    ("/s?q={query}&from={offset}", "/s?q=a%20%23b%26&from=0"),
    ("/s?q={query}&a={since}&b={until}", "/s?q=a%20%23b%26&a=2026-11-20T12%3A00%3A00Z"),
    ("/s?q={query}&a={since:date}", "/s?q=a%20%23b%26&a=2026-11-20"),
    ("/s?a=x%3E{since:epoch-seconds},{until:epoch-seconds}&q={query}", "/s?q=a%20%23b%26"),
    ("/s?a={since:epoch-milliseconds}&q={query}", "/s?a=1795176000000&q=a%20%23b%26"),
    ("?q={query}", "?q=a%20%23b%26"), ("/{{s}}?q={query}", "/{s}?q=a%20%23b%26"),
  ])
  func `Placeholders are filled, and parameters without a value are omitted`(
    template: String, url: String
  ) throws {
    let source = try forum(url: "https://forum.example\(template)")
    let request = try request(source, "a #b&", since: "2026-11-20T12:00:00Z")
    #expect(request.url == "https://forum.example\(url)")
    #expect(request.method == .get && request.body == nil)
  }

  @Test func `A body of JSON and a form are filled`() throws {
    let json = try forum(
      #""body": {"query": "{query}", "n": "{limit}", "from": "{offset}", "after": "{since}", "plain": [1, "x {query}", null]}"#,
      url: "https://forum.example/search")
    let sent = try request(json, "a \"b\"")
    #expect(sent.method == .post)
    #expect(
      String(decoding: sent.body ?? [], as: UTF8.self)
        == #"{"query":"a \"b\"","n":7,"from":0,"plain":[1,"x a \"b\"",null]}"#)
    #expect(sent.headers["Content-Type"] == "application/json")
    let form = try request(
      forum(#""form": {"q": "{query}", "s": "{since}"}"#, url: "https://forum.example/search"),
      "a&b")
    #expect(String(decoding: form.body ?? [], as: UTF8.self) == "q=a%26b")
  }

  @Test func `A credential is sent by its name, and omitted if it is optional`()
    throws
  {
    let needed = try forum(#""headers": {"X-Api-Key": "k {FORUM_TOKEN}", "X-Version": "3"}"#)
    #expect(needed.traits.credentialNames == ["FORUM_TOKEN"] && needed.traits.needsCredentials)
    let sent = try request(needed)
    #expect(sent.headers["X-Api-Key"] == "k s3cret" && sent.headers["X-Version"] == "3")
    #expect(sent.secretHeaders == ["X-Api-Key"])
    let failure = #expect(throws: Failure.self) {
      try needed.request(for: needed.asking("a", at: "https://forum.example"))
    }
    #expect(failure?.kind == .credential && failure?.advice == "set FORUM_TOKEN")
    let free = try forum(
      #""anonymous": true, "headers": {"Authorization": "Bearer {FORUM_TOKEN}"}"#,
      url: "https://forum.example/s?q={query}&key={FORUM_TOKEN}")
    #expect(!free.traits.needsCredentials)
    let anonymous = try free.request(for: free.asking("a", at: "https://forum.example"))
    #expect(anonymous.url == "https://forum.example/s?q=a")
    #expect(anonymous.headers["Authorization"] == nil)
  }

  @Test(arguments: [
    ("auto", "1795176000"), ("auto", "1795176000000"), ("auto", #""1795176000""#),
    ("auto", #""2026-11-20T12:00:00Z""#), ("auto", #""2026-11-20T13:00:00+01:00""#),
    ("auto", #""2026-11-20 12:00:00""#), ("auto", #""Fri, 20 Nov 2026 12:00:00 GMT""#),
    ("epoch-seconds", "1795176000"), ("epoch-seconds", #""1795176000""#),
    ("epoch-milliseconds", "1795176000000"), ("rfc3339", #""2026-11-20T12:00:00""#),
    ("rfc822", #""20 Nov 2026 12:00 +0000""#),
  ])
  func `A date is read in its format`(form: String, spelling: String) throws {
    let source = try declared(
      #"{"url": "https://a.example/?q={query}", "dates": "\#(form)", "fields": {"id": "id", "text": "t", "created_at": "at"}}"#
    )
    let body = #"[{"id": 1, "t": "x", "at": \#(spelling)}, {"id": 2, "t": "y", "at": [5]}]"#
    let page = try source.page(from: answer(body), to: source.asking("a", at: "https://a.example"))
    #expect(page.posts.map(\.createdAt) == [try moment("2026-11-20T12:00:00Z"), nil])
  }

  @Test(arguments: [
    "0", #""0""#, #""0001-01-01T00:00:00Z""#, "null", #""""#,
  ])
  func `A program's word for a missing date is none`(spelling: String) throws {
    let source = try declared(
      #"{"url": "https://a.example/?q={query}", "fields": {"id": "id", "text": "t", "created_at": "at"}}"#
    )
    let page = try source.page(
      from: answer(#"[{"id": 1, "t": "x", "at": \#(spelling)}]"#),
      to: source.asking("a", at: "https://a.example"))
    #expect(page.posts.count == 1 && page.posts[0].createdAt == nil)
  }

  @Test func `The year 1970 is a date like any other`() throws {
    let source = try declared(
      #"{"url": "https://a.example/?q={query}", "fields": {"id": "id", "text": "t", "created_at": "at"}}"#
    )
    let page = try source.page(
      from: answer(
        #"[{"id": 1, "t": "x", "at": "1970"}, {"id": 2, "t": "y", "at": "1970-01-01"}]"#),
      to: source.asking("a", at: "https://a.example"))
    #expect(page.posts.map(\.createdAt?.timeIntervalSince1970) == [0, 0])
  }

  @Test func `A flag may be a text`() throws {
    let source = try declared(
      #"{"url": "https://a.example/?q={query}", "fields": {"id": "id", "text": "t", "sensitive": "s"}}"#
    )
    let page = try source.page(
      from: answer(
        #"""
        [{"id": 1, "t": "a", "s": "true"}, {"id": 2, "t": "b", "s": "false"}, {"id": 3, "t": "c", "s": 1},
         {"id": 4, "t": "d", "s": "maybe"}]
        """#), to: source.asking("a", at: "https://a.example"))
    #expect(page.posts.map(\.isSensitive) == [true, false, true, nil])
  }

  @Test func `Posts of which most have one identifier are not complete`() throws {
    let source = try forum()
    func page(_ identifiers: [Int]) throws -> Page {
      let items = identifiers.enumerated().map { #"{"id": \#($1), "text": "\#($0)"}"# }
      return try source.page(
        from: answer(#"{"posts": [\#(items.joined(separator: ","))]}"#),
        to: source.asking("a", at: "https://forum.example"))
    }
    #expect(try page([1, 1, 1, 2, 2]).gap?.contains("check \"id\"") == true)
    #expect(try page([1, 2, 3, 3]).gap == nil)
  }

  @Test func `A path is the identity of a post on its own server only`() throws {
    let source = try declared(
      #"{"url": "{server}/?q={query}", "fields": {"id": "id", "text": "t", "uri": "/e/{id}"}}"#)
    for server in ["https://a.example", "https://b.example"] {
      let page = try source.page(
        from: answer(#"[{"id": 1, "t": "x"}]"#), to: source.asking("a", at: server))
      #expect(page.posts.map(\.uri) == ["\(server)/e/1"])
    }
  }

  @Test func `A date in an address may have a blank, which is encoded`() throws {
    let source = try forum(url: "https://a.example/?q={query}&from={since:YYYY-MM-DD hh:mm}")
    let request = try source.request(
      for: source.asking("a", at: "https://a.example", since: "2026-11-20T10:30:00Z"))
    #expect(request.url == "https://a.example/?q=a&from=2026-11-20%2010%3A30")
  }

  @Test(arguments: ["2005", #""2005""#])
  func `Four digits are a year`(spelling: String) throws {
    let source = try declared(
      #"{"url": "https://a.example/?q={query}", "fields": {"id": "id", "text": "t", "created_at": "at"}}"#
    )
    let page = try source.page(
      from: answer(#"[{"id": 1, "t": "x", "at": \#(spelling)}]"#),
      to: source.asking("a", at: "https://a.example"))
    #expect(page.posts.first?.createdAt == (try moment("2005-01-01T00:00:00Z")))
  }

  /// PHP's `JSON_NUMERIC_CHECK` writes each text of digits as a number.
  @Test func `Titles and texts that are numbers are read as they are written`() throws {
    let source = try declared(
      #"""
      {"url": "https://a.example/?q={query}", "html": ["text"],
       "fields": {"id": "id", "title": ["t", "u"], "text": "b"}}
      """#)
    let page = try source.page(
      from: answer(
        #"""
        [{"id": 1, "t": 2048, "b": 3.14}, {"id": 2, "t": 0}, {"id": 3, "b": -1.5},
         {"id": 4, "t": 5, "u": "words"}, {"id": 5, "t": true, "b": [5]}]
        """#), to: source.asking("a", at: "https://a.example"))
    #expect(page.posts.map(\.title) == ["2048", "0", nil, "words"])
    #expect(page.posts.map(\.text) == ["3.14", "", "-1.5", ""])
    #expect(page.brokenItems == 1)
  }

  @Test func `A post with addresses without number keeps the first thousand`() throws {
    let source = try declared(
      #"{"url": "https://a.example/?q={query}", "fields": {"id": "id", "text": "t", "links": "l"}}"#
    )
    let links = (0..<50_000).map { "\"https://l.example/\($0)\"" }.joined(separator: ",")
    let page = try source.page(
      from: answer(#"[{"id": 1, "t": "x", "l": [\#(links)]}]"#),
      to: source.asking("a", at: "https://a.example"))
    #expect(page.posts.first?.links.count == 1000)
    #expect(page.posts.first?.links.last == "https://l.example/999")
  }

  @Test func `One value of another type never costs the other posts`() async throws {
    let source = try declared(
      hackerNews.replacingOccurrences(of: "[<>]", with: "", options: .regularExpression))
    try await SimulatedAsking.with(source, at: "hackernews") { asking in
      let whole = try await asking.page("#swift", wanted: 10)
      #expect(try asking.checkSpoiled(whole) == 4)
    }
  }

  @Test func `Fields are found by keys, places, alternatives and in lists`() throws {
    let source = try declared(
      #"""
      {"url": "https://a.example/?q={query}", "items": "0.a\\.b", "html": ["title", "text"],
       "fields": {"id": "n", "url": "/t/{n}", "title": "head", "text": ["none", "empty", "body.-1"],
         "author": "by.0.name", "links": ["see.*.href", "own"], "media": "pics",
         "likes": "up", "sensitive": "adult", "content_warning": "cw", "poll": "choices.*.t", "visibility": "who"}}
      """#)
    let body = #"""
      [{"a.b": [{"n": 12345678901234567890, "head": "a &amp; b", "empty": "",
        "body": ["no", "<p>x <a href='https://l.example/1'>y</a>"], "by": [{"name": "amy"}],
        "see": [{"href": "https://l.example/2"}, {"href": "javascript:x"}, 5], "own": "/z",
        "pics": ["https://p.example/1", "https://p.example/1"], "up": "12", "adult": 1,
        "cw": "loud", "choices": [{"t": "yes"}, {"t": ""}, 5, {"t": "no"}], "who": "followers"},
        {"n": 2}, 5, {"head": "no id"}]}]
      """#
    let page = try source.page(
      from: answer(body), to: source.asking("a", at: "https://a.example/base"))
    #expect(page.brokenItems == 3)
    let post = try #require(page.posts.first)
    #expect(post.id == "12345678901234567890")
    #expect(post.url == "https://a.example/t/12345678901234567890")
    #expect(post.title == "a & b" && post.text == "x y" && post.author.handle == "amy")
    #expect(
      post.links == ["https://l.example/2", "https://a.example/z", "https://l.example/1"])
    #expect(post.media == ["https://p.example/1"])
    #expect(post.counts.likes == 12 && post.isSensitive == true)
    #expect(post.contentWarning == "loud" && post.poll == ["yes", "no"])
    #expect(post.visibility == .private)
  }
}
