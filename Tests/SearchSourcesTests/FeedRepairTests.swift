import QueuedHTTP
import SearchModel
import Testing

@testable import SearchSources

/// Feeds whose elements lack their end tags.
@Suite struct FeedRepairTests {
  private static func read(_ body: String) throws -> FeedDocument {
    try FeedAnswer.read(answer(body), to: Feed().asking("x", at: "https://f.example/feed"))
  }

  private static let items =
    "<item><title>one</title><link>https://f.example/1</link></item>"
    + "<item><title>two</title><link>https://f.example/2</link></item>"

  @Test(arguments: [
    "<category>Tech", "<image><url>https://f.example/i.png</url>", "<image>", "<title>c", "<link>x",
    "<link>https://f.example/", "<author>amy", "<managingEditor>amy", "<description>a <b>b",
    "<unknown>", "<x:unknown><x:more>", "<itunes:owner><itunes:name>Amy", "<media:group>",
    "<textInput><title>s", "<atom:link href='https://f.example/feed' rel='self'>", "<skipHours>",
    "<ttl>60<language>en", "<items><entries>",
  ])
  func `An unclosed element of a feed hides no items`(unclosed: String) throws {
    for body in [
      "<rss version='2.0'><channel><title>c</title>\(unclosed)\(Self.items)</channel></rss>",
      "<rss version='2.0'>\(unclosed)<channel><title>c</title>\(Self.items)</channel></rss>",
      "<?xml version='1.0'?><rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' "
        + "xmlns='http://purl.org/rss/1.0/'><channel>\(unclosed)</channel>\(Self.items)</rdf:RDF>",
    ] {
      let feed = try Self.read(body)
      #expect(feed.entries.map(\.title) == ["one", "two"], "\(body)")
      #expect(feed.entries.map(\.link) == ["https://f.example/1", "https://f.example/2"])
      #expect(!feed.isCut && feed.brokenEntries == 0)
    }
  }

  @Test(arguments: [
    "<items>%</items>", "<a><b>%</b></a>", "<x:list xmlns:x='urn:x'>%</x:list>", "<image>%</image>",
    "<list xmlns='urn:x'>%</list>",
  ])
  func `Items are found in any element around them`(wrapper: String) throws {
    let wrapped = wrapper.replacing("%", with: Self.items)
    let feed = try Self.read("<rss><channel><title>c</title>\(wrapped)</channel></rss>")
    #expect(feed.entries.map(\.title) == ["one", "two"] && feed.title == "c")
  }

  @Test func `An unclosed item ends where the next one begins`() throws {
    let feed = try Self.read(
      "<rss><channel><item><title>one</title><item><title>two<link>https://f.example/2"
        + "<category>a<category>b</category><description>x <b>y<item><guid>3</guid></channel></rss>"
    )
    #expect(feed.entries.map(\.title) == ["one", "two", nil])
    #expect(feed.entries[1].link == "https://f.example/2" && feed.entries[1].text == "x y")
    #expect(feed.entries[1].categories == ["a", "b"] && feed.entries[2].id == "3")
  }

  @Test func `An entry inside an entry's content stays there`() throws {
    let feed = try Self.read(
      "<feed xmlns='http://www.w3.org/2005/Atom'><entry><id>1</id><content type='application/xml'>"
        + "<list xmlns='urn:x'><item>x</item></list></content><title>one</title></entry></feed>")
    #expect(feed.entries.map(\.title) == ["one"])
  }

  // MARK: - Any end tag

