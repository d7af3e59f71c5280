import FoundationEssentials
import QueuedHTTP
import SearchModel
import Testing

@testable import SearchSources

struct DiscourseTests {
  private let source = Discourse()
  private let server = "https://forum.example/talk"

  private func page(_ body: String, cursor: Cursor? = nil) throws -> Page {
    try source.page(from: answer(body), to: source.asking("swift", at: server, cursor: cursor))
  }

  @Test func `Order and dates are part of the query`() throws {
    let request = try source.request(
      for: source.asking(
        "c++ &x", at: server, since: "2026-11-20T00:00:00Z", until: "2026-11-21T10:00:00Z",
        cursor: Cursor(rawValue: "3/50")))
    #expect(
      request.url
        == "https://forum.example/talk/search.json?q=%22c%2B%2B%22%20%22%26x%22%20order%3Alatest%20after%3A"
        + "2026-11-20%20before%3A2026-11-22&page=3")
    #expect(request.headers["Accept"] == "application/json")
    let plain = try source.request(
      for: source.asking("swift", at: server, until: "2026-11-21T00:00:00Z"))
    #expect(plain.url.hasSuffix("?q=swift%20order%3Alatest%20before%3A2026-11-21&page=1"))
  }

  @Test(arguments: [
    ("#help-wanted", "%23help-wanted%20"), ("#snake_case", "tags%3Asnake_case%20"),
    ("#c++", "%22c%2B%2B%22%20"), ("-#help-wanted", "swift%20"),
  ])
  func `A tag is written as the forum reads it`(tag: String, text: String) throws {
    let query = tag.hasPrefix("-") ? "swift \(tag)" : tag
    let request = try source.request(for: source.asking(query, at: server))
    #expect(request.url.contains("?q=\(text)order%3Alatest&"))
  }

  @Test func `The marks of what was found are removed`() throws {
    let page = try page(
      #"""
      {"posts":[{"id":1,"topic_id":7,"blurb":"the <span class=\"search-highlight\">swift</span> &lt;b&gt;","topic_title_headline":"A <span class=\"search-highlight\">swift</span> &amp; b"}]}
      """#)
    #expect(page.posts.first?.text == "the swift <b>")
    #expect(page.posts.first?.title == "A swift & b")
  }

  @Test func `Too short a query is refused`() throws {
    #expect(
      source.unsupportedReason(for: source.split(try #require(Query("ab")), with: nil), with: nil)
        != nil)
    #expect(
      source.unsupportedReason(for: source.split(try #require(Query("abc")), with: nil), with: nil)
        == nil)
    #expect(
      source.unsupportedReason(for: source.split(try #require(Query("日本")), with: nil), with: nil)
        == nil)
    for text in ["go ui", "f", "@f"] {
      let split = source.split(try #require(Query(text)), with: nil)
      #expect(source.unsupportedReason(for: split, with: nil) != nil, "\(text)")
    }
    let tag = source.split(try #require(Query("go #ui")), with: nil)
    #expect(source.unsupportedReason(for: tag, with: nil) == nil)
    let failure = try source.failure(
      of: answer(#"{"grouped_search_result":null}"#), to: source.asking("go ui", at: server))
    #expect(failure.message == "the forum searches for longer words only")
  }

  @Test(
    arguments: [
      ("@MainActor", "MainActor"), ("\"@MainActor\"", "MainActor"),
      ("status:closed", "status closed"), ("\"before: the end\"", "before the end"),
      ("swift f", "swift"), ("\"#swift\"", "swift"), ("std::vector", "std vector"),
      ("\"say @amy now\"", "\"say @amy now\""), ("can't", "can't"), ("node.js", "node.js"),
      ("c++", "\"c++\""), (".net", "\".net\""),
    ])
  func `A word never becomes a filter`(query: String, sent: String) throws {
    let url = try source.request(for: source.asking(query, at: server)).url
    let text = PercentEncoding.query([("q", "\(sent) order:latest")])
    #expect(url == "https://forum.example/talk/search.json?\(text)&page=1")
  }

  @Test func `A post is not dropped whose topic has the tag, whatever its excerpt`() throws {
    let page = try page(
      #"""
      {"posts":[{"id":1,"topic_id":1,"blurb":"swiftly"},{"id":2,"topic_id":2,"blurb":"swiftly"}],
       "topics":[{"id":1,"title":"a","tags":["swift"]},{"id":2,"title":"b"}]}
      """#)
    for text in ["swift", "#swift"] {
      let split = source.split(try #require(Query(text)), with: nil)
      #expect(source.filtered(page, by: split).posts.map(\.id) == ["1"])
    }
  }

  @Test func `Posts are read with the titles of their topics`() throws {
    let page = try page(
      #"""
      {"posts":[
       {"id":9,"name":"Amy","username":"amy","created_at":"2026-11-20T12:34:56.789Z","like_count":2,"blurb":"a &lt; b &amp; c…","post_number":4,"topic_id":77},
       {"id":10,"name":null,"username":"bob","blurb":"first","post_number":1,"topic_id":78,"created_at":"x"},
       {"id":11,"topic_id":79}, {"id":12,"blurb":"no topic"}, 5],
       "topics":[{"id":77,"title":"A <b>title</b>","fancy_title":"A &lt;b&gt;"}],
       "grouped_search_result":{"more_full_page_results":true,"error":null}}
      """#)
    #expect(page.brokenItems == 3)
    #expect(page.next == Cursor(rawValue: "2/50"))
    let post = page.posts[0]
    #expect(post.url == "https://forum.example/talk/t/-/77/4" && post.uri == post.url)
    #expect(post.title == "A <b>title</b>")
    #expect(post.text == "a < b & c…")
    #expect(
      post.author == Author(handle: "amy", name: "Amy", url: "https://forum.example/talk/u/amy"))
    #expect(post.createdAt == (try moment("2026-11-20T12:34:56.789Z")))
    #expect(post.replyTo == "https://forum.example/talk/t/-/77")
    #expect(post.counts == Counts(likes: 2))
    #expect(page.posts[1].replyTo == nil && page.posts[1].createdAt == nil)
  }

  @Test func `There are at most ten pages, and lists may be missing without a hit`() throws {
    let more =
      #"{"posts":[{"id":1,"topic_id":1,"blurb":"a"}],"grouped_search_result":{"more_full_page_results":true}}"#
    let last = try page(more, cursor: Cursor(rawValue: "10/50"))
    #expect(last.next == nil && last.missing == "Discourse returns at most 10 pages of a query")
    #expect(try page(#"{"grouped_search_result":{"error":null}}"#) == Page())
    let empty = #"{"posts":[],"grouped_search_result":{"more_full_page_results":true}}"#
    #expect(try page(empty).next == Cursor(rawValue: "2/50"))
    let asked = try source.asking("a", at: server)
    let failure = try source.failure(
      of: answer(#"{"posts":[],"grouped_search_result":{"error":"the server is busy"}}"#),
      to: asked)
    #expect(failure.message == "the server returned an error: the server is busy")
    #expect(failure.kind == .temporary)
  }

  @Test func `Posts with a word only inside a longer one are dropped`() async throws {
    let query = try #require(Query("swift"))
    let page = try page(
      #"""
      {"posts":[{"id":1,"topic_id":1,"blurb":"a swift one"},{"id":2,"topic_id":2,"blurb":"swiftly"},
       {"id":3,"topic_id":3,"blurb":"the word stands elsewhere"},
       {"id":4,"topic_id":4,"blurb":"swiftly done"}],"topics":[{"id":4,"title":"Swift!"}]}
      """#)
    let filtered = source.filtered(page, by: source.split(query, with: nil))
    #expect(filtered.posts.map(\.id) == ["1", "3", "4"])
    #expect(
      filtered.notes == [
        "only the newest matching post of each topic can be found",
        "posts with a word only inside longer ones, in their excerpts, were left out",
      ])
    try await SimulatedAsking.with("discourse") { asking in
      let found = try await asking.page("swift").page
      let judged = asking.source.filtered(found, by: asking.source.split(query, with: nil))
      #expect(judged.posts.count < found.posts.count && judged.posts.count > 30)
      let word = SearchedText("swift")
      #expect(judged.posts.allSatisfy { SearchedText(of: $0).holds(word) })
    }
  }

  @Test func `The wait of a rate limit is read from header or body`() throws {
    let body =
      #"{"errors":["too many times"],"error_type":"rate_limit","extras":{"wait_seconds":17}}"#
    let bare = answer(body, status: 429)
    let until = testNow.addingTimeInterval(17)
    #expect(source.verdict(on: bare, now: testNow) == .coolDown(until: until))
    guard
      case .rateLimited(until, let failure) = try source.fault(
        of: bare, to: source.asking("abc", at: server))
    else {
      Issue.record("no limit")
      return
    }
    #expect(failure.message == "too many requests (429): rate_limit: too many times")
    let headed = answer(body, status: 429, headers: ["Retry-After": "30"])
    let later = testNow.addingTimeInterval(30)
    #expect(source.verdict(on: headed, now: testNow) == .coolDown(until: later))
  }

  @Test func `A limit without a wait, as searches have, is over soon`() throws {
    let body =
      #"{"failed":"FAILED","message":"You're performing this action too many times, please try again later."}"#
    let page = try source.asking("swift", at: server)
    let verdict = source.verdict(on: answer(body, status: 429), now: testNow)
    #expect(verdict == .coolDown(until: testNow.addingTimeInterval(5)))
    #expect(source.traits.pace == Pace(requests: 2, per: .seconds(8)))
    let closed =
      #"{"errors":["You need to be logged in to do that."],"error_type":"not_logged_in"}"#
    let failure = try source.failure(of: answer(closed, status: 403), to: page)
    #expect(failure.kind == .permanent)
    #expect(failure.advice == "search another forum: this one is for its members only")
  }
}
