import FoundationEssentials
import SearchModel
import Synchronization
import Testing
import TextFormats

@testable import TagStorage

@Suite struct TagListTests {
  private func list(_ text: String) throws -> TagList { try TagList(reading: Array(text.utf8)) }
  private func text(_ list: TagList) -> String {
    String(decoding: list.json.fileBytes, as: UTF8.self)
  }
  private func query(_ text: String) throws -> Query { try #require(Query(text)) }

  @Test func `All settings are read`() throws {
    let list = try list(
      """
      {"version": 1, "tags": [
        {"query": "#swiftlang", "sources": ["mastodon", "bluesky"], "priority": "high", "limit": 40,
         "added": "2026-11-21T09:00:00Z"},
        {"query": "libcurl", "sources": [], "limit": null, "added": "2026-11-21T10:30:00.250+01:00"},
        "plain"
      ]}
      """)
    #expect(list.tags.map(\.query.text) == ["#swiftlang", "libcurl", "plain"])
    #expect(list.tags[0].sources == ["mastodon", "bluesky"])
    #expect(list.tags[0].priority == .high)
    #expect(list.tags[0].limit == 40)
    #expect(list.tags[0].added == Date(timeIntervalSince1970: 1_795_251_600))
    #expect(list.tags[1].sources == nil)
    #expect(list.tags[1].limit == nil)
    #expect(list.tags[1].added == Date(timeIntervalSince1970: 1_795_253_400.25))
  }

  @Test func `Unknown keys, order and spelling survive a change`() throws {
    let text = """
      {
        "$schema": "https://example.org/tags.json",
        "tags": [
          { "note": { "by": ["é", 1.50] }, "limit": 40, "query": "a", "added": "2026-11-21T10:00:00+01:00" },
          "b",
          { "query": "c", "weight": 1e3, "id": 123456789012345678901234567890 }
        ],
        "version": 1,
        "owner": null
      }

      """
    var list = try list(text)
    #expect(self.text(list).split(separator: "\n").count == 15)
    list = try list.editing(query("a")) { $0.limit = 41 }
    list = try list.adding([SearchTag(query("d"))]).list
    list = try list.removing([query("b")]).list
    let compact = String(decoding: list.json.bytes, as: UTF8.self)
    #expect(
      compact == """
        {"$schema":"https://example.org/tags.json","tags":[{"note":{"by":["é",1.50]},"limit":41,\
        "query":"a","added":"2026-11-21T10:00:00+01:00"},\
        {"query":"c","weight":1e3,"id":123456789012345678901234567890},{"query":"d"}],\
        "version":1,"owner":null}
        """)
  }

  @Test func `A bare list stays one until a tag has settings`() throws {
    let date = Date(timeIntervalSince1970: 0)
    var list = try list(##"["swift", "#linux"]"##)
    list = try list.adding([SearchTag(query("c"), added: date)]).list
    #expect(list.json == .array([.string("swift"), .string("#linux"), .string("c")]))
    list = try list.editing(query("c")) { $0.query = Query("d") ?? $0.query }
    #expect(list.json == .array([.string("swift"), .string("#linux"), .string("d")]))
    let edited = try list.editing(query("swift")) { $0.limit = 3 }
    list = try list.adding([SearchTag(query("e"), priority: .low, added: date)]).list
    #expect(
      text(list) == """
        {
          "version": 1,
          "tags": [
            { "query": "swift" },
            { "query": "#linux" },
            { "query": "d" },
            { "query": "e", "priority": "low", "added": "1970-01-01T00:00:00Z" }
          ]
        }

        """)
    #expect(edited.json["tags"] != nil)
    #expect(edited.tags[0].limit == 3)
  }

