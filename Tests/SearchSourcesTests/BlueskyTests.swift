import FoundationEssentials
import QueuedHTTP
import SearchModel
import Testing
import TextFormats

@testable import SearchSources

struct BlueskyTests {
  private let source = Bluesky()
  private let session = Session(accessToken: "jwt", refreshToken: nil)

  private func page(
    _ body: String, cursor: Cursor? = nil, session: Session? = nil
  ) throws -> Page {
    try source.page(
      from: answer(body),
      to: source.asking("swift", at: "https://api.bsky.app", cursor: cursor, session: session))
  }

  @Test func `A search up to a date says that late arrivals are missing`() throws {
    let body = #"{"posts": []}"#
    let bounded = try source.page(
      from: answer(body),
      to: source.asking("swift", at: "https://api.bsky.app", until: "2026-11-21T10:00:00Z"))
    #expect(
      bounded.notes == [
        "posts that Bluesky indexed after --until cannot be found, even if they are older"
      ])
    #expect(try page(body).notes.isEmpty)
  }

  @Test func `Pages are sorted by the moment of indexing`() throws {
    let page = try page(
      #"""
      {"posts":[
       {"uri":"at://did:plc:a/app.bsky.feed.post/1","record":{"text":"imported","createdAt":"2013-05-01T00:00:00Z"},"indexedAt":"2026-11-21T09:00:00.000Z"},
       {"uri":"at://did:plc:a/app.bsky.feed.post/2","record":{"text":"new","createdAt":"2026-11-21T08:00:00.000Z"}}]}
      """#)
    #expect(page.posts[0].createdAt == (try moment("2013-05-01T00:00:00Z")))
    #expect(
      page.sortDates == [try moment("2026-11-21T09:00:00Z"), try moment("2026-11-21T08:00:00Z")])
  }

  @Test(arguments: [("swift lang:de", "de", []), ("swift lang:no", nil, ["no"])])
  func `A language with several codes is filtered here, as the parameter takes one`(
    query: String, sent: String?, local: [String]
  ) throws {
    let asked = try source.asking(query, at: "https://api.bsky.app")
    let url = try source.request(for: asked).url
    #expect(url.contains("&lang=") == (sent != nil))
    if let sent { #expect(url.contains("&lang=\(sent)")) }
    #expect(asked.split.local.map(\.value) == local)
  }

  @Test func `The request follows the lexicon`() throws {
    let request = try source.request(
      for: source.asking(
        "#swift \"a+b\"", at: "https://api.bsky.app", since: "2026-11-20T10:00:00.125Z",
        until: "2026-11-21T10:00:00Z", wanted: 500))
    #expect(
      request.url
        == "https://api.bsky.app/xrpc/app.bsky.feed.searchPosts?q=%23swift%20%22a%2Bb%22&sort=latest"
        + "&limit=100&since=2026-11-20T10%3A00%3A00.125Z&until=2026-11-21T10%3A00%3A00.000Z")
    #expect(request.headers["Authorization"] == nil)
    let signed = try source.request(
      for: source.asking(
        "x", at: "https://pds.example", wanted: 3, cursor: Cursor(rawValue: "cursor=a/b"),
        session: session))
    #expect(
      signed.url
        == "https://pds.example/xrpc/app.bsky.feed.searchPosts?q=x&sort=latest&limit=3&cursor=a%2Fb"
    )
    #expect(signed.headers["Authorization"] == "Bearer jwt")
  }

  private static let post = #"""
    {"uri":"at://did:plc:abc/app.bsky.feed.post/3kx","cid":"c",
     "author":{"did":"did:plc:abc","handle":"amy.example","displayName":""},
     "record":{"$type":"app.bsky.feed.post","text":"é see example.com/lo... and here","createdAt":"2026-11-21T09:00:00.123456Z","langs":["de","en"],
       "facets":[{"index":{"byteStart":7,"byteEnd":24},"features":[{"$type":"app.bsky.richtext.facet#link","uri":"https://example.com/long"}]},
         {"index":{"byteStart":29,"byteEnd":33},"features":[{"uri":"https://here.example"},{"tag":"x"},{"uri":"javascript:1"}]},
         {"index":{"byteStart":90,"byteEnd":99},"features":[{"uri":"https://far.example"}]}, 7],
       "reply":{"parent":{"uri":"at://did:plc:p/app.bsky.feed.post/1"},"root":{}}},
     "embed":{"$type":"app.bsky.embed.recordWithMedia#view","record":{},"media":{"$type":"app.bsky.embed.external#view","external":{"uri":"https://card.example"}}},
     "likeCount":1,"repostCount":2,"replyCount":3,"indexedAt":"2026-11-21T09:00:05.000Z","labels":[{"val":"porn"},{"val":"!warn"},{"val":"gore","neg":true},{"val":"porn"},{"val":"cats"}]}
    """#

  @Test func `A post is read with its links, replies and labels`() throws {
    let page = try page(#"{"posts":[\#(Self.post)]}"#)
    let post = try #require(page.posts.first)
    #expect(post.id == "at://did:plc:abc/app.bsky.feed.post/3kx")
    #expect(post.uri == post.id)
    #expect(post.url == "https://bsky.app/profile/amy.example/post/3kx")
    #expect(
      post.author == Author(handle: "amy.example", url: "https://bsky.app/profile/amy.example"))
    #expect(post.text == "é see https://example.com/long and here")
    #expect(
      post.links == [
        "https://example.com/long", "https://here.example", "https://far.example",
        "https://card.example",
      ])
    #expect(post.createdAt == (try moment("2026-11-21T09:00:00.123Z")))
    #expect(post.language == "de")
    #expect(post.replyTo == "at://did:plc:p/app.bsky.feed.post/1")
    #expect(post.counts == Counts(likes: 1, reposts: 2, replies: 3))
    #expect(post.isSensitive == true)
    #expect(post.contentWarning == "porn, warning")
    #expect(post.textAfterWarning == post.text)
    #expect(page.next == nil)
  }

  @Test func `The date is the earlier valid one`() throws {
    func date(_ created: String, _ indexed: String) throws -> Date? {
      try page(
        #"{"posts":[{"uri":"at://d/c/k","record":{"text":"","createdAt":\#(created)},"indexedAt":\#(indexed)}]}"#
      ).posts.first?.createdAt
    }
    let day = try moment("2026-11-21T00:00:00Z")
    #expect(try date("\"2030-01-01T00:00:00Z\"", "\"2026-11-21T00:00:00Z\"") == day)
    #expect(try date("\"2026-11-20T19:00:00-05:00\"", "\"2026-11-22T00:00:00Z\"") == day)
    #expect(try date("\"2026-11-21\"", "\"2026-11-21T00:00:00.0009+00:00\"") == day)
    #expect(try date("\"2026-11-21T00:00:00Z\"", "5") == day)
    #expect(try date("null", "null") == nil)
  }

  @Test func `Pictures, unknown handles and broken items`() throws {
    let page = try page(
      #"""
      {"posts":[
       {"uri":"at://did:plc:abc/app.bsky.feed.post/1","author":{"did":"did:plc:abc","handle":"handle.invalid"},"record":{"text":""},
        "embed":{"images":[{"thumb":"https://t.example","fullsize":"https://f.example"},{"thumb":"https://t2.example"}]},"labels":[]},
       {"uri":"at://did:plc:v/app.bsky.feed.post/2","record":{},"embed":{"playlist":"https://v.example/p.m3u8"}},
       {"uri":"","record":{"text":"x"}}, {"uri":"at://a/b/c"}, {"uri":"at://a/b/c","record":{}}, {"uri":5,"record":{"text":"x"}}, [], null
      ]}
      """#)
    #expect(page.brokenItems == 6)
    #expect(
      page.posts.map(\.media) == [
        ["https://f.example", "https://t2.example"], ["https://v.example/p.m3u8"],
      ])
    #expect(page.posts.map(\.author.handle) == ["did:plc:abc", "did:plc:v"])
    #expect(page.posts[0].url == "https://bsky.app/profile/did:plc:abc/post/1")
    #expect(page.posts.map(\.isSensitive) == [false, nil])
  }

  @Test func `Without a session pages go on by date, with one by cursor`() throws {
    let body = #"{"posts":[\#(Self.post)],"cursor":"25"}"#
    #expect(try page(body, session: session).next == Cursor(rawValue: "cursor=25"))
    let own = Cursor(rawValue: "cursor=25")
    #expect(try page(body, cursor: own, session: session).next == own)
    #expect(try page(#"{"posts":[],"cursor":"50"}"#, session: session).next != nil)
    let hidden = try page(#"{"posts":[],"cursor":"50"}"#)
    #expect(hidden.next == nil)
    #expect(hidden.deadEnd?.hasPrefix("older posts may be missing") == true)
    #expect(try page(#"{"posts":[]}"#).deadEnd == nil)

    let next = try #require(try page(body).next)
    let request = try source.request(
      for: source.asking("swift", at: "https://api.bsky.app", wanted: 10, cursor: next))
    #expect(
      request.url
        == "https://api.bsky.app/xrpc/app.bsky.feed.searchPosts?q=swift&sort=latest&limit=11"
        + "&until=2026-11-21T09%3A00%3A05.001Z")
    // A server that goes by the dates of posts has indexed this one after the end of the range.
    let later = Cursor(rawValue: "until=2026-11-21T09:00:03Z")
    #expect(
      try page(body, cursor: later).next == Cursor(rawValue: "until=2026-11-21T09:00:00.124Z"))
  }

  /// A page of 25 posts, a minute apart, of which some are shown with a moment of years ago.
  private func imported(_ odd: Range<Int>) -> String {
    let posts = (0..<25).map { index in
      let moment =
        odd.contains(index) ? "2015-01-01T00:00:00Z" : "2026-11-21T08:\(59 - index):00Z"
      return #"""
        {"uri":"at://d/c/\#(index)","record":{"text":"a","createdAt":"\#(moment)"},"indexedAt":"\#(moment)"}
        """#
    }
    return #"{"posts":[\#(posts.joined(separator: ","))],"cursor":"25"}"#
  }

  @Test(arguments: [(10..<11, "35"), (24..<25, "36"), (12..<25, "48"), (0..<24, "35")])
  func `Imported posts do not hide those between`(odd: Range<Int>, minute: String) throws {
    #expect(
      try page(imported(odd)).next
        == Cursor(rawValue: "until=2026-11-21T08:\(minute):00.001Z"))
  }

  @Test func `Where the server's cursor ends after thousands of posts, a session goes on by date`()
    throws
  {
    let body = #"{"posts":[\#(Self.post)]}"#
    var asked = try source.asking("swift", at: "https://bsky.social", wanted: 10)
    asked.session = session
    asked.itemsBefore = 9998
    let next = Cursor(rawValue: "until=2026-11-21T09:00:05.001Z")
    #expect(try source.page(from: answer(body), to: asked).next == next)
    asked.cursor = next
    let request = try source.request(for: asked)
    #expect(request.url.contains("&until=2026") && !request.url.contains("cursor="))
    #expect(request.headers["Authorization"] != nil)
    // An empty page names no date.
    var empty = asked
    (empty.cursor, empty.itemsBefore) = (Cursor(rawValue: "cursor=52"), 5200)
    let end = try source.page(from: answer(#"{"posts":[]}"#), to: empty)
    #expect(end.next == nil && end.missing == nil && end.deadEnd == nil)
    empty.itemsBefore = 9990
    let cut = try source.page(from: answer(#"{"posts":[]}"#), to: empty)
    #expect(cut.missing?.contains("10,000") == true)
    // From there on it goes by date, until there is no cursor.
    #expect(try source.page(from: answer(body), to: asked).next == nil)
    asked.cursor = Cursor(rawValue: "until=2026-11-22T09:00:00Z")
    let more = #"{"posts":[\#(Self.post)],"cursor":"25"}"#
    #expect(try source.page(from: answer(more), to: asked).next == next)
    (asked.cursor, asked.itemsBefore) = (Cursor(rawValue: "cursor=900"), 900)
    #expect(try source.page(from: answer(body), to: asked).next == nil)
  }

  @Test func `A page that ends in the moment it began with is repeated in full, then passed over`()
    throws
  {
    let body = #"{"posts":[\#(Self.post)],"cursor":"25"}"#
    let moment = "2026-11-21T09:00:05.001Z"
    var asked = try source.asking(
      "swift", at: "https://api.bsky.app", wanted: 10, cursor: Cursor(rawValue: "until=\(moment)"))
    let again = try source.page(from: answer(body), to: asked)
    #expect(again.next == Cursor(rawValue: "large=\(moment)") && again.gap == nil)
    asked.cursor = again.next
    #expect(try source.request(for: asked).url.contains("&limit=100&until="))
    let full = try source.page(from: answer(body), to: asked)
    #expect(full.next == Cursor(rawValue: "until=2026-11-21T09:00:05.000Z"))
    #expect(full.gap?.hasPrefix("posts with the same timestamp may be missing") == true)
  }

  @Test func `A backdated post does not make the next page skip posts`() throws {
    let body = #"""
      {"posts":[
       {"uri":"at://d/c/2","record":{"text":"a","createdAt":"2026-11-21T08:00:00Z"},"indexedAt":"2026-11-21T08:00:01Z"},
       {"uri":"at://d/c/1","record":{"text":"b","createdAt":"2019-01-01T00:00:00Z"},"indexedAt":"2026-11-21T07:00:00Z"}],
       "cursor":"2"}
      """#
    #expect(try page(body).next == Cursor(rawValue: "until=2026-11-21T07:00:00.001Z"))
    #expect(source.traits.order == .approximate)
  }

  @Test func `Accounts that ask for it are shown only to people who are signed in`() throws {
    let body = #"""
      {"posts":[
       {"uri":"at://did:b/c/2","author":{"did":"did:b","handle":"b.example","labels":[{"src":"did:b","val":"!no-unauthenticated","neg":true},{"src":"did:x","val":"!no-unauthenticated"}]},"record":{"text":"shown","createdAt":"2026-11-21T08:00:00Z"}},
       {"uri":"at://did:a/c/1","author":{"did":"did:a","handle":"a.example","labels":[{"src":"did:a","val":"!no-unauthenticated"}]},"record":{"text":"hidden","createdAt":"2026-11-21T07:00:00Z"}}],
       "cursor":"2"}
      """#
    let anonymous = try page(body)
    #expect(anonymous.posts.map(\.text) == ["shown"])
    #expect(anonymous.hiddenFromStrangers == 1 && anonymous.brokenItems == 0)
    // The next page begins after the hidden post.
    #expect(anonymous.next == Cursor(rawValue: "until=2026-11-21T07:00:00.001Z"))
    // Which repeats it.
    let later = try page(body, cursor: anonymous.next)
    #expect(later.hiddenFromStrangers == 0 && later.items == 2)
    let signedIn = try page(body, session: session)
    #expect(signedIn.posts.count == 2 && signedIn.hiddenFromStrangers == 0)
  }

  @Test func `Labels of a post and of its author's account hide it or warn of it`() throws {
    func item(_ number: Int, account: String = "", own: String = "", record: String = "") -> String
    {
      #"""
      {"uri":"at://did:a/c/\#(number)","indexedAt":"2026-11-21T08:00:0\#(9 - number)Z",
       "author":{"did":"did:a","handle":"a.example","labels":[\#(account)]},"labels":[\#(own)],
       "record":{"text":"\#(number)","createdAt":"2026-11-21T08:00:00Z",
         "labels":{"$type":"com.atproto.label.defs#selfLabels","values":[\#(record)]}}}
      """#
    }
    let onAccount = #"{"src":"did:mod","uri":"did:a","val":"VALUE"}"#
    let onProfile =
      #"{"src":"did:mod","uri":"at://did:a/app.bsky.actor.profile/self","val":"porn"}"#
    func account(_ value: String) -> String { onAccount.replacing("VALUE", with: value) }
    let posts = [
      item(1, own: #"{"src":"did:mod","val":"!hide"}"#), item(2, account: account("!hide")),
      item(3, account: account("porn")), item(4, account: onProfile),
      item(5, record: #"{"val":"!no-unauthenticated"}"#),
      item(6, own: #"{"src":"did:mod","val":"!hide","neg":true}"#),
    ]
    let body = #"{"posts":[\#(posts.joined(separator: ","))]}"#
    let anonymous = try page(body)
    #expect(anonymous.posts.map(\.text) == ["3", "4", "6"])
    #expect(anonymous.posts.map(\.isSensitive) == [true, false, false])
    #expect(anonymous.posts[0].contentWarning == "porn")
    #expect(anonymous.passedOver == 2 && anonymous.hiddenFromStrangers == 1)
    #expect(try page(body, session: session).posts.map(\.text) == ["3", "4", "5", "6"])
  }

  @Test func `A post that is gone or blocked is passed over`() throws {
    let body = #"""
      {"posts":[{"$type":"app.bsky.feed.defs#notFoundPost","uri":"at://d/c/1","notFound":true},
       {"$type":"app.bsky.feed.defs#blockedPost","uri":"at://d/c/2","blocked":true},\#(Self.post)]}
      """#
    let page = try page(body)
    #expect(page.posts.count == 1 && page.brokenItems == 0 && page.passedOver == 2)
  }

  @Test func `A repost in a feed names who passed it on`() throws {
    let body = #"""
      {"feed":[{"post":{"uri":"at://did:a/c/1","author":{"handle":"a.example"},"record":{"text":"t"}},
       "reason":{"$type":"app.bsky.feed.defs#reasonRepost","by":{"did":"did:b","handle":"b.example"}}}]}
      """#
    let post = try #require(try page(body).posts.first)
    #expect(post.author.handle == "a.example" && post.repostedBy?.handle == "b.example")
    #expect(post.repostOf == "at://did:a/c/1")
  }

  @Test func `A login is sent as JSON and opens a session`() throws {
    let server = try #require(ServerAddress("https://bsky.social"))
    let login = try #require(
      source.loginRequest(to: server, with: Credentials(["@amy.example", "pa\"ss"])))
    #expect(login.method == .post)
    #expect(login.url == "https://bsky.social/xrpc/com.atproto.server.createSession")
    #expect(login.headers["content-type"] == "application/json")
    #expect(
      String(decoding: login.body ?? [], as: UTF8.self)
        == #"{"identifier":"amy.example","password":"pa\"ss"}"#)
    #expect(source.loginRequest(to: server, with: Credentials(["one"])) == nil)

    let opened = try source.session(
      from: answer(#"{"accessJwt":"a","refreshJwt":"r","handle":"h","did":"d"}"#),
      to: source.asking("a", at: "https://bsky.social"))
    #expect(opened == Session(accessToken: "a", refreshToken: "r"))
    // {"alg":"none"}, {"sub":"???>>>","exp":1795258800} and no signature: with both characters in which
    // the alphabet for URLs differs.
    let token = "eyJhbGciOiJub25lIn0.eyJzdWIiOiI_Pz8-Pj4iLCJleHAiOjE3OTUyNTg4MDB9."
    let dated = try source.session(
      from: answer(#"{"accessJwt":"\#(token)"}"#), to: source.asking("a", at: "https://bsky.social")
    )
    #expect(dated.expires == testNow.addingTimeInterval(3600))
    for (status, body, kind) in [
      (
        401, #"{"error":"AuthenticationRequired","message":"Invalid identifier or password"}"#,
        Failure.Kind.credential
      ),
      (200, "{}", .permanent), (500, "", .temporary),
    ] {
      guard case .failed(let failure) = try loginFault(of: answer(body, status: status)) else {
        Issue.record("no failure of \(body)")
        continue
      }
      #expect(failure.kind == kind)
    }
    // What was sent is the name and the password.
    let refused = answer(#"{"error":"InvalidRequest","message":"Invalid handle"}"#, status: 400)
    guard case .failed(let failure) = try loginFault(of: refused) else {
      Issue.record("no failure")
      return
    }
    #expect(failure.advice == "check BLUESKY_IDENTIFIER and BLUESKY_APP_PASSWORD")
    let limited = answer("{}", status: 429, headers: ["RateLimit-Reset": "1795341600"])
    guard case .rateLimited(let until, _) = try loginFault(of: limited) else {
      Issue.record("no limit")
      return
    }
    #expect(until == (try moment("2026-11-22T10:00:01Z")))
  }

  private func loginFault(of response: HTTPResponse) throws -> SourceFault? {
    #expect(throws: SourceFault.self) {
      try source.session(from: response, to: source.asking("a", at: "https://bsky.social"))
    }
  }

  @Test func `An expired session is recognized by its name`() throws {
    let expired = #"{"error":"ExpiredToken","message":"Token has expired"}"#
    #expect(source.isExpired(answer(expired, status: 400)))
    #expect(source.isExpired(answer(expired, status: 401)))
    #expect(source.isExpired(answer(#"{"error":"InvalidToken"}"#, status: 401)))
    #expect(!source.isExpired(answer(#"{"error":"InvalidRequest"}"#, status: 400)))
    #expect(!source.isExpired(answer(expired)))
    #expect(!source.isExpired(answer("<html>", status: 401)))
    let page = try source.asking("swift", at: "https://api.bsky.app", session: session)
    #expect(try source.failure(of: answer(expired, status: 400), to: page).kind == .credential)
  }

  @Test func `The proxy's page of refusal is a refusal`() throws {
    let html =
      "<html><body><h1>403 Forbidden</h1>\nRequest forbidden by administrative rules.\n</body></html>"
    let failure = try source.failure(
      of: answer(html, status: 403), to: source.asking("swift", at: "https://api.bsky.app"))
    #expect(failure.kind == .permanent)
    #expect(
      failure.message == "refused (403): 403 Forbidden Request forbidden by administrative rules.")
    #expect(failure.advice == "set BLUESKY_IDENTIFIER and BLUESKY_APP_PASSWORD")
  }
}
