import Foundation
import Printing
import SearchModel
import Testing
import TextFormats

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// Every format for programs says the same: what one reader finds, every other finds, too.
@Suite struct SameFactsTests {
  /// What all formats say about a post.
  private struct Fact: Hashable {
    var source: String
    var handle: String
    var text: String
    var createdAt: String
    var tags: [String]
  }

  /// What all formats say about a search that was not completed.
  private struct Missing: Hashable {
    var tag: String
    var source: String
    var outcome: String
  }

  private typealias Facts = (posts: [Fact], missing: [Missing])

  /// Texts in which formats must not trip over their own signs.
  private func posts() throws -> [Post] {
    let texts = [
      "plain", "two\nlines", "quo\"te, comma; 'single'", "back\\slash \\n not a break",
      "<b>&amp;</b>",
      "=1+1", "-1", "@ada", "'quoted", "日本 👩‍👩‍👧‍👦 e\u{301}", "{\"json\": [1]}", "]]>", "", "a\u{2028}b",
    ]
    return try texts.enumerated().map { index, text in
      var post = try Samples.bare(
        "\(index)", source: index % 2 == 0 ? "mastodon" : "x",
        // A line separator of Unicode is a line break in every format that strips control codes.
        text: text.replacing("\u{2028}", with: "\n"),
        url: index == 3 ? nil : "https://example.org/\(index)?a=1&b=2",
        author: index == 4 ? Author() : Author(handle: "author\(index)", name: "Name, \(index)"))
      post.createdAt = index == 13 ? nil : Samples.now.addingTimeInterval(Double(-index) * 3600)
      post.tags = index == 5 ? ["#a", "b, \"c\""] : ["#a"]
      return post
    }
  }

  private func facts() throws -> Facts {
    let posts = try posts().map { post in
      Fact(
        source: post.source.rawValue, handle: post.author.handle, text: post.text,
        createdAt: post.createdAt.map { RFC3339.format($0) } ?? "", tags: post.tags)
    }
    let missing = [
      Missing(tag: "#a", source: "reddit", outcome: "skipped"),
      Missing(tag: "#b", source: "mastodon", outcome: "partial"),
      Missing(tag: "#c", source: "github", outcome: "rate_limited"),
      Missing(tag: "#d", source: "bluesky", outcome: "failed"),
      Missing(tag: "#e", source: "lemmy", outcome: "cancelled"),
    ]
    return (posts, missing)
  }

  private func written(_ format: OutputFormat) throws -> String {
    var outcomes = try Samples.outcomes()
    for index in outcomes.indices where outcomes[index].tag.hasPrefix("#d") {
      outcomes[index].tag = "#d"
    }
    return Samples.written(
      by: format.printer(style: TextStyle(now: Samples.now)), try posts(), outcomes: outcomes,
      isIncomplete: true)
  }

  private func expect(_ found: Facts) throws {
    let expected = try facts()
    #expect(found.posts == expected.posts)
    #expect(found.missing == expected.missing)
  }

  private func object(_ text: some StringProtocol) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  private func fact(_ post: [String: Any]) -> Fact {
    Fact(
      source: post["source"] as? String ?? "?",
      handle: (post["author"] as? [String: Any])?["handle"] as? String ?? "",
      text: post["text"] as? String ?? "?", createdAt: post["created_at"] as? String ?? "",
      tags: post["tags"] as? [String] ?? [])
  }

  private func missing(_ outcomes: Any?) -> [Missing] {
    (outcomes as? [[String: Any]] ?? []).map {
      Missing(
        tag: $0["tag"] as? String ?? "?", source: $0["source"] as? String ?? "?",
        outcome: $0["outcome"] as? String ?? "?")
    }
    .filter { $0.outcome != "completed" }
  }

  @Test func `json reads back`() throws {
    let read = try object(try written(.json))
    let posts = try #require(read["posts"] as? [[String: Any]])
    #expect(read["incomplete"] as? Bool == true)
    try expect((posts.map(fact), missing(read["outcomes"])))
  }

  @Test func `ndjson reads back`() throws {
    let lines = try written(.ndjson).split(separator: "\n").map(object)
    let last = try #require(lines.last)
    #expect(last["incomplete"] as? Bool == true)
    try expect((lines.dropLast().map(fact), missing(last["outcomes"])))
  }