  @Test func `A tag written as a string becomes an object when it gets settings`() throws {
    let list = try list(#"{"version": 1, "tags": ["a", "b"]}"#)
    let edited = try list.editing(query("b")) { $0.limit = 3 }
    #expect(
      edited.json.bytes == Array(#"{"version":1,"tags":["a",{"query":"b","limit":3}]}"#.utf8))
  }

  @Test func `An export always has the object form`() throws {
    #expect(
      try list(#"["a"]"#).export.bytes == Array(#"{"version":1,"tags":[{"query":"a"}]}"#.utf8))
  }

  @Test func `A change that cannot be made completely is refused completely`() throws {
    let list = try list(#"["a", "b"]"#)
    let (a, x) = (try query("a"), try query("x"))
    #expect(throws: TagChangeRefusal.present([a])) {
      try list.adding([SearchTag(x), SearchTag(a)])
    }
    #expect(throws: TagChangeRefusal.absent([x])) { try list.removing([a, x]) }
    #expect(throws: TagChangeRefusal.absent([x])) { try list.editing(x) { _ in } }
    #expect(throws: TagChangeRefusal.present([a])) {
      try list.editing(query("b")) { $0.query = a }
    }
    #expect(list.adding(missingOf: [SearchTag(x), SearchTag(a), SearchTag(x)]).added.count == 1)
    #expect(list.removing(presentOf: [x, a, a]).removed == [a])
  }

  @Test func `Every copy of a query is edited`() throws {
    let list = try list(
      #"["a", {"query": "b", "limit": 1}, {"query": "b"}, {"query": "b", "x": 2}]"#)
    let edited = try list.editing(query("b")) { $0.limit = 7 }
    #expect(edited.tags.map(\.limit) == [nil, 7, 7, 7])
    let renamed = try list.editing(query("b")) { $0.query = Query("c") ?? $0.query }
    #expect(renamed.tags.map(\.query.text) == ["a", "c", "c", "c"])
  }

  @Test func `Queries are equal if their NFC is, and case matters`() throws {
    let decomposed = try query("cafe\u{301}")
    #expect(Array(decomposed.text.utf8) == Array("caf\u{E9}".utf8))
    let list = try list("[\"cafe\u{301}\", \"Swift\"]")
    #expect(list.contains(try query("caf\u{E9}")))
    #expect(!list.contains(try query("swift")))
    #expect(list.json.bytes == Array("[\"caf\u{E9}\",\"Swift\"]".utf8))
    // Hangul, an order of marks, and a character that NFC takes apart.
    #expect(try query("\u{1112}\u{1161}\u{11AB}").text.unicodeScalars.count == 1)
    #expect(Array(try query("a\u{301}\u{323}").text.utf8) == Array("\u{1EA1}\u{301}".utf8))
    #expect(Array(try query("\u{958}").text.unicodeScalars) == ["\u{915}", "\u{93C}"])
    #expect(Array(try query("ﬁ²").text.utf8) == Array("ﬁ²".utf8))
  }

  @Test(arguments: [
    "", " \t", "\n", "\u{200B} ", "\u{FEFF}", "\u{202B} \u{200F}", "a\nb", "\u{0}", "a\u{85}b",
  ])
  func `A query cannot be empty or contain control characters`(text: String) {
    #expect(Query(text) == nil)
  }

  @Test(arguments: [
    ("{}", "line 1, column 1: expected an object with \"tags\", found one without"),
    ("7", "line 1, column 1: expected an object with \"tags\", or a list of queries, found 7"),
    ("[1]", "line 1, column 2: [0]: expected a query or an object with a query, found 1"),
    ("{\"tags\": 3}", "line 1, column 10: tags: expected a list of tags, found 3"),
    (
      "{\"version\": 2, \"tags\": []}",
      "line 1, column 13: version: expected version 1, found 2, which needs a later searchagg"
    ),
    (
      "{\"version\": \"1\", \"tags\": []}",
      "line 1, column 13: version: expected version 1, found \"1\""
    ),
    (
      "{\"tags\": [],\n \"tags\": []}",
      "line 2, column 10: tags: duplicate key"
    ),
    (
      "{\"tags\": [\n  {\"query\": \"a\"},\n  {\"query\": \"é\", \"limit\": 0}\n]}",
      "line 3, column 27: tags[1].limit: expected a whole number from 1 to 10000000, found 0"
    ),
    (
      "[{\"query\": \"a\", \"limit\": 1.5}]",
      "line 1, column 26: [0].limit: expected a whole number from 1 to 10000000, found 1.5"
    ),
    (
      "[{\"query\": \"a\", \"priority\": \"urgent\"}]",
      "line 1, column 29: [0].priority: expected one of low, normal, high, found \"urgent\""
    ),
    (
      "[{\"query\": \"a\", \"sources\": \"mastodon\"}]",
      "line 1, column 28: [0].sources: expected a list of sources, such as [\"mastodon\"], found \"mastodon\""
    ),
    (
      "[{\"query\": \"a\", \"sources\": [\"x\", {}]}]",
      "line 1, column 34: [0].sources[1]: expected the name of a source, found an object"
    ),
    (
      "[{\"query\": \"a\", \"added\": \"yesterday\"}]",
      "line 1, column 26: [0].added: expected a date such as \"2026-11-21T09:00:00Z\", found \"yesterday\""
    ),
    ("[{}]", "line 1, column 2: [0]: expected an object with a \"query\", found one without"),
    (
      "[\"a\\u0007\"]",
      "line 1, column 2: [0]: expected a non-empty query without control characters, found \"a\\u0007\""
    ),
    ("[\"a\",", "line 1, column 6: expected a value, found the end"),
    ("", "line 1, column 1: expected a value, found the end"),
  ])
  func `Values of the wrong shape are reported with their position`(text: String, message: String) {
    do throws(DocumentError) {
      _ = try TagList(reading: Array(text.utf8))
      Issue.record("it was read")
    } catch {
      #expect(error.description == message)
    }
  }

  @Test func `An import is JSON or one query a line`() throws {
    let lines = "\u{FEFF}swift\r\n\n  two words \t\n#last"
    let tags = try TagImport(reading: Array(lines.utf8)).tags
    #expect(tags.map(\.query.text) == ["swift", "two words", "#last"])
    let json = "\u{FEFF} [\"a\", {\"query\": \"b\", \"limit\": 2, \"x\": 1}]"
    let objects = try TagImport(reading: Array(json.utf8)).tags.map(\.object)
    #expect(objects[0].bytes == Array(#"{"query":"a"}"#.utf8))
    #expect(objects[1].bytes == Array(#"{"query":"b","limit":2,"x":1}"#.utf8))
    #expect(throws: DocumentError.self) { try TagImport(reading: Array("a\nb\tc".utf8)) }
    #expect(throws: DocumentError.self) { try TagImport(reading: [0x61, 0x0A, 0xFF]) }
    #expect(try TagImport(reading: []).tags.isEmpty)
  }

  /// A list of which a part is kept as text, with settings, unknown keys and strings in between.
  private func longText(_ count: Int) -> String {
    let entries = (0..<count).map { number in
      switch number % 4 {
      case 0: #"{"weight": 1.50, "query": "q\#(number)", "limit": \#(number + 1)}"#
      case 1: "\"é\(number)\""
      case 2:
        ##"{"query":"#t\##(number)","sources":["mastodon"],"added":"2026-11-21T10:00:00+01:00"}"##
      default: ##"{"query": "\u0065\u0301\##(number)"}"##
      }
    }
    let tags = entries.joined(separator: ",\n")
    return #"{"owner": [1, {"x": 2e3}], "tags": [\#(tags)], "version": 1}"#
  }

  private func written(_ list: TagList) -> [UInt8] {
    let pieces = Mutex<[[UInt8]]>([])
    list.writeFile { bytes in pieces.withLock { $0.append(bytes) } }
    return pieces.withLock { $0.flatMap(\.self) }
  }

  @Test func `A long list is read, changed and written like a short one`() throws {
    let count = TagList.mostInMemory + 4003
    let text = longText(count)
    var list = try list(text)
    let whole = try JSONValue(reading: Array(text.utf8))
    #expect(list.tags.count == count)
    #expect(list.json["owner"] == whole["owner"])
    #expect(list.tags[count - 3].query.text == "q\(count - 3)")
    #expect(list.tags[count - 3].limit == count - 2)
    #expect(list.tags[count - 1].sources == ["mastodon"])
    #expect(list.tags[count - 4].query.text == "\u{E9}\(count - 4)")
    #expect(list.unknownKeys.count == (count + 3) / 4 + 1)
    #expect(try self.list(text) == list)
    #expect(written(list) == list.json.fileBytes)
    // All but the composed queries are written as they were read.
    #expect(try self.list(String(decoding: written(list), as: UTF8.self)) == list)

    #expect(throws: TagChangeRefusal.present([try query("é\(count - 2)")])) {
      try list.adding([SearchTag(query("new")), SearchTag(query("é\(count - 2)"))])
    }
    let before = list
    list = try list.editing(query("q\(count - 3)")) { $0.limit = 7 }
    #expect(list != before)
    #expect(
      String(decoding: list.tags[count - 3].object.bytes, as: UTF8.self)
        == #"{"weight":1.50,"query":"q\#(count - 3)","limit":7}"#)
    list = try list.removing([query("#t\(count - 1)")]).list
    #expect(list.tags.count == count - 1)
    #expect(written(list) == list.json.fileBytes)
  }

  @Test(arguments: [1, 30_000])
  func `A fault far down a list is reported with its position, after those of the document`(
    _ place: Int
  ) throws {
    func fault(_ text: String) -> String? {
      do throws(DocumentError) {
        _ = try TagList(reading: Array(text.utf8))
        return nil
      } catch {
        return "\(error)"
      }
    }
    let entries = Array(repeating: #""a""#, count: place) + [#"{"query": 3}"#]
    let tags = entries.joined(separator: "\n,")
    #expect(
      fault("{\"tags\": [\(tags)], \"version\": 1}")
        == "line \(place + 1), column 12: tags[\(place)].query: expected a query, found 3")
    for (text, part) in [
      ("{\"tags\": [\(tags)], \"version\": 0}", "expected version 1"),
      ("{\"tags\": [\(tags)], \"version\": 1", "expected a comma or }"),
      ("[\(tags)]", ": [\(place)].query: expected a query"),
    ] {
      #expect(fault(text)?.contains(part) == true)
    }
  }

  @Test func `The first of several faults is reported`() {
    let error = #expect(throws: DocumentError.self) {
      try TagList(reading: Array(#"["a", {"query": 3}, "b", {"query": 4}, 5]"#.utf8))
    }
    #expect("\(error, default: "none")".contains("[1].query: expected a query, found 3"))
  }
}
