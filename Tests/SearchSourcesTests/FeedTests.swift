import FoundationEssentials
import QueuedHTTP
import SearchModel
import Testing
import TextFormats

@testable import SearchSources

@Suite struct FeedTests {
  private let source = Feed()

  private func page(
    _ body: String, _ query: String = "a", at server: String = "https://f.example/feed?q={query}",
    headers: HTTPHeaders = [:], cursor: Cursor? = nil, after pages: Int = 0
  ) throws -> Page {
    var asked = try source.asking(query, at: server, cursor: cursor)
    asked.pagesBefore = pages
    return try source.page(from: answer(body, headers: headers), to: asked)
  }

  @Test(arguments: [
    ("https://f.example/feed/", "https://f.example/feed/"),
    ("https://f.example/?feed=rss2&cat=1,2", "https://f.example/?feed=rss2&cat=1,2"),
    ("https://f.example/s?q={query}&as=rss", "https://f.example/s?q=c%2B%2B%20x&as=rss"),
    ("https://f.example/tag/{query}/feed", "https://f.example/tag/c%2B%2B%20x/feed"),
    ("https://f.example/a#top", "https://f.example/a"),
  ])
  func `The address is used unchanged, with the query in its place`(
    server: String, url: String
  ) throws {
    let address = try #require(ServerAddress.whole(server))
    var asked = try source.asking("c++ #x", at: "https://f.example")
    asked.server = address
    #expect(try source.request(for: asked).url == url)
    #expect(!address.description.contains("?"))
  }

