import FoundationEssentials
import QueuedHTTP
import SearchModel
import Testing

@testable import SearchSources

struct LemmyTests {
  private let source = Lemmy()
  private let server = "https://lemmy.world"

  private func page(_ body: String, wanted: Int? = nil, cursor: Cursor? = nil) throws -> Page {
    try source.page(
      from: answer(body), to: source.asking("swift", at: server, wanted: wanted, cursor: cursor))
  }

  @Test func `API v3 is sent the longest word, and a hashtag is a word`() throws {
    let request = try source.request(for: source.asking("#swift c++ #1", at: server, wanted: 20))
    #expect(
      request.url
        == "https://lemmy.world/api/v3/search?q=swift&type_=Posts&sort=New"
        + "&listing_type=All&limit=20&page=1")
    let next = try source.request(
      for: source.asking("a", at: server, wanted: 3, cursor: Cursor(rawValue: "2/20")))
    #expect(next.url.hasSuffix("&limit=20&page=2"))
  }

  @Test(arguments: [
    ("0.18.5", "3"), ("0.19.20", "3"), ("1.0.0-beta.1", "4"), ("v2.3", "4"), ("next", "3"),
  ])
  func `The version decides on the API, and is requested first`(version: String, api: String) throws
  {
    let page = try source.asking("swift", at: server)
    guard case .ask(let request, .state) = source.softwareNeed(for: page) else {
      Issue.record("nothing is asked")
      return
    }
    #expect(request.url == "https://lemmy.world/api/v3/site")
    for more in ["", #""site_view":{},"#, #""my_user":null,"#] {
      let site = answer(#"{\#(more)"version":"\#(version)"}"#)
      guard case .runs(let software) = source.software(from: site, to: page) else {
        Issue.record("nothing is known")
        return
      }
      var known = page
      known.software = software
      #expect(
        try source.request(for: known).url.hasPrefix("https://lemmy.world/api/v\(api)/search?"))
      if case .ask = source.softwareNeed(for: known) { Issue.record("asked again") }
    }
  }

  @Test func `NodeInfo is requested from a server without API v3`() throws {
    var response = answer("", status: 404)
    response.url = "https://lemmy.world/api/v3/site"
    guard
      case .ask(let request) = source.software(
        from: response, to: try source.asking("a", at: server))
    else {
      Issue.record("nothing is asked")
      return
    }
    #expect(request.url == "https://lemmy.world/.well-known/nodeinfo")
  }

  @Test func `Pinned posts are marked, and pages of API v4 are in no order`() throws {
    let posts = #"""
      {"posts":[{"post":{"id":1,"name":"a","featured_local":true,"featured_community":false}},
      {"post":{"id":2,"name":"b","featured_community":true}},{"post":{"id":3,"name":"c"}}]}
      """#
    #expect(try page(posts).posts.map(\.isPinned) == [true, true, false])
    #expect(try page(posts).order == nil)
    #expect(try page(posts, cursor: Cursor(rawValue: "v4:")).order == .unordered)
  }

  @Test func `A private server is not reported as a bad query`() throws {
    let refused = answer(#"{"error":"instance_is_private"}"#, status: 400)
    let failure = try source.failure(of: refused, to: source.asking("a", at: server))
    #expect(failure.advice?.contains("its own users only") == true)
  }

  @Test func `A server with only API v4 is searched through that`() throws {
    let first = try source.asking("swift", at: server, wanted: 20)
    for body in ["", #"{"error":"not_found"}"#] {
      let page = try source.read(answer(body, status: 404), to: first)
      #expect(page == .redirect(to: Cursor(rawValue: "v4:")))
    }
    var asked = first
    asked.cursor = Cursor(rawValue: "v4:")
    let request = try source.request(for: asked)
    #expect(
      request.url
        == "https://lemmy.world/api/v4/search?search_term=swift&type_=posts"
        + "&listing_type=all&show_nsfw=true&limit=20")
    asked.cursor = Cursor(rawValue: "v4:P2f/")
    #expect(try source.request(for: asked).url.hasSuffix("&limit=20&page_cursor=P2f%2F"))
    // Only the first page asks which version it is.
    _ = try source.failure(of: answer("", status: 404), to: asked)
    _ = try source.failure(of: answer("<html>", status: 404), to: first)
  }

  @Test func `Posts of all versions are read`() throws {
    let page = try page(
      #"""
      {"posts":[
       {"post":{"id":5716352,"name":"Title","body":"*text*","url":"https://a.example/","published":"2023-09-23T10:41:41.254290","ap_id":"https://sh.example/post/5","nsfw":false,"thumbnail_url":"https://i.example/1"},
        "creator":{"name":"amy","actor_id":"https://sh.example/u/amy"},"counts":{"score":13,"comments":2}},
       {"post":{"id":2,"name":"Later","body":"","published_at":"2026-08-20T20:31:39.106789Z","updated_at":"2026-08-20T21:00:00Z","ap_id":"x","score":7,"comments":1},
        "creator":{"name":"bob","display_name":"Bob","ap_id":"https://o.example/u/bob"}},
       {"post":{"id":3,"name":"gone","deleted":true}}, {"post":{"id":4,"name":"gone","removed":true}},
       {"post":{"id":5}}, {"creator":{}}, 5]}
      """#)
    #expect(page.brokenItems == 3)
    #expect(page.posts.count == 2)
    let early = page.posts[0]
    #expect(early.id == "5716352")
    #expect(early.uri == "https://sh.example/post/5")
    #expect(early.title == "Title")
    #expect(early.text == "*text*")
    #expect(early.createdAt == (try moment("2023-09-23T10:41:41.254Z")))
    #expect(early.author == Author(handle: "amy@sh.example", url: "https://sh.example/u/amy"))
    #expect(early.counts == Counts(likes: 13, replies: 2))
    #expect(early.links == ["https://a.example/"])
    #expect(early.media == ["https://i.example/1"])
    #expect(early.isSensitive == false)
    let later = page.posts[1]
    #expect(later.uri == "https://lemmy.world/post/2")
    #expect(later.createdAt == (try moment("2026-08-20T20:31:39.106Z")))
    #expect(later.editedAt == (try moment("2026-08-20T21:00:00Z")))
    #expect(later.author.handle == "bob@o.example")
    #expect(later.counts == Counts(likes: 7, replies: 1))
  }

  @Test func `A page has a next one until it is empty, up to the hundredth`() throws {
    let two =
      #"{"posts":[{"post":{"id":1,"name":"a"}},{"post":{"id":2,"name":"b","deleted":true}}]}"#
    #expect(try page(two, wanted: 2).next == Cursor(rawValue: "2/2"))
    #expect(try page(two, wanted: 3).next == Cursor(rawValue: "2/3"))
    let removed = #"{"posts":[{"post":{"id":2,"name":"b","deleted":true}}]}"#
    #expect(try page(removed, wanted: 3).next == Cursor(rawValue: "2/3"))
    #expect(try page(#"{"posts":[]}"#).next == nil)
    let last = try page(two, cursor: Cursor(rawValue: "100/2"))
    #expect(last.next == nil && last.missing == "Lemmy returns at most 100 pages of a query")
    let later = #"{"posts":[{"post":{"id":1,"name":"a"}}],"next_page":"P3"}"#
    #expect(try page(later, cursor: Cursor(rawValue: "v4:")).next == Cursor(rawValue: "v4:P3"))
    #expect(try page(later, cursor: Cursor(rawValue: "v4:P3")).next == Cursor(rawValue: "v4:P3"))
    let empty = #"{"posts":[],"next_page":"P4"}"#
    #expect(try page(empty, cursor: Cursor(rawValue: "v4:P3")).next == Cursor(rawValue: "v4:P4"))
    let unusable = #"{"posts":[],"next_page":{"page":4}}"#
    #expect(try page(unusable, cursor: Cursor(rawValue: "v4:P3")).deadEnd != nil)
    let end = #"{"posts":[],"next_page":null,"prev_page":"B3"}"#
    #expect(try page(end, cursor: Cursor(rawValue: "v4:P3")) == Page(order: .unordered))
  }

  @Test func `An empty page of API v4 that names no other comes from a failed search`() throws {
    let body = answer(#"{"posts":[]}"#)
    let first = try source.asking("a", at: server, cursor: Cursor(rawValue: "v4:"))
    #expect(try source.page(from: body, to: first).posts.isEmpty)
    let later = try source.asking("a", at: server, cursor: Cursor(rawValue: "v4:P3"))
    let failure = try source.failure(of: body, to: later)
    #expect(failure.kind == .temporary)
    #expect(failure.message == "the server could not read a page, and returned an empty one")
  }

  @Test(arguments: [
    ("2026-11-20T12:00:00Z", "&time_range_seconds="), ("1900-01-01T00:00:00Z", nil),
  ])
  func `API v4 is asked for the time since a date`(since: String, sent: String?) throws {
    let asked = try source.asking(
      "a", at: server, since: since, cursor: Cursor(rawValue: "v4:P3"))
    let url = try source.request(for: asked).url
    let seconds = asked.now.timeIntervalSince(try moment(since)) + 3600
    #expect(url.contains("time_range_seconds") == (sent != nil))
    if let sent { #expect(url.contains("\(sent)\(Int(seconds))&page_cursor=P3")) }
  }

  @Test func `A page of API v3 in another order proves nothing about the next`() throws {
    func order(_ posts: (date: String, isPinned: Bool)...) throws -> PageOrder? {
      let items = posts.map { post in
        #"{"post":{"id":1,"name":"a","published":"\#(post.date)","featured_local":\#(post.isPinned)}}"#
      }
      return try page(#"{"posts":[\#(items.joined(separator: ","))]}"#).order
    }
    let (new, old) = ("2026-11-20T09:00:00Z", "2026-11-19T09:00:00Z")
    #expect(try order((new, false), (old, false), (old, false)) == nil)
    #expect(try order((old, true), (new, false), (old, false)) == nil)
    #expect(try order((old, false), (new, false)) == .unordered)
  }

  @Test func `A rate limit is recognized by its name in a 400, or by 429`() throws {
    let asked = try source.asking("a", at: server)
    let early = answer(#"{"error":"rate_limit_error"}"#, status: 400)
    #expect(
      source.verdict(on: early, now: testNow) == .coolDown(until: testNow.addingTimeInterval(10)))
    guard case .rateLimited(nil, _) = try source.fault(of: early, to: asked) else {
      Issue.record("no limit")
      return
    }
    let later = answer(
      #"{"error":"too_many_requests"}"#, status: 429, headers: ["x-ratelimit-reset": "30"])
    let until = testNow.addingTimeInterval(30)
    #expect(source.verdict(on: later, now: testNow) == .coolDown(until: until))
    let other = answer(#"{"error":"invalid_query"}"#, status: 400)
    #expect(source.verdict(on: other, now: testNow) == .done)
    #expect(try source.failure(of: other, to: asked).kind == .permanent)
  }

  @Test(arguments: ["lemmy018", "lemmy1"])
  func `Servers of other versions give the same posts`(network: String) async throws {
    // Their order differs.
    func sorted(_ asking: SimulatedAsking) async throws -> [Post] {
      try await asking.walk("#swift", wanted: 30).flatMap { try $0.page.posts }
        .sorted { $0.uri < $1.uri }
    }
    let expected = try await SimulatedAsking.with("lemmy") { try await sorted($0) }
    #expect(expected.contains { $0.isPinned })
    try await SimulatedAsking.with("lemmy", at: network) { asking in
      let posts = try await sorted(asking)
      #expect(posts.map(\.uri) == expected.map(\.uri))
      #expect(posts.map(\.createdAt) == expected.map(\.createdAt))
      #expect(posts.map(\.counts) == expected.map(\.counts))
      #expect(posts.map(\.author) == expected.map(\.author))
    }
  }

  @Test(arguments: Recorded.all)
  func `Recorded responses are read completely`(recorded: Recorded) throws {
    for name in ["v3_018_search_posts_naive_time", "v3_019_post_list", "v3_019_search_posts"] {
      let page = try source.page(
        from: recorded.answer("lemmy/\(name).json"), to: source.asking("a", at: server))
      #expect(!page.posts.isEmpty && page.brokenItems == 0)
      for post in page.posts {
        #expect(post.createdAt != nil && post.author.handle.contains("@"))
        #expect(post.counts.likes != nil)
      }
    }
    let limit = try recorded.answer("lemmy/error_rate_limit_10.json", status: 429)
    #expect(source.verdict(on: limit, now: testNow) == .coolDown(until: nil))
  }
}
