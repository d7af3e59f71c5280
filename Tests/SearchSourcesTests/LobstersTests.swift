import FoundationEssentials
import QueuedHTTP
import SearchModel
import Testing

@testable import SearchSources

struct LobstersTests {
  private let source = Lobsters.network
  private let server = "https://lobste.rs"

  @Test(arguments: [
    ("#swift", "swift"), ("Swift", "swift"), ("c++", "c%2B%2B"), ("#c++", "c%2B%2B"),
    (" vim ", "vim"),
  ])
  func `A tag or a single word is searched for as a tag`(query: String, tag: String) throws {
    let page = try source.asking(query, at: server)
    #expect(source.unsupportedReason(for: source.split(page.query, with: nil), with: nil) == nil)
    #expect(try source.request(for: page).url == "https://lobste.rs/t/\(tag).json")
    let next = try source.asking(query, at: server, cursor: Cursor(rawValue: "3/25"))
    #expect(try source.request(for: next).url == "https://lobste.rs/t/\(tag)/page/3.json")
  }

  @Test(arguments: ["two words", "#a #b", "from:amy", "\"phrase\"", "-not", "#", "##a"])
  func `Free text is refused with the reason`(query: String) throws {
    let page = try source.asking(query, at: server)
    #expect(
      source.unsupportedReason(for: source.split(page.query, with: nil), with: nil)?.contains(
        "only a tag") == true)
    #expect(throws: Failure.self) { try source.request(for: page) }
  }

  @Test func `Stories of all years are read`() throws {
    let page = try source.page(
      from: answer(
        #"""
        [{"short_id":"1colyy","created_at":"2026-09-27T09:44:53.153-05:00","title":"A & B","url":"https://a.example/","score":55,"comment_count":3,"description":"","description_plain":"","submitter_user":"amy","short_id_url":"https://lobste.rs/s/1colyy"},
         {"short_id":"x","title":"Ask","url":"","description":"<p>why <a href=\"https://b.example\">so</a>?</p>","submitter_user":{"username":"bob"}},
         {"short_id":"y"}, {"title":"t"}, null]
        """#), to: source.asking("vim", at: server))
    #expect(page.brokenItems == 3)
    #expect(page.next == Cursor(rawValue: "2/25"))
    let story = page.posts[0]
    #expect(story.uri == "https://lobste.rs/s/1colyy" && story.url == story.uri)
    #expect(story.title == "A & B" && story.text.isEmpty)
    #expect(story.links == ["https://a.example/"])
    #expect(story.author == Author(handle: "amy", url: "https://lobste.rs/~amy"))
    #expect(story.createdAt == (try moment("2026-09-27T14:44:53.153Z")))
    #expect(story.counts == Counts(likes: 55, replies: 3))
    #expect(page.posts[1].author.handle == "bob")
    #expect(page.posts[1].text == "why so?")
    #expect(page.posts[1].links == ["https://b.example"])
    #expect(page.posts[1].uri == "https://lobste.rs/s/x")
  }

  @Test func `An unknown tag finds nothing`() throws {
    let missing = answer("<html>gone</html>", status: 404)
    let page = try source.read(missing, to: source.asking("nope", at: server))
    #expect(page == Page(notes: ["there is no such tag, or the server is not a Lobsters site"]))
    _ = try source.failure(
      of: missing, to: source.asking("nope", at: server, cursor: Cursor(rawValue: "2/25")))
  }

  @Test func `A page has a next one unless it is empty`() throws {
    let stories = (0..<25).map { #"{"short_id":"s\#($0)","title":"t"}"# }
    let full = answer("[" + stories.joined(separator: ",") + "]")
    let page = try source.page(from: full, to: source.asking("vim", at: server))
    #expect(page.next == Cursor(rawValue: "2/25"))
    let short = answer(#"[{"short_id":"s","title":"t"}]"#)
    #expect(
      try source.page(from: short, to: source.asking("vim", at: server)).next
        == Cursor(rawValue: "2/25"))
    #expect(try source.page(from: answer("[]"), to: source.asking("vim", at: server)).next == nil)
  }

  @Test(arguments: Recorded.all)
  func `Recorded stories are read completely`(recorded: Recorded) throws {
    for name in recorded.names("lobsters") {
      let page = try source.page(
        from: recorded.answer("lobsters/\(name)"), to: source.asking("vim", at: server))
      #expect(page.posts.count == 5 && page.brokenItems == 0)
      #expect(page.posts.allSatisfy { $0.createdAt != nil && !$0.author.handle.isEmpty })
    }
  }
}