  @Test func `jsonfeed reads back`() throws {
    let read = try object(try written(.jsonfeed))
    let closing = try #require(read["_searchagg"] as? [String: Any])
    let items = try #require(read["items"] as? [[String: Any]])
    #expect(closing["incomplete"] as? Bool == true)
    #expect(Set(items.compactMap { $0["id"] as? String }).count == items.count)
    let posts = items.map { item in
      var post = item["_searchagg"] as? [String: Any] ?? [:]
      post["text"] = item["content_text"]
      post["created_at"] = item["date_published"]
      post["tags"] = item["tags"]
      return fact(post)
    }
    try expect((posts, missing(closing["outcomes"])))
  }

  @Test(arguments: [OutputFormat.csv, .tsv])
  func `A table reads back`(format: OutputFormat) throws {
    let text = try written(format)
    let rows =
      format == .csv ? TableReader.rows(ofCSV: text) : TableReader.rows(ofTSV: text)
    let header = try #require(rows.first)
    let records = rows.dropFirst().map { row in
      Dictionary(uniqueKeysWithValues: zip(header, row.map(TableReader.unmarked)))
    }
    let posts = records.filter { $0["record"] == "post" }.map { record in
      Fact(
        source: record["source"] ?? "?", handle: record["handle"] ?? "?",
        text: record["text"] ?? "?", createdAt: record["created_at"] ?? "?",
        tags: record["tags"]?.split(separator: "\n").map(String.init) ?? [])
    }
    let missing = records.filter { $0["record"] == "outcome" }.map { record in
      Missing(
        tag: record["tags"] ?? "?", source: record["source"] ?? "?",
        outcome: record["outcome"] ?? "?")
    }
    try expect((posts, missing))
  }

  @Test func `plain reads back`() throws {
    let rows = TableReader.rows(ofTSV: try written(.plain))
    let facts = try facts()
    let posts = rows.prefix(facts.posts.count).map { row in
      Fact(
        source: row[1], handle: row[2], text: row[5],
        createdAt: row[0] == "undated" ? "" : row[0], tags: [row[3]])
    }
    var expected = facts
    for index in expected.posts.indices {
      expected.posts[index].tags = [expected.posts[index].tags.joined(separator: ", ")]
    }
    #expect(posts == expected.posts)
    #expect(
      rows.dropFirst(facts.posts.count).map { Missing(tag: $0[3], source: $0[1], outcome: $0[0]) }
        == expected.missing)
  }

  @Test func `atom reads back`() throws {
    let bytes = Array(try written(.atom).utf8)
    let reader = AtomReader()
    let parser = XMLParser(data: Data(bytes))
    parser.delegate = reader
    #expect(parser.parse(), "\(String(describing: parser.parserError))")
    let posts = reader.entries.map { entry in
      Fact(
        source: entry.texts["searchagg:source"] ?? "?",
        handle: entry.texts["searchagg:handle"] ?? "", text: entry.texts["content"] ?? "",
        createdAt: entry.texts["published"] ?? "", tags: entry.tags)
    }
    let missing = reader.outcomes.map {
      Missing(tag: $0["tag"] ?? "?", source: $0["source"] ?? "?", outcome: $0["outcome"] ?? "?")
    }
    try expect((posts, missing.filter { $0.outcome != "completed" }))
    #expect(reader.entries.allSatisfy { $0.texts["id"]?.hasPrefix("urn:uuid:") == true })
  }
}

/// The entries and outcomes of an Atom feed.
private final class AtomReader: NSObject, XMLParserDelegate {
  struct Entry {
    var texts: [String: String] = [:]
    var tags: [String] = []
  }

  private(set) var entries: [Entry] = []
  private(set) var outcomes: [[String: String]] = []
  private var text = ""

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
    qualifiedName: String?, attributes: [String: String]
  ) {
    text = ""
    switch name {
    case "entry": entries.append(Entry())
    case "searchagg:outcome": outcomes.append(attributes)
    case "category": entries[entries.count - 1].tags.append(attributes["term"] ?? "?")
    default: break
    }
  }

  func parser(_ parser: XMLParser, foundCharacters string: String) { text += string }

  func parser(
    _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
  ) {
    if !entries.isEmpty { entries[entries.count - 1].texts[name] = text }
    text = ""
  }
}
