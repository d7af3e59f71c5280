import QueuedHTTP
import SearchModel
import Testing

@testable import SearchSources

/// Feed entries with unusual links, texts, authors and categories.
@Suite struct FeedDetailTests {
  private func posts(
    _ items: String, at address: String = "https://f.example/feed", status: Int = 200
  ) throws -> [Post] {
    let body =
      items.hasPrefix("{")
      ? items
      : #"<rss xmlns:content="http://purl.org/rss/1.0/modules/content/" "#
        + #"xmlns:dc="http://purl.org/dc/elements/1.1/" "#
        + #"xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"><channel>\#(items)</channel></rss>"#
    let feed = Feed()
    let asked = try feed.asking("x", at: address)
    var response = answer(body, status: status)
    response.url = address
    #expect(feed.refusal(in: response, to: asked) == nil)
    return try feed.page(from: response, to: asked).posts
  }

  @Test func `References within the text are not links, and no link shows the query`() throws {
    let address = "https://f.example/feed?token=s3cret"
    let html = ##"x<a href="#fn1">1</a> <a href="?page=2">2</a> <a href="three">3</a>"##
    let quoted = html.replacing("\"", with: "\\\"")
    for items in [
      "<item><guid>1</guid><title>x</title><link>#top</link><content:encoded><![CDATA[\(html)]]></content:encoded></item>",
      ##"{"version":"https://jsonfeed.org/version/1.1","items":[{"id":"1","title":"x","url":"#top","content_html":"\##(quoted)"}]}"##,
    ] {
      let post = try #require(try posts(items, at: address).first)
      #expect(post.url == "https://f.example/feed#top")
      #expect(post.links == ["https://f.example/feed?page=2", "https://f.example/three"])
    }
  }

  @Test(arguments: [
    "<item><description>x and words</description><content:encoded><![CDATA[<a href='https://a.example/'><img src='b.png'></a>]]></content:encoded></item>",
    #"{"version":"https://jsonfeed.org/version/1","items":[{"id":"1","summary":"x and words","content_html":"<a href='https://a.example/'><img src='b.png'></a>"}]}"#,
  ])
  func `Content without a word leaves the words to the summary`(items: String) throws {
    let post = try #require(try posts(items).first)
    #expect(post.text == "x and words" && post.links == ["https://a.example/"])
  }

  @Test(arguments: [
    ("<author>news@f.example</author><dc:creator>Jane Doe</dc:creator>", "Jane Doe"),
    ("<author>news@f.example</author>", "news@f.example"),
    ("<author>\"Doe, Jane\" &lt;jane@f.example&gt;</author>", "Doe, Jane"),
  ])
  func `An author with a name comes before an address alone`(author: String, name: String) throws {
    let post = try #require(try posts("<item><title>x</title>\(author)</item>").first)
    #expect(post.author.name == name)
  }

  @Test(arguments: [#""authors":{"name":"Amy"}"#, #""author":[{"name":"Amy"}]"#])
  func `An author may be in a list or alone, under either name`(author: String) throws {
    let post = try #require(
      try posts(
        #"{"version":"https://jsonfeed.org/version/1","items":[{"id":"1","title":"x",\#(author)}]}"#
      ).first)
    #expect(post.author.name == "Amy")
  }

  @Test func `Keywords are topics of their own, and so are categories within categories`() throws {
    let post = try #require(
      try posts(
        "<item><title>x</title><itunes:keywords>swift, ios,linux</itunes:keywords>"
          + "<itunes:category text='Arts'><itunes:category text='Books'/></itunes:category></item>"
      ).first)
    #expect(post.topics == ["swift", "ios", "linux", "Arts", "Books"])
  }

  @Test func `A label of a category says its term again, also where that was seen before`() throws {
    let post = try #require(
      try posts(
        "<item><title>x</title><category label='Contributor' term='nc'/>"
          + "<category label='Author' term='nc'/><category><![CDATA[Q&amp;A]]></category></item>"
      ).first)
    #expect(post.topics == ["nc", "Q&A"])
  }

  @Test(arguments: [
    "include <time.h> for nanosleep", "use <math.h>, not", "<video/mmp_disp.h> users",
  ])
  func `A file name in angle brackets is not markup`(title: String) throws {
    let escaped = title.replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    let body =
      "<feed xmlns='http://www.w3.org/2005/Atom'><entry><id>1</id><title type='html'>\(escaped) x</title></entry></feed>"
    let asked = try Feed().asking("x", at: "https://f.example/feed")
    #expect(try Feed().page(from: answer(body), to: asked).posts.map(\.title) == [title + " x"])
  }

  @Test func `An entry without a link has the address of its identifier`() throws {
    func entry(_ id: String, _ more: String) throws -> Post {
      let body =
        "<feed xmlns='http://www.w3.org/2005/Atom'><entry><title>x</title><id>\(id)</id>\(more)</entry></feed>"
      let asked = try Feed().asking("x", at: "https://f.example/feed")
      return try #require(try Feed().page(from: answer(body), to: asked).posts.first)
    }
    #expect(try entry("https://f.example/1", "").url == "https://f.example/1")
    #expect(try entry("urn:1", "").url == nil)
    #expect(
      try entry("https://f.example/1", "<link rel='alternate' type='text/plain' href='2'/>").url
        == "https://f.example/2")
  }

  @Test(arguments: ["application/pdf", "application/zip"])
  func `A document in place of a text leaves the words to the summary`(type: String) throws {
    let body =
      "<feed xmlns='http://www.w3.org/2005/Atom'><entry><title>x</title><id>1</id><content type='\(type)'>JVBERi0xLjQKJcfs</content><summary>words</summary></entry></feed>"
    let asked = try Feed().asking("x", at: "https://f.example/feed")
    #expect(try Feed().page(from: answer(body), to: asked).posts.map(\.text) == ["words"])
  }

  @Test func `An answer that a proxy has changed is an answer`() throws {
    #expect(try posts("<item><title>x</title></item>", status: 203).count == 1)
  }

  @Test func `Of a feed with too many elements the first entries are read, and it says so`() throws
  {
    let categories = String(repeating: "<category>c</category>", count: 60)
    let items = (0..<9_000).map { "<item><title>x \($0)</title>\(categories)</item>" }.joined()
    let feed = Feed()
    let asked = try feed.asking("x", at: "https://f.example/feed")
    let read = try feed.page(from: answer("<rss><channel>\(items)</channel></rss>"), to: asked)
    #expect(read.posts.count > 1000 && read.posts.count < 9_000)
    #expect(
      read.gap
        == "only the first \(read.posts.count) entries of the feed were read, as it is too large")
  }
}