  @Test func `RSS is read completely`() throws {
    let read = try page(
      #"""
      <?xml version="1.0"?><rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:slash="http://purl.org/rss/1.0/modules/slash/"><channel><title>F</title><link>https://f.example/</link><language>en-gb</language>
      <item><title>Q&amp;amp;A &lt;i&gt;now&lt;/i&gt;</title><link> https://f.example/1 </link><guid isPermaLink="false">one</guid><pubDate>Fri, 20 Nov 26 04:00:00 EST</pubDate><author>amy@f.example (Amy)</author><description>short</description><content:encoded><![CDATA[<p>Long <a href="/x?a=1&amp;b=2">one</a></p>]]></content:encoded><enclosure url="https://f.example/1.mp3" length="1" type="audio/mpeg"/><slash:comments>3</slash:comments></item>
      <item><guid>https://f.example/2</guid><description>a &lt; b</description><dc:creator>Bob</dc:creator><dc:date>2026-11-20</dc:date></item>
      <item><title></title></item><item/>
      </channel></rss>
      """#)
    #expect(read.brokenItems == 2 && read.posts.count == 2 && read.next == nil)
    let one = read.posts[0]
    #expect(one.id == "one" && one.uri.hasPrefix("https://f.example/feed?"))
    #expect(one.uri.hasSuffix("#one") && !one.uri.contains("="))
    #expect(one.url == "https://f.example/1" && one.title == "Q&A now" && one.text == "Long one")
    #expect(one.author == Author(name: "Amy") && one.language == "en-gb")
    #expect(one.createdAt == (try moment("2026-11-20T09:00:00Z")))
    #expect(one.links == ["https://f.example/x?a=1&b=2"])
    #expect(one.media == ["https://f.example/1.mp3"] && one.counts == Counts(replies: 3))
    let two = read.posts[1]
    #expect(two.url == "https://f.example/2" && two.title == nil && two.text == "a < b")
    #expect(two.author.name == "Bob")
    #expect(two.createdAt == (try moment("2026-11-20T00:00:00Z")))
  }

  @Test(arguments: [
    "<rss><channel><title>The Feed</title><link>https://f.example/</link><item><title>a</title></item></channel></rss>",
    #"{"version":"https://jsonfeed.org/version/1","title":"The Feed","home_page_url":"https://f.example/","items":[{"id":"1","title":"a"}]}"#,
  ])
  func `An entry that names nobody is by its feed`(body: String) throws {
    let author = Author(name: "The Feed", url: "https://f.example/")
    #expect(try page(body).posts.map(\.author) == [author])
    // The name that users gave it comes first.
    let address = "https://f.example/feed?q={query}"
    let named = Feed(titles: [try #require(ServerAddress.whole(address)): "Mine"])
    let read = try named.page(from: answer(body), to: named.asking("a", at: address))
    #expect(read.posts.map(\.author) == [Author(name: "Mine", url: "https://f.example/")])
  }

  @Test(arguments: [
    "<rss><channel><title>The Feed</title><item><title>a</title><author>Amy</author></item></channel></rss>",
    "<feed xmlns='http://www.w3.org/2005/Atom'><title>The Feed</title><entry><title>a</title><author><name>Amy</name></author></entry></feed>",
    #"{"version":"https://jsonfeed.org/version/1","title":"The Feed","items":[{"id":"1","title":"a","author":{"name":"Amy"}}]}"#,
  ])
  func `An entry names its feed beside its author`(body: String) throws {
    let post = try #require(try page(body).posts.first)
    #expect(post.author.name == "Amy" && post.feed == "The Feed")
    let address = "https://f.example/feed?q={query}"
    let named = Feed(titles: [try #require(ServerAddress.whole(address)): "Mine"])
    let read = try named.page(from: answer(body), to: named.asking("a", at: address))
    #expect(read.posts.map(\.feed) == ["Mine"] && read.posts.map(\.author.name) == ["Amy"])
  }

  @Test func `A feed without a title is not named`() throws {
    let posts = try page(
      "<rss><channel><title> </title><item><title>a</title></item></channel></rss>"
    )
    .posts
    #expect(posts.map(\.feed) == [nil] && posts.map(\.author) == [Author()])
  }

  @Test func `Atom is read completely`() throws {
    let read = try page(
      #"""
      <feed xmlns="http://www.w3.org/2005/Atom" xml:base="https://f.example/base/" xml:lang="de"><title>F</title><author><name>Feed</name></author><link rel="next" href="?page=2"/>
      <entry><id>tag:f,2026:1</id><title type="html">A &amp;lt; B</title><link rel="self" href="1.atom"/><link rel="replies" href="r"/><link type="application/json" href="1.json"/><link href="1"/><link rel="enclosure" href="1.png"/><published>2026-11-20T09:00:00Z</published><updated>2026-11-20T10:00:00+01:00</updated><content type="xhtml" xml:base="sub/"><div xmlns="http://www.w3.org/1999/xhtml"><p>One &amp; <a href="two">two</a></p><p>three</p></div></content><category term="c"/><author><name>Amy</name><uri>/amy</uri></author></entry>
      <entry><id>2</id><title>1 &lt; 2 &amp;amp; 3</title><link href="https://f.example/2"/><updated>2026-11-20T08:00:00Z</updated><content type="image/png">iVBORw0KGgo=</content><summary>s</summary></entry>
      <entry xml:lang=""><title type="text/plain" mode="base64">PGI+IGI=</title></entry>
      </feed>
      """#)
    let one = read.posts[0]
    #expect(one.url == "https://f.example/base/1" && one.title == "A < B")
    #expect(one.text == "One & two\n\nthree" && one.links == ["https://f.example/base/sub/two"])
    #expect(one.author == Author(name: "Amy", url: "https://f.example/amy"))
    #expect(one.createdAt == (try moment("2026-11-20T09:00:00Z")))
    #expect(one.editedAt == nil)
    #expect(one.media == ["https://f.example/base/1.png"])
    let two = read.posts[1]
    #expect(two.title == "1 < 2 &amp; 3" && two.author.name == "Feed" && two.text == "s")
    #expect(two.language == "de")
    #expect(read.posts[2].language?.isEmpty != true && read.posts[2].title == "<b> b")
    #expect(read.next == Cursor(rawValue: "https://f.example/base/?page=2"))
  }

  @Test(arguments: [
    // As public-inbox writes the subject of a mail.
    ("[PATCH] Use &lt;linux/list.h&gt; &#38; co", "[PATCH] Use <linux/list.h> & co"),
    ("Array&lt;Int&gt; or &amp;amp;", "Array<Int> or &amp;"),
    ("&lt;b&gt;Bold&lt;/b&gt; &amp;amp; plain", "Bold & plain"),
    ("1 &lt; 2 &amp;amp; 3", "1 < 2 & 3"), ("I &lt;3 &amp;amp; you", "I <3 & you"),
    ("&lt;my-title&gt;Own&lt;/my-title&gt; &lt;o:p&gt;Word&lt;/o:p&gt;", "Own Word"),
    ("a&lt;wbr&gt;b &lt;svg&gt;&lt;/svg&gt;", "ab"),
  ])
  func `A title that is called HTML, but has unknown tags, is plain`(
    escaped: String, title: String
  ) throws {
    let posts = try page(
      #"<feed xmlns="http://www.w3.org/2005/Atom"><entry><id>1</id><title type="html">\#(escaped)</title></entry></feed>"#
    )
    .posts
    #expect(posts.map(\.title) == [title])
  }

  @Test func `JSON Feed is read completely`() throws {
    let read = try page(
      "\u{FEFF} "
        + #"""
        {"version":"https://jsonfeed.org/version/1.1","title":"F","feed_url":"https://f.example/feed","next_url":"https://f.example/feed?p=2","authors":[{"name":"Feed"}],"items":[
        {"id":7,"url":"/7","title":"T","content_html":"<p>a <a href=\"https://x.example/\">b</a>","date_published":"2026-11-20T09:00:00-05:00","date_modified":"2026-11-20T09:05:00-05:00","tags":["c"],"attachments":[{"url":"https://f.example/7.mp3","size_in_bytes":"9"}],"_x":{"title":5}},
        {"id":"8","external_url":"https://x.example/8","content_text":"plain <b>","author":{"name":"Old"}},{},5]}
        """#)
    #expect(read.brokenItems == 2)
    let one = read.posts[0]
    #expect(one.id == "7" && one.url == "https://f.example/7" && one.text == "a b")
    #expect(one.author.name == "Feed" && one.links == ["https://x.example/"])
    #expect(one.editedAt == (try moment("2026-11-20T14:05:00Z")))
    #expect(one.media == ["https://f.example/7.mp3"])
    #expect(read.posts[1].author.name == "Old" && read.posts[1].text == "plain <b>")
    #expect(read.posts[1].url == "https://x.example/8")
    #expect(read.next == Cursor(rawValue: "https://f.example/feed?p=2"))
  }

  @Test(arguments: [
    "https://other.example/feed?p=2", "https://f.example:8443/feed", "http://f.example/feed?p=2",
  ])
  func `A next page on another server ends the search there, with its address`(
    next: String
  ) throws {
    let body =
      "<rss><channel><atom:link rel='next' href='\(next)'/><item><title>a</title></item></channel></rss>"
    let page = try page(body)
    #expect(page.next == nil && page.deadEnd?.hasSuffix(next) == true)
  }

  @Test(arguments: ["http://", "file:///x", "ftp://f.example/y", "mailto:a@f.example"])
  func `A next page that cannot be asked for is not the end`(next: String) throws {
    let reason = "the response says that there is more, but not where"
    for body in [
      "<feed><link rel='next' href='\(next)'/><entry><title>a</title></entry></feed>",
      #"{"version":"https://jsonfeed.org/version/1.1","next_url":"\#(next)","items":[{"id":"1","content_text":"a"}]}"#,
      #"{"version":"https://jsonfeed.org/version/1.1","next_url":5,"items":[{"id":"1","content_text":"a"}]}"#,
    ] {
      let page = try page(body)
      #expect(page.next == nil && page.deadEnd == reason, "\(body)")
    }
    let none = try page(
      #"{"version":"https://jsonfeed.org/version/1.1","next_url":null,"items":[{"id":"1","content_text":"a"}]}"#
    )
    #expect(none.next == nil && none.deadEnd == nil && none.posts.count == 1)
  }

  @Test func `A feed that names itself as its next page ends there, and says so`() throws {
    let body =
      "<rss><channel><atom:link rel='next' href='https://f.example/feed?q=a'/><item><title>a</title></item></channel></rss>"
    let page = try page(body)
    #expect(page.next == nil && page.deadEnd == "the feed names the same page as its next one")
  }

  @Test func `The pages of a feed have a bound`() throws {
    let body =
      "<feed><link rel='next' href='https://f.example/n'/><entry><title>a</title></entry></feed>"
    #expect(try page(body).next == Cursor(rawValue: "https://f.example/n"))
    let last = try page(body, cursor: Cursor(rawValue: "https://f.example/m"), after: 9)
    #expect(last.next == nil && last.missing == "only the first 10 pages of a feed are read")
  }

  @Test(arguments: [
    ("<rss><channel/></rss>", 0), ("<rss/>", 0), ("<feed xmlns='http://www.w3.org/2005/Atom'/>", 0),
    (#"{"version":"https://jsonfeed.org/version/1","items":[]}"#, 0),
    ("<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'/>", 0),
    ("<CHANNEL><ITEM HREF='https://f.example/c'><TITLE>t</TITLE></ITEM></CHANNEL>", 1),
    ("<entry xmlns='http://www.w3.org/2005/Atom'><title>alone</title></entry>", 1),
    ("Warning: x in y\n<br />\n <?xml version='1.0'?><rss><item><title>t</title></item></rss>", 1),
  ])
  func `A feed without an entry, or in an odd shape, is a feed`(body: String, count: Int) throws {
    let read = try page(body)
    #expect(read.posts.count == count && read.brokenItems == 0 && read.gap == nil)
  }

  @Test(arguments: [
    "<!DOCTYPE html><html><body><p>Sign in</p><item>x</item></body></html>",
    "<HTML><head><title>x</title></head></HTML>",
    "<html xmlns='http://www.w3.org/1999/xhtml'><body/></html>",
    "<?xml version='1.0'?><opml><body><outline/></body></opml>", "<note><item>x</item></note>",
    "plain words", "", "\u{0}\u{1}",
  ])
  func `Anything but a feed is a failure that shows its beginning`(body: String) throws {
    let failure = try source.failure(
      of: answer(body, headers: ["Content-Type": "application/rss+xml"]),
      to: source.asking("a", at: "https://f.example"))
    #expect(failure.kind == .permanent && failure.message.hasPrefix("the response is "))
  }

  @Test func `A JSON feed that was cut off has failed for now`() throws {
    let asked = try source.asking("a", at: "https://a.example/feed.json")
    let failure = try source.failure(
      of: answer(#"{"version":"https://jsonfeed.org/version/1.1","items":[{"id":"1","#), to: asked)
    #expect(failure.message == "the response was cut off" && failure.kind == .temporary)
  }

  @Test func `A feed that was cut off says so`() throws {
    let items = "<item><title>one</title></item><item><guid>2</guid><title>two</title></item>"
    let whole = "<rss><channel>\(items)</channel></rss>"
    for length in whole.utf8.count - 40..<whole.utf8.count - 1 {
      let read = try page(String(whole.prefix(length)))
      // The second one counts once it has ended.
      let isWhole = length >= whole.utf8.count - "></channel></rss>".utf8.count
      #expect(read.posts.map(\.title) == (isWhole ? ["one", "two"] : ["one"]), "\(length)")
      #expect(read.gap == "the feed was cut off")
    }
  }

  @Test(arguments: [true, false])
  func `Of a feed that is too long the newest entries are kept, in any order`(
    isOldestFirst: Bool
  ) throws {
    let days = (0..<50_000).map { isOldestFirst ? $0 : 49_999 - $0 }
    let items = days.map { day in
      let date = RFC3339.format(testNow.addingTimeInterval(Double(day - 60_000) * 3600))
      return #"{"id":"\#(day)","content_text":"t","date_published":"\#(date)"}"#
    }
    let read = try page(
      #"{"version":"https://jsonfeed.org/version/1.1","items":[\#(items.joined(separator: ","))]}"#)
    #expect(read.posts.count == 20_000 && read.gap != nil)
    #expect(read.posts.prefix(3).map(\.id) == ["49999", "49998", "49997"])
  }

  @Test func `A complete feed with more entries than the limit is not reported as cut off`() throws
  {
    let items = String(repeating: "<item><title>t</title></item>", count: 20_001)
    let read = try page("<rss><channel>\(items)</channel></rss>")
    #expect(read.gap == "only the newest 20000 entries of the feed were read")
  }

  @Test(arguments: [
    "<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'><item rdf:about=''><title>a</title>"
      + "</item><item about=''><title>b</title></item></rdf:RDF>",
    "<rss><item><guid/><title>a</title></item><item><guid> </guid><title>b</title></item></rss>",
    "<feed><entry><id></id><title>a</title></entry><entry><id/><title>b</title></entry></feed>",
    #"{"version":"https://jsonfeed.org/version/1.1","items":[{"id":"","title":"a"},{"id":"","title":"b"}]}"#,
  ])
  func `An empty identifier is ignored`(body: String) throws {
    let read = try page(body)
    #expect(read.posts.map(\.title) == ["a", "b"])
    #expect(read.posts.allSatisfy { !$0.id.isEmpty })
  }

  @Test func `Entries without an identifier are distinguished by their content`() throws {
    let read = try page(
      "<rss><item><title>a</title></item><item><title>b</title></item><item><title>a</title></item>"
        + "<item><link>https://f.example/1</link></item></rss>")
    #expect(read.posts.count == 3)
    #expect(read.posts[2].id == "https://f.example/1")
    #expect(try page("<rss><item><title>a</title></item></rss>").posts[0].uri == read.posts[0].uri)
  }

  @Test(arguments: [
    ("swift", ["word", "accent"]), ("#swift", ["word", "accent"]), ("SWIFT concurrency", ["word"]),
    ("émile", ["accent"]), ("emile", ["accent"]), ("#linux", ["category"]),
    ("\"swift has\"", ["word"]),
    ("\"has swift\"", []), ("swift -concurrency", ["accent"]), ("c++", ["category"]),
    ("con", []), ("東京", ["kanji"]), ("nothing", []),
  ])
  func `Entries of a feed that cannot search are filtered by words`(
    query: String, found: [String]
  ) throws {
    let body = """
      <rss><channel>
      <item><guid>word</guid><title>Swift has concurrency</title></item>
      <item><guid>accent</guid><title>E\u{301}mile</title><description>#swift, &lt;b&gt;too&lt;/b&gt;</description></item>
      <item><guid>category</guid><title>C++</title><category>Linux</category></item>
      <item><guid>kanji</guid><title>私は東京に</title></item>
      <item><guid>other</guid><title>swiftly</title></item>
      </channel></rss>
      """
    #expect(try page(body, query, at: "https://f.example/feed").posts.map(\.id) == found)
    // One that can search has done so, but for what must not be there.
    #expect(try page(body, query).posts.count == (query.contains(" -") ? 4 : 5))
  }

  @Test func `Authors are matched by name, and raw text is sent unchanged`() throws {
    let body =
      "<rss><item><title>a</title><author>Amy B.</author></item><item><title>a</title>"
      + "<author>Bob</author></item></rss>"
    let query = try #require(Query(#"a from:"amy b.""#))
    let read = source.filtered(try page(body, query.text), by: source.split(query, with: nil))
    #expect(read.posts.map(\.author.name) == ["Amy B."])
    #expect(read.notes.isEmpty)
    var asked = try source.asking("x", at: "https://f.example")
    asked.server = try #require(ServerAddress.whole("https://f.example/?q={query}"))
    asked.split = source.split(try #require(Query(#"a OR -"b""#)).raw, with: nil)
    #expect(try source.request(for: asked).url == "https://f.example/?q=a%20OR%20-%22b%22")
  }

  @Test(
    arguments: [
      ("amy@f.example (Amy)", "Amy", "amy@f.example"),
      ("Amy <amy@f.example>", "Amy", "amy@f.example"),
      ("Amy (amy@f.example)", "Amy", "amy@f.example"), ("amy@f.example", nil, "amy@f.example"),
      ("Amy", "Amy", nil), ("  Amy\n B. ", "Amy B.", nil), ("@amy@f.social", "@amy@f.social", nil),
      ("Amy (editor)", "Amy (editor)", nil), ("Amy 🏳️‍🌈", "Amy 🏳️‍🌈", nil),
    ] as [(String, String?, String?)])
  func `Authors are read in every form`(text: String, name: String?, email: String?) {
    let person = FeedPerson(text)
    #expect(person?.name == name && person?.email == email)
  }

  @Test func `Double-escaped HTML is read, and tags mentioned in a text stay`() throws {
    let read = try page(
      """
      <rss><item><description>&amp;lt;p&amp;gt;Hello &amp;lt;b&amp;gt;you&amp;lt;/b&amp;gt;&amp;lt;/p&amp;gt;</description></item>
      <item><description>Use &amp;lt;b&amp;gt;bold&amp;lt;/b&amp;gt; here</description></item>
      <item><title>History of the &lt;blink&gt; tag</title></item></rss>
      """)
    #expect(read.posts.map(\.text) == ["Hello you", "Use <b>bold</b> here", ""])
    #expect(read.posts[2].title == "History of the <blink> tag")
  }

  @Test func `Feeds of a page are links of the page, in any of their forms`() {
    let page = """
      <!doctype html><meta charset=utf-8><title>Notes</title>
      <SCRIPT>var x = '<link rel=alternate type=application/rss+xml href=/script>' </script >
      <template><link rel=feed href=/template></template>
      <link rel=alternate type="application/rss+xml; charset=utf-8" href=/one>
      <link rel=feed href=/two><link rel="alternate" type="text/xml" href="/three">
      """
    #expect(
      FeedPage.feeds(namedBy: answer(page), at: "https://a.example/")
        == ["https://a.example/one", "https://a.example/two", "https://a.example/three"])
    #expect(FeedPage.feeds(namedBy: answer("<?xml version='1.0'?><feed/>"), at: "") == nil)
  }

  @Test func `A web page names its feeds`() throws {
    let page = """
      <!DOCTYPE html><html><head><link rel=stylesheet href=a.css><meta charset=utf-8>
      <LINK REL="Alternate" TYPE="application/rss+xml" HREF="/blog/feed.xml?a=1&amp;b=2">
      <link rel="alternate" type="application/json" href="/api">
      <link rel="alternate" hreflang="de" href="/de/"></head><body>x<br>y</body></html>
      """
    let address = "https://a.example/blog/"
    let asked = try Feed().asking("swift", at: address)
    #expect(
      FeedPage.feeds(namedBy: answer(page), at: address)
        == ["https://a.example/blog/feed.xml?a=1&b=2"])
    let failure = try Feed().failure(of: answer(page), to: asked)
    #expect(failure.message == "this is a web page, not a feed")
    #expect(
      failure.advice == "use the address of its feed: https://a.example/blog/feed.xml?a=1&b=2")
    let other = answer("<html><body>nothing</body></html>")
    #expect(FeedPage.feeds(namedBy: other, at: address) == [])
    #expect(FeedPage.feeds(namedBy: answer("<rss/>"), at: address) == nil)
    #expect(try Feed().failure(of: other, to: asked).message.contains("is not a feed"))
  }
}
