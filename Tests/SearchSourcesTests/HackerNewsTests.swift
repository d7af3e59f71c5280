import FoundationEssentials
import QueuedHTTP
import SearchModel
import Testing

@testable import SearchSources

struct HackerNewsTests {
  private let source = HackerNews.network
  private let server = "https://hn.algolia.com"

  private func page(_ body: String, wanted: Int? = nil, cursor: Cursor? = nil) throws -> Page {
    try source.page(
      from: answer(body), to: source.asking("swift", at: server, wanted: wanted, cursor: cursor))
  }

  @Test func `The request follows the API documentation`() throws {
    let request = try source.request(
      for: source.asking(
        "#swift c++", at: server, since: "2026-11-20T10:00:00.900Z",
        until: "2026-11-21T10:00:00.100Z", wanted: 20))
    #expect(
      request.url
        == "https://hn.algolia.com/api/v1/search_by_date?query=swift%20c%2B%2B"
        + "&tags=%28story%2Ccomment%29"
        + "&restrictSearchableAttributes=title%2Cstory_text%2Ccomment_text"
        + "&typoTolerance=false&queryType=prefixNone&hitsPerPage=20&page=0"
        + "&numericFilters=created_at_i%3E%3D1795168800%2Ccreated_at_i%3C1795255201")
    #expect(
      try source.request(for: source.asking("a", at: server)).url.hasSuffix(
        "&hitsPerPage=1000&page=0"))
  }

  @Test func `Words match whole words only`() async throws {
    let query = try #require(Query("swift"))
    let page = try page(
      #"""
      {"hits":[{"objectID":"1","title":"Swift 7"},{"objectID":"2","title":"Swiftly"},
       {"objectID":"3","title":"Other","url":"https://swift.example","author":"swift"},
       {"objectID":"4","comment_text":"a <i>swift</i>, one"}]}
      """#)
    #expect(
      source.filtered(page, by: source.split(query, with: nil)).posts.map(\.id) == ["1", "4"])
    try await SimulatedAsking.with("hackernews") { asking in
      let found = try await asking.page("swift").page
      #expect(found.posts.count >= 60)
      #expect(
        asking.source.filtered(found, by: asking.source.split(query, with: nil)).posts
          == found.posts)
    }
  }

  @Test func `Stories and comments of all years are read`() throws {
    let page = try page(
      #"""
      {"hits":[
       {"objectID":"46221321","title":"Show HN: A &amp; B","url":"https://a.example/","author":"amy","points":3,"num_comments":1,"created_at":"1999-01-01T00:00:00Z","created_at_i":1765390791,"story_text":"I&#x27;m <i>here</i><p>see <a href=\"https:&#x2F;&#x2F;b.example&#x2F;long\" rel=\"nofollow\">https:&#x2F;&#x2F;b.exam...</a>"},
       {"objectID":"2","story_title":"The story","story_url":"https://s.example","comment_text":"No.<p>Yes.","author":"bob","parent_id":46221321,"points":null,"created_at":"2015-09-11T14:58:44.000Z","title":null,"url":null},
       {"objectID":"3","title":"Ask HN","author":null,"created_at":"2025-12-10T18:19:51Z","created_at_i":"x"},
       {"objectID":"4","author":"x","title":null,"story_text":null}, {"title":"no id"}, 5
      ],"nbHits":6,"nbPages":1,"page":0,"hitsPerPage":20}
      """#)
    #expect(page.brokenItems == 3)
    #expect(page.next == nil)
    let story = page.posts[0]
    #expect(story.title == "Show HN: A &amp; B")
    #expect(story.text == "I'm here\n\nsee https://b.example/long")
    #expect(story.links == ["https://a.example/", "https://b.example/long"])
    #expect(story.url == "https://news.ycombinator.com/item?id=46221321")
    #expect(story.uri == story.url)
    #expect(
      story.author == Author(handle: "amy", url: "https://news.ycombinator.com/user?id=amy"))
    #expect(story.createdAt == (try moment("2025-12-10T18:19:51Z")))
    #expect(story.counts == Counts(likes: 3, replies: 1))
    let comment = page.posts[1]
    #expect(comment.title == "The story")
    #expect(comment.text == "No.\n\nYes.")
    #expect(comment.replyTo == "46221321")
    #expect(comment.links.isEmpty)
    #expect(comment.createdAt == (try moment("2015-09-11T14:58:44Z")))
    #expect(page.posts[2].createdAt == (try moment("2025-12-10T18:19:51Z")))
    #expect(page.posts[2].text.isEmpty)
  }

  @Test func `Pages keep their size until the last`() throws {
    let hit = #"{"objectID":"1","title":"t"}"#
    let first = try page(#"{"hits":[\#(hit)],"nbPages":3,"page":0,"nbHits":50}"#, wanted: 20)
    #expect(first.next == Cursor(rawValue: "1/20"))
    let request = try source.request(
      for: source.asking("a", at: server, wanted: 3, cursor: first.next))
    #expect(request.url.hasSuffix("&hitsPerPage=20&page=1"))
    let last = try page(
      #"{"hits":[\#(hit)],"nbPages":3}"#, wanted: 3, cursor: Cursor(rawValue: "2/20"))
    #expect(last.next == nil)
    #expect(try page(#"{"hits":[],"nbPages":9}"#, wanted: 20).next == Cursor(rawValue: "1/20"))
    #expect(try page(#"{"hits":[\#(hit)],"nbHits":4}"#).next == nil)
  }

  @Test func `A page without the posts that Algolia counts leaves a gap`() throws {
    func found(_ hits: String, _ number: Int, after items: Int, total: Int) throws -> Page {
      var asked = try source.asking("a", at: server, cursor: Cursor(rawValue: "\(number)/20"))
      asked.itemsBefore = items
      let body = #"{"hits":[\#(hits)],"nbPages":3,"nbHits":\#(total)}"#
      return try source.page(from: answer(body), to: asked)
    }
    let reason = "a page was empty, although the network counts 60 posts"
    #expect(try found("", 1, after: 20, total: 60).gap == reason)
    let last = try found("", 2, after: 20, total: 60)
    #expect(last.gap == reason && last.next == nil && last.missing == nil)
    #expect(try found("", 0, after: 0, total: 60).gap == reason)
    #expect(try found("", 2, after: 40, total: 40).gap == nil)
    // The number of posts has not reached what Algolia returns at most.
    let empty = #"{"hits":[],"nbPages":5,"nbHits":99}"#
    let second = try page(empty, cursor: Cursor(rawValue: "1/1000"))
    #expect(second.missing == nil && second.next == Cursor(rawValue: "2/1000"))
    #expect(try found(#"{"objectID":"1","title":"t"}"#, 2, after: 40, total: 60).gap == nil)
  }

  @Test func `A server with smaller pages is read to the last`() throws {
    let hits = String(repeating: #"{"objectID":"1","title":"t"},"#, count: 19)
    let body = #"{"hits":[\#(hits){"objectID":"2","title":"t"}],"nbPages":5,"nbHits":100}"#
    func found(_ number: Int, of body: String, after items: Int? = nil) throws -> Page {
      var asked = try source.asking("a", at: server, cursor: Cursor(rawValue: "\(number)/1000"))
      asked.itemsBefore = items ?? 20 * number
      asked.largestBefore = 20
      return try source.page(from: answer(body), to: asked)
    }
    for number in 1...3 {
      #expect(try found(number, of: body).next == Cursor(rawValue: "\(number + 1)/1000"))
    }
    let last = try found(4, of: body)
    #expect(last.next == nil && last.missing == nil)
    let cut = try found(
      49, of: body.replacing(#""nbPages":5,"nbHits":100"#, with: #""nbPages":50,"nbHits":4000"#))
    #expect(cut.next == nil && cut.missing != nil)
    let short = try found(
      49, of: body.replacing(#""nbPages":5,"nbHits":100"#, with: #""nbPages":50,"nbHits":4000"#),
      after: 979)
    #expect(short.next == nil && short.missing != nil)
  }

  @Test func `A search that reaches the ceiling reports it`() throws {
    let beyond =
      #"{"hits":[],"nbHits":0,"nbPages":0,"message":"you can only fetch the 1000 hits for this query"}"#
    #expect(
      try page(beyond, cursor: Cursor(rawValue: "50/20"))
        == Page(missing: "you can only fetch the 1000 hits for this query"))
    let hits = (0..<1000).map { #"{"objectID":"\#($0)","title":"t"}"# }.joined(separator: ",")
    let full = try page(#"{"hits":[\#(hits)],"nbPages":1,"nbHits":5000}"#)
    #expect(full.posts.count == 1000)
    #expect(full.missing == "Algolia returns only the newest 1000 posts of a query")
    #expect(try page(#"{"hits":[\#(hits)],"nbPages":1,"nbHits":1000}"#).missing == nil)
  }
}
