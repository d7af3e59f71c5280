import QueuedHTTP
import SearchModel
import Testing
import TextFormats

@testable import SearchSources

/// Networks that answer searches with a feed, as declarations.
@Suite struct DeclaredFeedTests {
  private func feed(
    _ members: String = "", url: String = "https://list.example/?q={words}&o={offset}"
  ) throws -> any DeclaredSource {
    let more = members.isEmpty ? "" : ", \(members)"
    let text = #"{"kind": "feed", "url": "\#(url)"\#(more)}"#
    return try Declaration.source(
      "list", reading: JSONDocument(reading: Array(text.utf8)).root(quotingValues: true))
  }

  private func atom(_ entries: String, _ links: String = "") -> HTTPResponse {
    answer(
      #"<feed xmlns="http://www.w3.org/2005/Atom"><title>x</title>\#(links)\#(entries)</feed>"#)
  }

  private func entry(_ id: String, _ title: String = "a", _ text: String = "b") -> String {
    "<entry><id>\(id)</id><title>\(title)</title><summary>\(text)</summary>"
      + "<updated>2026-11-20T12:00:00Z</updated><author><name>A</name></author></entry>"
  }

  private let server = "https://list.example"

  @Test func `Offsets lead from page to page until one is empty`() throws {
    let source = try feed(#""page": {"size": 200, "first": null}, "newest_first": true"#)
    #expect(source.traits.order == .exact && source.knowsAuthorsByName)
    var page = try source.asking("a b", at: server)
    let request = try source.request(for: page)
    #expect(request.url == "https://list.example/?q=a%20b&o=0")
    #expect(request.headers["Accept"]?.contains("atom") == true)
    let first = try source.read(atom(entry("u:1") + entry("u:2")), to: page)
    #expect(first.posts.map(\.id) == ["u:1", "u:2"])
    #expect(first.posts.first?.source == "list" && first.posts.first?.author.name == "A")
    page.cursor = first.next
    #expect(try source.request(for: page).url == "https://list.example/?q=a%20b&o=2")
    #expect(try source.read(atom(""), to: page).next == nil)
  }

  @Test func `The versions of an entry are one post`() throws {
    let page = try feed(#""versions": "v""#).read(
      atom(entry("u:7v12") + entry("u:8") + entry("u:v")), to: feed().asking("a", at: server))
    #expect(page.posts.map(\.id) == ["u:7v12", "u:8", "u:v"])
    #expect(page.posts.map { $0.uri.split(separator: "#").last } == ["u:7v1", "u:8", "u:v"])
    let plain = try feed().read(atom(entry("u:7v2")), to: feed().asking("a", at: server))
    #expect(plain.posts.first?.uri.hasSuffix("#u:7v2") == true)
  }

  @Test func `A feed that names its next page is followed on its own server`() throws {
    let source = try feed(url: "https://list.example/?q={words}")
    var page = try source.asking("a", at: server)
    let first = try source.read(
      atom(entry("u:1"), #"<link rel="next" href="/?q=a&amp;p=2"/>"#), to: page)
    page.cursor = first.next
    #expect(try source.request(for: page).url == "https://list.example/?q=a&p=2")
    let other = try source.read(
      atom(entry("u:1"), #"<link rel="next" href="https://evil.example/"/>"#), to: page)
    #expect(other.next == nil && other.deadEnd?.contains("another server") == true)
  }

  @Test func `A page without entries is a gap where the feed counts more`() throws {
    let source = try feed()
    let page = try source.asking("a", at: server)
    let total = "<totalResults xmlns=\"http://a9.com/-/spec/opensearch/1.1/\">300</totalResults>"
    let empty = try source.read(atom("", total), to: page)
    #expect(empty.gap == "a page was empty, although the feed counts 300 posts")
    // The next page is read all the same.
    #expect(empty.next != nil)
    #expect(try source.read(atom(entry("u:1"), total), to: page).gap == nil)
  }

  @Test func `A status can mean that there are no posts`() throws {
    let source = try feed(#""errors": [{"status": 404, "means": "none"}]"#)
    let page = try source.asking("a", at: server)
    #expect(try source.read(answer("<html>none</html>", status: 404), to: page) == Page())
    #expect(throws: SourceFault.self) {
      try feed().read(answer("<html>none</html>", status: 404), to: page)
    }
  }

  @Test(arguments: [200, 400])
  func `An entry that is an error is no post`(status: Int) throws {
    let source = try feed(#""error_entry": "https://list.example/errors""#)
    var response = atom(entry("https://list.example/errors#id", "Error", "incorrect id"))
    response.status = status
    let page = try source.asking("a", at: server)
    let failure = try source.failure(of: response, to: page)
    #expect(failure.message.hasSuffix(": incorrect id") && failure.kind == .permanent)
    #expect(try source.read(atom(entry("https://list.example/1")), to: page).posts.count == 1)
  }

  @Test func `Keys of answers in JSON are mistakes in a feed`() throws {
    let fault = #expect(throws: DocumentError.self) { try feed(#""items": "a""#) }
    #expect(fault?.path == "items" && fault?.message.contains("unknown key") == true)
  }
}