  private static let rss = """
    <?xml version="1.0"?><rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/" \
    xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:media="http://search.yahoo.com/mrss/">
    <channel><title>F</title><link>https://f.example/</link><description>d</description><language>en</language>
    <image><url>https://f.example/i.png</url><title>F</title><link>https://f.example/</link></image>
    <managingEditor>ed@f.example</managingEditor><category>a</category>
    %</channel></rss>
    """
  private static let rssItem = """
    <item><title>T %</title><link>https://f.example/%</link><guid isPermaLink="false">g%</guid>
    <pubDate>Fri, 20 Nov 2026 04:00:0% GMT</pubDate><dc:creator>Amy %</dc:creator><category>c</category>
    <category>d</category><description>short &lt;b&gt;%&lt;/b&gt;</description>
    <content:encoded><![CDATA[<p>long</p> %]]></content:encoded><comments>https://f.example/%#c</comments>
    <media:group><media:content url="https://f.example/%.png"><media:title>m</media:title></media:content></media:group>
    <source url="https://o.example/">O</source></item>
    """
  private static let rdf = """
    <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/" \
    xmlns:dc="http://purl.org/dc/elements/1.1/"><channel rdf:about="https://f.example/"><title>F</title>
    <items><rdf:Seq><rdf:li resource="https://f.example/1"></rdf:li></rdf:Seq></items></channel>
    <image><title>i</title></image>%</rdf:RDF>
    """
  private static let rdfItem = """
    <item rdf:about="https://f.example/%"><title>T %</title><link>https://f.example/%</link>
    <dc:date>2026-11-20T04:00:0%Z</dc:date><description>d %</description></item>
    """
  private static let atom = """
    <feed xmlns="http://www.w3.org/2005/Atom"><title type="html">F</title><author><name>Feed</name>\
    <uri>https://f.example/</uri></author><updated>2026-11-20T09:00:00Z</updated>
    <link href="https://f.example/"></link><rights>r</rights>%</feed>
    """
  private static let atomEntry = """
    <entry xml:lang="en"><id>tag:f.example,%</id><title type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">T <b>%</b></div></title>
    <link href="https://f.example/%"></link><published>2026-11-20T04:00:0%Z</published>
    <content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>One <a href="%">x</a></p><p>two</p></div></content>
    <source><id>s</id><title>S</title><author><name>Source</name></author></source><category term="c"></category></entry>
    """

  @Test(arguments: [(rss, rssItem), (rdf, rdfItem), (atom, atomEntry)])
  func `Without any one of its end tags a feed loses at most the item around it`(
    frame: String, item: String
  ) throws {
    let items = (1...4).map { item.replacing("%", with: "\($0)") }
    let body = frame.replacing("%", with: items.joined(separator: "\n"))
    let whole = try Self.read(body).entries
    #expect(whole.count == 4)
    var tags = 0
    var rest = body[...]
    while let start = rest.firstRange(of: "</")?.lowerBound,
      let end = body[start...].firstIndex(of: ">")
    {
      rest = body[body.index(after: end)...]
      tags += 1
      var spoiled = body
      spoiled.removeSubrange(start...end)
      // The number of the item that the tag is in.
      let begun = body[..<start].ranges(of: item.prefix(5)).count
      let ended = body[..<start].ranges(of: "</\(item.dropFirst().prefix(4))").count
      let read = try Self.read(spoiled).entries
      for (index, entry) in whole.enumerated() where index != begun - 1 || begun == ended {
        #expect(
          read.contains(entry), "\(body[start...end]) in item \(begun) hides item \(index + 1)")
      }
      #expect(read.count == 4, "\(body[start...end]) in item \(begun)")
    }
    #expect(tags > 25)
  }

  @Test(arguments: Recorded.all)
  func `A recorded feed without one of its end tags loses at most one entry`(recorded: Recorded)
    throws
  {
    var feeds = 0
    for path in recorded.files("feeds") where path.hasSuffix(".xml") || path.hasSuffix(".rss") {
      let body = try recorded.answer("feeds/\(path)").body.text
      guard body.utf8.count < 8192, !body.contains("<![CDATA["), !body.contains("<!--"),
        let whole = try? Self.read(body), whole.entries.count >= 2, !whole.isCut
      else { continue }
      feeds += 1
      let tags = body.ranges(of: "</")
      for tag in tags.enumerated() where tag.offset % (1 + tags.count / 8) == 0 {
        guard let end = body[tag.element.lowerBound...].firstIndex(of: ">") else { continue }
        var spoiled = body
        spoiled.removeSubrange(tag.element.lowerBound...end)
        let read = try Self.read(spoiled)
        let lost = whole.entries.filter { !read.entries.contains($0) }
        #expect(lost.count <= 1, "\(path): \(body[tag.element.lowerBound...end])")
        #expect(read.entries.count + 1 >= whole.entries.count, "\(path)")
      }
    }
    #expect(feeds > 0)
  }
}
