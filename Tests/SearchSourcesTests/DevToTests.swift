import FoundationEssentials
import QueuedHTTP
import SearchModel
import Testing

@testable import SearchSources

struct DevToTests {
  private let source = DevTo()
  private let server = "https://dev.to"

  @Test func `A tag is asked for, and the days that are wanted`() throws {
    let request = try source.request(for: asking("#Swift", at: server, wanted: 20))
    #expect(request.url == "https://dev.to/api/articles?tag=swift&per_page=20&page=1")
    #expect(request.headers["Accept"] == "application/vnd.forem.api-v1+json")
    let since = try source.request(
      for: asking(
        "swift", at: server, since: "2026-11-19T09:00:00Z", cursor: Cursor(rawValue: "2/30")))
    #expect(since.url == "https://dev.to/api/articles?tag=swift&per_page=30&page=2&top=4")
  }

  @Test(arguments: ["two words", "#a #b", "from:amy", "-a"])
  func `Free text is refused with the reason`(query: String) throws {
    let page = try asking(query, at: server)
    #expect(source.refusal(of: page.query, with: nil)?.contains("only a tag") == true)
    #expect(throws: Failure.self) { try source.request(for: page) }
  }

  @Test func `Articles read`() throws {
    let page = try source.page(
      from: answer(
        #"""
        [{"id":7,"title":"A & B","description":"Sum…","url":"https://dev.to/amy/a-b","canonical_url":"https://amy.example/a","published_at":"2026-11-20T09:00:00Z","edited_at":"2026-11-20T10:00:00Z","cover_image":"https://i.example/1","comments_count":2,"public_reactions_count":9,"positive_reactions_count":8,"tag_list":"a, b","language":"en","user":{"name":"Amy","username":"amy"}},
         {"id":8,"title":"t","url":"https://dev.to/b","canonical_url":"https://dev.to/b","edited_at":null,"cover_image":null,"user":null},
         {"id":9}, {"title":"t"}, 5]
        """#), to: asking("a", at: server, wanted: 5))
    #expect(page.brokenItems == 3)
    #expect(page.next == Cursor(rawValue: "2/5"))
    let article = page.posts[0]
    #expect(article.title == "A & B" && article.text == "Sum…" && article.language == "en")
    #expect(article.uri == "https://dev.to/amy/a-b" && article.url == article.uri)
    #expect(article.links == ["https://amy.example/a"] && article.media == ["https://i.example/1"])
    #expect(article.author == Author(handle: "amy", name: "Amy", url: "https://dev.to/amy"))
    #expect(article.createdAt == (try moment("2026-11-20T09:00:00Z")))
    #expect(article.editedAt == (try moment("2026-11-20T10:00:00Z")))
    #expect(article.counts == Counts(likes: 9, replies: 2))
    #expect(page.posts[1].links.isEmpty && page.posts[1].author == Author())
    let short = try source.page(
      from: answer(#"[{"id":7,"title":"t"}]"#), to: asking("a", at: server, wanted: 5))
    #expect(short.next == nil)
  }

  @Test func `An error is its words`() throws {
    let failure = try source.failure(
      of: answer(#"{"error":"not found","status":404}"#, status: 404), to: asking("a", at: server))
    #expect(failure.message == "refused (404): not found")
  }
}
