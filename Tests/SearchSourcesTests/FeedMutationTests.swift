import Foundation
import QueuedHTTP
import SearchModel
import TestSupport
import Testing

@testable import SearchSources

/// Feeds changed at random: none may crash, and none may take more than it is given.
@Suite struct FeedMutationTests {
  private static let samples = [
    #"""
    <?xml version="1.0" encoding="iso-8859-1"?><!DOCTYPE rss [<!ENTITY a "b"><!ENTITY c "&a;&a;">]>
    <rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel><title>F &eacute; &a;</title>
    <item><title><![CDATA[a]]></title><link>https://f.example/1</link><guid isPermaLink="false">x</guid><pubDate>Fri, 20 Nov 26 04:00:00 EST</pubDate><content:encoded>&lt;p&gt;é&lt;/p&gt;</content:encoded></item></channel></rss>
    """#,
    #"""
    <feed xmlns="http://www.w3.org/2005/Atom" xml:base="https://f.example/"><entry><id>1</id><title type="html">a</title><link href="1"/><content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">a<br/>b</div></content><title mode="base64">YQ==</title><updated>2026-11-20T10:00:00Z</updated></entry></feed>
    """#,
    #"""
    {"version":"https://jsonfeed.org/version/1.1","items":[{"id":"1","content_html":"<p>a","date_published":"2026-11-20T09:00:00Z","tags":["c"],"authors":[{"name":"n"}]}]}
    """#,
  ].map { Array($0.utf8) }

  private static let pieces: [[UInt8]] =
    [
      "<", ">", "</", "/>", "<item>", "</item>", "<entry>", "&", ";", "&#", "&#x", "&lt;", "&a;",
      "<![CDATA[", "]]>", "<!--", "-->", "<?", "?>", "<!DOCTYPE", "[", "]", "\"", "'", "=",
      "xmlns=",
      " xml:base='", "encoding=", "utf-16", "gb2312", "<br>", "{", "}", ",", "\\u", "<a b=c d='",
    ].map { Array($0.utf8) } + [
      [0], [0x1F], [0xFF], [0xFE, 0xFF], [0xC3], [0xC2, 0x85], [0xED, 0xA0, 0x80],
      [0xEF, 0xBF, 0xBF], [0xEF, 0xBB, 0xBF],
    ]

  private static func mutant(
    of sample: [UInt8], _ generator: inout SeededRandom
  ) -> [UInt8] {
    var bytes = sample
    for _ in 0..<Int.random(in: 1...6, using: &generator) {
      let start = Int.random(in: 0...bytes.count, using: &generator)
      let length = Int.random(
        in: 0...(Int.random(in: 0...4, using: &generator) == 0 ? 200 : 4), using: &generator)
      let end = min(bytes.count, start + length)
      var piece = pieces.randomElement(using: &generator) ?? []
      if Int.random(in: 0...9, using: &generator) == 0 {
        piece = Array(repeatElement(piece, count: 300).joined())
      }
      bytes.replaceSubrange(start..<end, with: piece)
    }
    return bytes
  }

  private static func read(_ bytes: [UInt8]) throws -> Page? {
    let charset = bytes.count % 7 == 0 ? "text/xml; charset=shift_jis" : "text/xml"
    let response = HTTPResponse(
      status: 200, headers: ["Content-Type": charset], body: HTTPBody(bytes))
    let page = try Feed().asking("a", at: "https://f.example/feed?q={query}")
    do throws(SourceFault) { return try Feed().page(from: response, to: page) } catch { return nil }
  }

  @Test func `A randomly changed feed is read or rejected`() throws {
    var generator = SeededRandom(seed: 3)
    for round in 0..<3_000 {
      let bytes = Self.mutant(of: Self.samples[round % Self.samples.count], &generator)
      guard let page = try Self.read(bytes) else { continue }
      let size = page.posts.reduce(0) { $0 + $1.text.utf8.count + ($1.title?.utf8.count ?? 0) }
      #expect(size <= bytes.count * 8 + 4096)
    }
  }

  @Test(arguments: Recorded.all)
  func `Randomly changed recorded feeds are read or rejected`(recorded: Recorded) throws {
    var generator = SeededRandom(seed: 4)
    for path in recorded.files("feeds") {
      let bytes = try recorded.answer("feeds/\(path)").body.withUnsafeBytes { Array($0) }
      for _ in 0..<(bytes.count < 8192 ? 8 : 2) {
        _ = try Self.read(Self.mutant(of: bytes, &generator))
      }
    }
  }

  @Test(arguments: [
    "<a>", "<rss><item>", "<item><title>", "&", "<", "<a b='", "<!--", "<![CDATA[", "<!DOCTYPE a [",
    "<rss xmlns:a='b'>", "&#60;", "]]>", "</a>", "<x a=b/>", "<entry><author><name>",
  ])
  func `Endless repetition costs no more than its size`(piece: String) throws {
    let body = "<rss><channel>" + String(repeating: piece, count: (1 << 19) / piece.utf8.count)
    let page = try #require(try Self.read(Array(body.utf8)))
    #expect(page.posts.count <= FeedDocument.entryLimit)
  }

  @Test func `Links and files without end are cut`() throws {
    let links = (0..<40_000).map { "&lt;a href='https://a.example/\($0)'>" }.joined()
    let files = (0..<40_000).map { "<media:content url='https://a.example/\($0)'/>" }.joined()
    let body = "<rss><item><title>a</title><description>\(links)</description>\(files)</item></rss>"
    let page = try #require(try Self.read(Array(body.utf8)))
    #expect(page.posts.first?.links.count == 1000 && page.posts.first?.media.count == 1000)
  }
}
