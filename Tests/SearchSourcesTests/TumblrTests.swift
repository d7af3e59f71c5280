import FoundationEssentials
import QueuedHTTP
import SearchModel
import Testing

@testable import SearchSources

struct TumblrTests {
  private let source = Tumblr()
  private let server = "https://api.tumblr.com"

  private func page(_ body: String, cursor: String? = nil) throws -> Page {
    try source.page(
      from: answer(body),
      to: asking("a", at: server, cursor: cursor.map(Cursor.init), credentials: ["k"]))
  }

  @Test func `The request names a tag and the second that a page lies before`() throws {
    let first = try source.request(
      for: asking(
        "\"swift lang\"", at: server, until: "2026-11-21T10:00:00.100Z", wanted: 5,
        credentials: ["k"])
    )
    #expect(
      first.url
        == "https://api.tumblr.com/v2/tagged?tag=swift%20lang&limit=5&before=1795255201&api_key=k"
    )
    let next = try source.request(
      for: asking("a", at: server, wanted: 5, cursor: Cursor(rawValue: "17"), credentials: ["k"]))
    #expect(next.url.hasSuffix("?tag=a&limit=6&before=17&api_key=k"))
    #expect(throws: Failure.self) { try source.request(for: asking("a", at: server)) }
    for query in ["#a #b", "#"] {
      #expect(
        source.refusal(of: try #require(Query(query)), with: nil)?.contains("one tag") == true)
    }
  }

  @Test func `Posts of several kinds read`() throws {
    let page = try page(
      #"""
      {"meta":{"status":200,"msg":"OK"},"response":[
       {"type":"text","id":9223372036854775807,"id_string":"9223372036854775807","blog_name":"amy","blog":{"title":"Amy's"},"post_url":"https://amy.tumblr.com/post/9/words","timestamp":1795168800,"date":"2026-11-20 10:00:00 GMT","title":"T","body":"<p>A &amp; <b>b</b> <a href=\"https://l.example/\">l</a></p>","note_count":3},
       {"type":"photo","id":8,"blog_name":"bob","date":"2026-11-20 09:00:00 GMT","caption":"","photos":[{"original_size":{"url":"https://i.example/1.png"}}]},
       {"type":"quote","id":7,"blog_name":"c","timestamp":1795100000,"text":"said"},
       {"type":"text","id":6}, {"body":"no id"}, 5]}
      """#)
    #expect(page.brokenItems == 3)
    #expect(page.next == Cursor(rawValue: "1795100001"))
    let text = page.posts[0]
    #expect(text.id == "9223372036854775807" && text.title == "T" && text.text == "A & b l")
    #expect(text.url == "https://amy.tumblr.com/post/9/words")
    #expect(text.uri == "https://www.tumblr.com/amy/9223372036854775807")
    #expect(
      text.author == Author(handle: "amy", name: "Amy's", url: "https://www.tumblr.com/amy"))
    #expect(text.createdAt == (try moment("2026-11-20T10:00:00Z")))
    #expect(text.counts == Counts(likes: 3) && text.links == ["https://l.example/"])
    #expect(page.posts[1].media == ["https://i.example/1.png"])
    #expect(page.posts[1].createdAt == (try moment("2026-11-20T09:00:00Z")))
    #expect(page.posts[2].text == "said")
  }

  @Test func `Pages go back by the second until nothing is older`() throws {
    let post = #"{"response":[{"id":1,"body":"a","timestamp":100}]}"#
    #expect(try page(post).next == Cursor(rawValue: "101"))
    // The page that was asked for the rest of that second goes on behind it.
    #expect(try page(post, cursor: "101").next == Cursor(rawValue: "100"))
    #expect(try page(post, cursor: "100").next == Cursor(rawValue: "101"))
    #expect(try page(#"{"response":[]}"#, cursor: "100") == Page())
    let featured = #"{"response":[{"id":1,"body":"a","timestamp":100,"featured_timestamp":200}]}"#
    #expect(try page(featured).next == Cursor(rawValue: "201"))
  }

  @Test func `A refused key is told, without the key`() throws {
    let body =
      #"{"meta":{"status":401,"msg":"Unauthorized"},"response":[],"errors":[{"title":"Unauthorized","code":1016,"detail":"Unable to authorize"}]}"#
    let failure = try source.failure(
      of: answer(body, status: 401), to: asking("a", at: server, credentials: ["k"]))
    #expect(failure.kind == .credential && failure.advice == "check TUMBLR_API_KEY")
    #expect(failure.message == "the credential was refused (401): Unable to authorize")
    let bare = answer(#"{"meta":{"status":429,"msg":"Limit Exceeded"},"response":[]}"#, status: 429)
    #expect(
      try source.failure(of: bare, to: asking("a", at: server, credentials: ["k"])).message
        == "too many requests (429): Limit Exceeded")
  }
}
