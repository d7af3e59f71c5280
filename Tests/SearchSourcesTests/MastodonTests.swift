import FoundationEssentials
import QueuedHTTP
import SearchModel
import Testing

@testable import SearchSources

struct MastodonTests {
  private let source = Mastodon()
  private let server = "https://mastodon.social"

  @Test(arguments: [
    ("#swiftlang", "swiftlang"), ("swift", "swift"), (" #über_1 ", "%C3%BCber_1"),
    ("#日本語", "%E6%97%A5%E6%9C%AC%E8%AA%9E"),
  ])
  func `Hashtags and single words are read from the tag's timeline`(
    query: String, tag: String
  ) throws {
    let page = try source.asking(query, at: server, wanted: 90)
    #expect(source.unsupportedReason(for: source.split(page.query, with: nil), with: nil) == nil)
    let request = try source.request(for: page)
    #expect(request.url == "https://mastodon.social/api/v1/timelines/tag/\(tag)?limit=40")
    #expect(request.headers["Authorization"] == nil)
  }

  @Test(arguments: ["two words", "c++", "#", "#c#", "a.b", "🎉"])
  func `Other queries need a token`(query: String) throws {
    let page = try source.asking(query, at: server)
    #expect(
      source.unsupportedReason(for: source.split(page.query, with: nil), with: nil)?.contains(
        "MASTODON_ACCESS_TOKEN") == true)
    #expect(throws: Failure.self) { try source.request(for: page) }
    #expect(source.unsupportedReason(for: page.split, with: Credentials(["t"])) == nil)
  }

  @Test func `With a token words go to the full-text search`() throws {
    let search = try source.request(
      for: source.asking(
        "c++ & \"x\"", at: server, wanted: 5, cursor: Cursor(rawValue: "offset=40"),
        credentials: ["tok"]))
    #expect(
      search.url
        == "https://mastodon.social/api/v2/search?q=c%2B%2B%20%22x%22&type=statuses&limit=5&offset=40"
    )
    #expect(search.headers["Authorization"] == "Bearer tok")
    let german = try source.request(
      for: source.asking("swift lang:de", at: server, credentials: ["tok"]))
    #expect(german.url.contains("q=swift%20language%3Ade&"))
    // Its posts have several codes, of which the operator finds one.
    for text in ["swift lang:zh", "swift lang:zh-TW", "swift -lang:zh", "swift lang:nb"] {
      let asked = try source.asking(text, at: server, credentials: ["tok"])
      #expect(try source.request(for: asked).url.contains("q=swift&"))
      #expect(asked.split.local.map(\.kind) == [.language])
    }
    let word = try source.request(for: source.asking("swift", at: server, credentials: ["tok"]))
    #expect(word.url.contains("/api/v2/search?q=swift&"))
    let tag = try source.request(for: source.asking("#swift", at: server, credentials: ["tok"]))
    #expect(
      tag.url == "https://mastodon.social/api/v1/timelines/tag/swift?limit=40&only_media=false")
    #expect(tag.headers["Authorization"] == "Bearer tok")
  }

  private static let status = #"""
    {"id":"01FC3GSQ8A3MMJ43BPZSGEG29M","created_at":"2026-11-21T09:00:00.866Z","edited_at":"2026-11-21T09:30:00Z",
     "uri":"https://m.example/users/amy/statuses/1","url":null,"content":"<p>Hi &amp; <a href=\"https://a.example/x\"><span class=\"invisible\">https://</span><span class=\"ellipsis\">a.exam</span><span class=\"invisible\">ple/x</span></a></p><p>I&#39;m <a href=\"https://m.example/tags/b\" class=\"mention hashtag\" rel=\"tag\">#<span>b</span></a></p>",
     "spoiler_text":"careful","sensitive":true,"language":"en","in_reply_to_id":"7",
     "account":{"acct":"amy","username":"amy","display_name":"","url":"https://M.example/@amy"},
     "poll":{"id":"7","expires_at":null,"options":[{"title":"Yes &amp; no","votes_count":3},{"title":"","votes_count":0},5,{"title":"Neither","votes_count":null}]},
     "media_attachments":[{"url":null,"remote_url":"https://r.example/1.png"},{"url":"https://f.example/2.png"},5],
     "favourites_count":1,"reblogs_count":2,"replies_count":3,"reblog":null}
    """#

  private func page(_ body: String, headers: HTTPHeaders = [:], cursor: Cursor? = nil) throws
    -> Page
  {
    try source.page(
      from: answer(body, headers: headers), to: source.asking("#b", at: server, cursor: cursor))
  }

  @Test func `A status is read as text, with its warning first`() throws {
    let post = try #require(try page("[\(Self.status)]").posts.first)
    #expect(post.id == "01FC3GSQ8A3MMJ43BPZSGEG29M")
    #expect(post.uri == "https://m.example/users/amy/statuses/1")
    #expect(post.url == post.uri)
    #expect(post.text == "careful\n\nHi & https://a.example/x\n\nI'm #b")
    #expect(post.links == ["https://a.example/x"])
    #expect(post.author == Author(handle: "amy@m.example", url: "https://M.example/@amy"))
    #expect(post.createdAt == (try moment("2026-11-21T09:00:00.866Z")))
    #expect(post.editedAt == (try moment("2026-11-21T09:30:00Z")))
    #expect(post.media == ["https://r.example/1.png", "https://f.example/2.png"])
    #expect(post.counts == Counts(likes: 1, reposts: 2, replies: 3))
    #expect(post.replyTo == "7")
    #expect(post.isSensitive == true)
    #expect(post.contentWarning == "careful")
    #expect(post.textAfterWarning == "Hi & https://a.example/x\n\nI'm #b")
    #expect(post.poll == ["Yes &amp; no", "Neither"])
    #expect(post.language == "en")
  }

  @Test func `A boost shows the original`() throws {
    let boost = #"""
      {"id":9,"uri":"https://m.example/9/activity","content":"","created_at":"2026-11-21T10:00:00Z","account":{"acct":"bob@o.example","display_name":"Bob"},"reblog":\#(Self.status)}
      """#
    let post = try #require(try page("[\(boost)]").posts.first)
    #expect(post.id == "9")
    #expect(post.author == Author(handle: "amy@m.example", url: "https://M.example/@amy"))
    #expect(post.repostedBy == Author(handle: "bob@o.example", name: "Bob"))
    #expect(post.text.hasPrefix("careful\n\nHi"))
    #expect(post.contentWarning == "careful" && post.poll.count == 2)
    #expect(post.repostOf == "https://m.example/users/amy/statuses/1")
    #expect(post.createdAt == (try moment("2026-11-21T10:00:00Z")))
  }

  @Test func `Broken items are counted and the rest stays`() throws {
    let page = try page(
      #"[1,null,"x",{},{"id":"1"},{"id":"2","content":7},{"id":"3","content":"","account":4}]"#)
    #expect(page.brokenItems == 6)
    #expect(page.posts.map(\.id) == ["3"])
    #expect(page.posts.map(\.author) == [Author()])
    #expect(page.posts.allSatisfy { $0.contentWarning == nil && $0.poll.isEmpty })
    #expect(page.posts.map(\.uri) == ["https://mastodon.social#3"])
  }

  @Test func `The next page is the whole query of the Link header, on the same server`() throws {
    let link =
      "<http://proxy.local/api/v1/timelines/tag/b?a=1,2;3&max_id=11%2B4&limit=5>; rel=\"next\", "
      + "<https://h/api?min_id=9>; rel=\"prev\""
    let next = try page("[\(Self.status)]", headers: ["link": link]).next
    #expect(next == Cursor(rawValue: "a=1,2;3&max_id=11%2B4&limit=5"))
    let request = try source.request(for: source.asking("#b", at: server, cursor: next))
    #expect(
      request.url
        == "https://mastodon.social/api/v1/timelines/tag/b?a=1,2;3&max_id=11%2B4&limit=5")
    // The engine decides what to make of a page that leads to itself.
    #expect(try page("[\(Self.status)]", headers: ["link": link], cursor: next).next == next)
    #expect(try page("[]", headers: ["link": link]).next == next)
    let end = try page("[\(Self.status)]", headers: ["link": "<https://h/?max_id=1>; rel=prev"])
    #expect(end.next == nil && end.deadEnd == nil)
    // Proxies add links to other things, which say nothing of pages.
    let last = try page("[\(Self.status)]").next
    #expect(last != nil)
    for other in ["", "<", "<x>", "<https://cdn.example>; rel=preconnect", "</a.css>; rel=preload"]
    {
      #expect(try page("[\(Self.status)]", headers: ["link": other]).next == last)
    }
    #expect(
      try page("[\(Self.status)]", headers: ["link": "<https://h/next>; rel=next"]).deadEnd != nil)
    let offset = Cursor(rawValue: "offset=40")
    let other = try source.request(for: source.asking("#b", at: server, cursor: offset))
    #expect(other.url == "https://mastodon.social/api/v1/timelines/tag/b?limit=40&offset=40")
    let bare = try page("[\(Self.status)]", headers: ["Link": "<https://h/?max_id=1>;rel=next"])
    #expect(bare.next == Cursor(rawValue: "max_id=1"))
  }

  @Test func `A search of snac has posts behind its only page`() throws {
    let behind = Cursor(rawValue: "empty:offset=80")
    var asking = try source.asking("b", at: server, cursor: behind)
    asking.itemsBefore = 39
    let headers: HTTPHeaders = ["X-Creator": "snac/2.94"]
    let end = try source.page(from: answer(#"{"statuses":[]}"#, headers: headers), to: asking)
    #expect(end.next == nil && end.missing == "snac shows only the first posts of a word search")
    #expect(try source.page(from: answer(#"{"statuses":[]}"#), to: asking).missing == nil)
    // All that it has found.
    asking.itemsBefore = 3
    let none = try source.page(from: answer(#"{"statuses":[]}"#, headers: headers), to: asking)
    #expect(none.missing == nil)
  }

  @Test func `Nothing is behind the greatest number that a server may name`() throws {
    let last = Cursor(rawValue: "offset=\(Int.max)")
    let found = #"{"statuses":[{"id":"1","content":"a"}]}"#
    #expect(try page(found, cursor: last).deadEnd != nil)
    #expect(try page(#"{"statuses":[]}"#, cursor: last).next == nil)
  }

  @Test func `Without a Link header the next page follows the last post`() throws {
    let posts = #"[\#(Self.status),{"id":"AQ+1","content":"a"},{"content":"b"}]"#
    let next = try page(posts).next
    #expect(next == Cursor(rawValue: "max_id=AQ%2B1"))
    #expect(try page("[]").next == nil && page("[5]").next == nil)
  }

  @Test func `A search continues by offset until two pages in a row are empty`() throws {
    let status = Self.status.replacing("01FC3GSQ8A3MMJ43BPZSGEG29M", with: "109348")
    let found = #"{"accounts":[],"statuses":[\#(status),5],"hashtags":[]}"#
    func page(_ body: String, cursor: Cursor? = nil) throws -> Page {
      try source.page(
        from: answer(body),
        to: source.asking("a b", at: server, cursor: cursor, credentials: ["t"]))
    }
    // Mastodon counts what it found, and shows less of it.
    #expect(try page(found).next == Cursor(rawValue: "offset=40"))
    #expect(
      try page(found, cursor: Cursor(rawValue: "offset=2")).next == Cursor(rawValue: "offset=42"))
    let empty = #"{"accounts":[{}],"statuses":[],"hashtags":[]}"#
    // The server leaves out posts of muted accounts after it has cut the page, even the first one.
    for (cursor, offset) in [(nil, 40), (Cursor(rawValue: "offset=4"), 44)] {
      let emptied = try page(empty, cursor: cursor)
      #expect(emptied.posts.isEmpty && emptied.brokenItems == 0 && emptied.notes.isEmpty)
      #expect(emptied.isRedirect == (cursor == nil))
      let behind = try #require(emptied.next)
      let asked = try source.asking(
        "a b", at: server, wanted: 5, cursor: behind, credentials: ["t"])
      #expect(
        try source.request(for: asked).url.hasSuffix("&type=statuses&limit=40&offset=\(offset)"))
      #expect(try page(empty, cursor: behind) == Page())
      #expect(
        try page(found, cursor: behind).next == Cursor(rawValue: "offset=\(offset + 40)"))
    }
    // Elasticsearch finds no more.
    let last = try page(empty, cursor: Cursor(rawValue: "offset=9980"))
    #expect(last.next == nil && last.missing == "a search of Mastodon finds at most 10,000 posts")
  }

  @Test func `Another server's pages are as large as its largest so far`() throws {
    let found = answer(#"{"statuses":[{"id":"1","content":"a b"}]}"#)
    for (largest, step) in [(0, 1), (20, 20), (80, 40)] {
      var asking = try source.asking(
        "a b", at: "https://m.example", cursor: Cursor(rawValue: "offset=7"), credentials: ["t"])
      asking.software = ServerSoftware(name: "pleroma")
      asking.largestBefore = largest
      #expect(
        try source.page(from: found, to: asking).next == Cursor(rawValue: "offset=\(7 + step)"))
    }
  }

  @Test func `A server that does not name its software is searched again without dates`() throws {
    let empty = answer(#"{"statuses":[]}"#)
    func asking(_ cursor: Cursor?) throws -> PageRequest {
      try source.asking(
        "a b", at: "https://m.example", since: "2026-11-18T00:00:00Z", cursor: cursor,
        credentials: ["t"])
    }
    let first = try asking(nil)
    #expect(try source.request(for: first).url.contains("?q=a%20b%20after%3A2026-11-16&"))
    let again = try asking(source.page(from: empty, to: first).next)
    #expect(try source.request(for: again).url.contains("?q=a%20b&"))
    let found = answer(#"{"statuses":[{"id":"1","content":"a b"}]}"#)
    let second = try asking(source.page(from: found, to: again).next)
    #expect(
      try source.request(for: second).url.hasSuffix("?q=a%20b&type=statuses&limit=40&offset=1"))
    var known = again
    known.software = ServerSoftware(name: "mastodon")
    #expect(try source.page(from: found, to: known).next == Cursor(rawValue: "offset=40"))
    #expect(try source.request(for: known).url.contains("after%3A2026-11-16"))
  }

  @Test(
    arguments: [
      ("swift from:amy", "akkoma", "swift", ["1"]),
      ("swift lang:en", "akkoma", "swift", ["1", "3"]),
      ("swift from:amy", "mastodon", "swift from:amy", ["1"]),
      ("swift -lang:de", nil, "swift -language:de", ["1", "3"]),
      ("swift post", "friendica", "swift post", ["1"]), ("swift post", "akkoma", "swift post", nil),
    ] as [(String, String?, String, [String]?)])
  func `Only Mastodon is trusted with operators`(
    query: String, software: String?, sent: String, found: [String]?
  ) throws {
    var page = try source.asking(query, at: "https://m.example", credentials: ["t"])
    guard case .ask = source.softwareNeed(for: page) else {
      Issue.record("the software is not asked for")
      return
    }
    page.software = software.map { ServerSoftware(name: $0) }
    let text = PercentEncoding.query([("q", sent)])
    #expect(try source.request(for: page).url.contains("/api/v2/search?\(text)&"))
    let all = try source.page(
      from: answer(
        #"""
        {"statuses":[
         {"id":"1","content":"swift post","account":{"acct":"amy"},"language":"en"},
         {"id":"2","content":"swift","account":{"acct":"bob"},"language":"de"},
         {"id":"3","content":"swift","account":{"acct":"amyx"},"language":"en"}]}
        """#), to: page)
    let shown = source.filtered(all, by: page.split).posts.map(\.id)
    #expect(shown == found ?? ["1", "2", "3"])
  }

  @Test func `Ids like those of GoToSocial do not make a server one`() throws {
    let found = answer(#"{"statuses":[{"id":"01J9ZK3V5W7X8Y9Z0A1B2C3D4E","content":"swift"}]}"#)
    var page = try source.asking("swift", at: "https://m.example", credentials: ["t"])
    let again = try source.page(from: found, to: page)
    #expect(again == .redirect(to: MastodonCursor.again))
    page.cursor = again.next
    page.software = ServerSoftware(name: "sharkey")
    let read = try source.page(from: found, to: page)
    #expect(read.notes.isEmpty && read.posts.count == 1)
    #expect(read.next == Cursor(rawValue: "offset=1"))
    page.software = nil
    #expect(try source.page(from: found, to: page).notes == [GoToSocialQuery.note])
  }

  @Test func `Pixelfed's posts without media are read, and its limit of six months is reported`()
    async throws
  {
    try await SimulatedAsking.with("mastodon", at: "pixelfed") { asking in
      let pages = try await asking.walk("#swift").map { try $0.page }
      let posts = pages.flatMap(\.posts)
      #expect(
        posts.contains { $0.attachments.isEmpty } && posts.contains { !$0.attachments.isEmpty })
      #expect(pages.last?.missing == "Pixelfed lists no posts of more than six months ago")
      #expect(
        pages.last?.posts.isEmpty == true && pages.dropLast().allSatisfy { $0.missing == nil })
      let sixMonths = testNow.addingTimeInterval(-184 * 86_400)
      #expect(posts.contains { $0.createdAt.map { $0 < sixMonths } ?? false })
      let recent = testNow.addingTimeInterval(-100 * 86_400)
      let bounded = try await asking.walk(#require(Query("#swift")), since: recent)
      #expect(try bounded.last?.page.missing == nil)
    }
    // An id of ten days ago: the page behind it is the end.
    var young = try source.asking(
      "#swift", at: "https://p.example", cursor: MastodonCursor(at: "max_id=1").cursor,
      credentials: ["t"])
    young.software = ServerSoftware(name: "pixelfed")
    #expect(try source.page(from: answer("[]"), to: young).missing != nil)
    let moment = (testNow.timeIntervalSince1970 - 10 * 86_400 - 1_549_756_800) * 1000
    young.cursor = MastodonCursor(at: "max_id=\(UInt64(moment) << 22)").cursor
    #expect(try source.page(from: answer("[]"), to: young).missing == nil)
    // Other servers without links are at their end.
    let pages = try await SimulatedAsking.with("mastodon", at: "pixelfed") {
      try await $0.walk("#nothing")
    }
    #expect(try pages.map { try $0.page } == [Page()])
  }

  @Test(
    arguments: [
      (nil, "2026-11-20T10:00:00Z", "swift before:2026-11-21"),
      (nil, "2026-11-20T10:00:01Z", "swift before:2026-11-22"),
      ("2026-11-20T12:00:00Z", nil, "swift after:2026-11-19"),
      ("2026-11-20T11:59:59Z", nil, "swift after:2026-11-18"),
      (
        "2026-11-18T00:00:00Z", "2026-11-19T00:00:00Z",
        "swift after:2026-11-16 before:2026-11-20"
      ),
    ] as [(String?, String?, String)])
  func `A search is bounded by days that are wide enough for any time zone`(
    since: String?, until: String?, text: String
  ) throws {
    var page = try source.asking(
      "swift", at: server, since: since, until: until, credentials: ["tok"])
    let sent = PercentEncoding.query([("q", text)])
    #expect(try source.request(for: page).url.contains("/api/v2/search?\(sent)&"))
    // Others would search for such words.
    page.software = ServerSoftware(name: "akkoma")
    #expect(try source.request(for: page).url.contains("/api/v2/search?q=swift&"))
    page.split = source.split(page.query.raw, with: page.credentials)
    page.software = nil
    #expect(try source.request(for: page).url.contains("/api/v2/search?q=swift&"))
    // The ids of a timeline follow the arrival of posts, not their dates.
    let tag = try source.asking(
      "#swift", at: server, since: since, until: until, credentials: ["tok"])
    #expect(try source.request(for: tag).url.hasSuffix("/tag/swift?limit=40&only_media=false"))
  }

  @Test(arguments: [
    ("amy", "http://127.0.0.1:8081/@amy", "amy@127.0.0.1:8081"),
    ("amy", "https://m.example:443/@amy", "amy@m.example"),
    ("amy", "http://[::1]:81/@amy", "amy@[::1]:81"),
    ("bob@o.example", "http://o.example:8082/@bob", "bob@o.example:8082"),
    ("bob@o.example:8082", "http://o.example:8082/@bob", "bob@o.example:8082"),
    ("bob@o.example", "https://www.o.example:8082/@bob", "bob@o.example"),
    ("amy", "", "amy@mastodon.social"),
  ])
  func `A handle names the port of its server`(acct: String, url: String, handle: String) throws {
    let status = #"{"id":"1","content":"x","account":{"acct":"\#(acct)","url":"\#(url)"}}"#
    #expect(try page("[\(status)]").posts.map(\.author.handle) == [handle])
  }

  @Test func `An empty list in place of a search's result is not "nothing found"`() throws {
    let asked = try source.asking("two words", at: server, credentials: ["t"])
    let failure = try source.failure(of: answer("[]"), to: asked)
    #expect(failure.message == "unexpected response: no list of statuses")
  }

  @Test func `A server that wants a token says so`() throws {
    let anonymous = try source.asking("#b", at: server)
    for (status, body) in [
      (401, #"{"error":"The access token is invalid"}"#), (403, #"{"error":"Forbidden"}"#),
      (422, #"{"error":"This method requires an authenticated user"}"#),
    ] {
      let failure = try source.failure(of: answer(body, status: status), to: anonymous)
      #expect(failure.kind == .credential)
      #expect(failure.advice == "set MASTODON_ACCESS_TOKEN")
    }
    let wall = try source.failure(of: answer("<html>go away</html>", status: 403), to: anonymous)
    #expect(wall.kind == .permanent)
  }

  @Test func `Without full-text search a hashtag of an author is read from its timeline`()
    async throws
  {
    func posts(_ query: String, isAnonymous: Bool) async throws -> [String] {
      try await SimulatedAsking.with("mastodon", at: "takahe") { asking in
        try await asking.walk(query, isAnonymous: isAnonymous).flatMap { answered in
          asking.source.filtered(try answered.page, by: answered.asked.split).posts.map(\.uri)
        }
      }
    }
    let author = try await SimulatedAsking.with("mastodon", at: "takahe") { asking in
      try #require(try await asking.page("#swift", isAnonymous: true).page.posts.first).author
        .handle
    }
    let stranger = try await posts("#swift from:\(author)", isAnonymous: true)
    #expect(!stranger.isEmpty)
    #expect(try await posts("#swift from:\(author)", isAnonymous: false) == stranger)
  }

  @Test func `A search without results says that a server may have no search`() async throws {
    for (network, query, isNoted) in [
      ("takahe", "swift compiler", true), ("mastodon", "swift compiler", false),
      ("mastodon", "nothing here", true),
    ] {
      try await SimulatedAsking.with("mastodon", at: network) { asking in
        let last = try #require(try await asking.walk(query).last)
        let notes = try last.page.notes
        #expect(
          notes.contains { $0.contains("may not support word search") } == isNoted,
          "\(network) \(query)")
      }
    }
  }

  @Test func `A server that lists no posts under hashtags has not found nothing`() async throws {
    try await SimulatedAsking.with("mastodon", at: "mastodon-closed") { asking in
      for isAnonymous in [true, false] {
        let asked = try await asking.page("#swift", isAnonymous: isAnonymous)
        guard case .failure(.failed(let failure)) = asked.result else {
          Issue.record("\(asked.result)")
          continue
        }
        #expect(failure.kind == .permanent)
        #expect(failure.message == "this server lists no posts under hashtags")
      }
    }
    let pages = try await SimulatedAsking.with("mastodon") { try await $0.walk("#nothing") }
    #expect(try pages.map { try $0.page } == [Page()])
  }

  @Test(arguments: [
    (#"{"local":"public","remote":"disabled"}"#, ["posts of its own users"]),
    (#"{"local":"disabled","remote":"public"}"#, ["posts of other servers"]),
    (#"{"local":"public","remote":"authenticated"}"#, []), (#"{"local":7}"#, []), ("null", []),
  ])
  func `An empty timeline of a server that lists some posts only says so`(
    feeds: String, words: [String]
  ) throws {
    var page = try Mastodon().asking("#x", at: "https://m.example")
    let settings = answer(
      #"{"configuration":{"timelines_access":{"hashtag_feeds":\#(feeds)}}}"#)
    if case .runs(let software) = Mastodon().software(from: settings, to: page) {
      page.software = software
    }
    let notes = try Mastodon().page(from: answer("[]"), to: page).notes
    #expect(notes.count == words.count && zip(notes, words).allSatisfy { $0.contains($1) })
  }

  @Test(arguments: ["Invalid Bearer token", #"{"error": "Invalid Bearer token"}"#])
  func `Takahē's 400 for a bad token is a rejected credential`(body: String) throws {
    let page = try Mastodon().asking("#x", at: "https://t.example", credentials: ["bad"])
    let failure = try Mastodon().failure(of: answer(body, status: 400), to: page)
    #expect(failure.kind == .credential)
    let other = answer(#"{"error": "param is missing"}"#, status: 400)
    #expect(try Mastodon().failure(of: other, to: page).kind == .permanent)
  }
}
