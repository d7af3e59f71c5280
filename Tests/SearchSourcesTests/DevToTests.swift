import FoundationEssentials
import QueuedHTTP
import SearchModel
import Testing

@testable import SearchSources

struct DevToTests {
  private let source = DevTo.network
  private let server = "https://dev.to"

  @Test func `The request has the tag and the number of days`() throws {
    let request = try source.request(for: source.asking("#Swift", at: server, wanted: 20))
    #expect(request.url == "https://dev.to/api/articles?tag=swift&per_page=250&page=1")
    #expect(request.headers["Accept"] == "application/vnd.forem.api-v1+json")
    let since = try source.request(
      for: source.asking(
        "swift", at: server, since: "2026-11-19T09:00:00Z", cursor: Cursor(rawValue: "2/1000")))
    #expect(since.url == "https://dev.to/api/articles?tag=swift&per_page=1000&page=2&top=4")
  }

  @Test(arguments: ["two words", "#a #b", "from:amy", "-a"])
  func `Free text is refused with the reason`(query: String) throws {
    let page = try source.asking(query, at: server)
    #expect(
      source.unsupportedReason(for: source.split(page.query, with: nil), with: nil)?.contains(
        "only a tag") == true)
    #expect(throws: Failure.self) { try source.request(for: page) }
  }

  @Test func `Articles are read`() throws {
    let page = try source.page(
      from: answer(
        #"""
        [{"id":7,"title":"A & B","description":"Sum…","url":"https://dev.to/amy/a-b","canonical_url":"https://amy.example/a","published_at":"2026-11-20T09:00:00Z","edited_at":"2026-11-20T10:00:00Z","cover_image":"https://i.example/1","comments_count":2,"public_reactions_count":9,"positive_reactions_count":8,"tag_list":"a, b","language":"en","user":{"name":"Amy","username":"amy"}},
         {"id":8,"title":"t","url":"https://dev.to/b","canonical_url":"https://dev.to/b","edited_at":null,"cover_image":null,"user":null},
         {"id":9}, {"title":"t"}, 5]
        """#), to: source.asking("a", at: server, wanted: 5))
    #expect(page.brokenItems == 3)
    #expect(page.next == Cursor(rawValue: "2/250"))
    let article = page.posts[0]
    #expect(article.title == "A & B" && article.text == "Sum…" && article.language == "en")
    #expect(article.uri == "https://dev.to/amy/a-b" && article.url == article.uri)
    #expect(article.links == ["https://amy.example/a"] && article.media == ["https://i.example/1"])
    #expect(article.author == Author(handle: "amy", name: "Amy", url: "https://dev.to/amy"))
    #expect(article.createdAt == (try moment("2026-11-20T09:00:00Z")))
    #expect(article.editedAt == (try moment("2026-11-20T10:00:00Z")))
    #expect(article.counts == Counts(likes: 9, replies: 2))
    #expect(page.posts[1].links.isEmpty && page.posts[1].author == Author())
  }

  @Test func `Pages are large, however short a server makes them`() throws {
    func articles(_ count: Int) -> HTTPResponse {
      answer("[" + (0..<count).map { #"{"id":\#($0),"title":"t"}"# }.joined(separator: ",") + "]")
    }
    let first = try source.page(from: articles(100), to: source.asking("a", at: server, wanted: 21))
    #expect(first.posts.count == 100 && first.next == Cursor(rawValue: "2/250"))
    let short = try source.page(from: articles(1), to: source.asking("a", at: server))
    #expect(short.next == Cursor(rawValue: "2/1000"))
    #expect(try source.page(from: articles(0), to: source.asking("a", at: server)).next == nil)
    let later = try source.page(
      from: articles(100), to: source.asking("a", at: server, cursor: Cursor(rawValue: "4/250")))
    #expect(later.next == Cursor(rawValue: "5/250") && later.missing == nil)
  }

  @Test func `Excluded tags are filtered by each article's list`() throws {
    let query = try source.asking("#swift -#Beginners", at: server)
    #expect(try source.request(for: query).url.hasSuffix("?tag=swift&per_page=1000&page=1"))
    let page = try source.page(
      from: answer(
        #"""
        [{"id":1,"title":"a","tag_list":["swift","beginners"]},{"id":2,"title":"b","tag_list":["swift"]},
         {"id":3,"title":"c","tag_list":"swift, beginners"},{"id":4,"title":"d"}]
        """#), to: query)
    let kept = source.filtered(page, by: query.split)
    #expect(kept.posts.map(\.id) == ["2", "4"] && kept.brokenItems == 0)
  }

  @Test func `A simulated server ignores exclusions, and pages are large`() async throws {
    try await SimulatedAsking.with("devto") { asking in
      let plenty = try await asking.walk("#plenty", wanted: 21)
      // The engine stops at ten pages of a network without an order.
      #expect(plenty.count <= 10)
      let all = try await asking.page("#swift").page.posts.count
      let answered = try await asking.page("#swift -#beginners")
      #expect(try answered.page.posts.count == all)
      let some = asking.source.filtered(try answered.page, by: answered.asked.split).posts.count
      #expect(some > 0 && some < all)
    }
  }

  @Test func `An error is its words`() throws {
    let failure = try source.failure(
      of: answer(#"{"error":"not found","status":404}"#, status: 404),
      to: source.asking("a", at: server))
    #expect(failure.message == "refused (404): not found")
  }
}
