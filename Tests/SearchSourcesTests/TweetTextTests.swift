import QueuedHTTP
import Testing
import TextFormats

@testable import SearchSources

struct TweetTextTests {
  private func plain(
    _ text: String, _ links: [(start: Int?, short: String, expanded: String)]
  ) throws -> String? {
    let body = JSONValue.members([
      "text": .string(text), "shorts": .array(links.map { .string($0.short) }),
      "expansions": .array(links.map { .string($0.expanded) }),
    ])
    return try HTTPBody(body.bytes).withUnsafeBytes { bytes in
      try JSON.read(padded: bytes) { root in
        guard var text = root["text"].flatMap(TweetText.init) else { return nil }
        let nodes = zip(root.list("shorts"), root.list("expansions"))
        for (link, (short, expanded)) in zip(links, nodes) {
          text.expand(short, at: link.start, to: expanded)
        }
        return text.plain
      }
    }
  }

  private func link(
    _ start: Int?, _ short: String, _ expanded: String
  ) -> (start: Int?, short: String, expanded: String) {
    (start, short, expanded)
  }

  @Test func `Offsets count code points of the escaped text`() throws {
    let text = "👩‍👩‍👦 &amp; é https://t.co/1234567890 https://t.co/abcdefghij"
    let links = [
      link(14, "https://t.co/1234567890", "https://one.example"),
      link(38, "https://t.co/abcdefghij", "https://two.example"),
    ]
    let expected = "👩‍👩‍👦 & é https://one.example https://two.example"
    #expect(try plain(text, links) == expected)
    #expect(try plain(text, links.reversed()) == expected)
  }

  @Test func `A link that is not at its offset is searched for`() throws {
    let wrong = [
      link(0, "https://t.co/b", "B"), link(-5, "https://t.co/a", "A"), link(nil, "zz", "Z"),
    ]
    #expect(
      try plain("x https://t.co/ab https://t.co/a https://t.co/b", wrong) == "x https://t.co/ab A B"
    )
    #expect(try plain("", wrong) == "")
    #expect(try plain("x", [link(Int.max, "", "E"), link(1, "long", "L")]) == "x")
  }

  @Test func `Only the first of very many links are expanded`() throws {
    let text = String(repeating: "a ", count: 1000)
    let links = Array(repeating: link(nil, "a", "b"), count: 1000)
    let plain = try #require(try plain(text, links))
    // The places that were looked at: each link passes those before it.
    let expanded = plain.filter { $0 == "b" }.count
    #expect(expanded > 10 && expanded <= 250)
    let stated = (0..<1000).map { link($0 * 2, "a", "b") }
    #expect(try self.plain(text, stated)?.filter { $0 == "b" }.count == 250)
  }

  @Test func `Four pictures share one short address`() throws {
    let four = Array(repeating: link(2, "https://t.co/a", "https://p.example"), count: 4)
    #expect(try plain("x https://t.co/a", four) == "x https://p.example")
  }
}
