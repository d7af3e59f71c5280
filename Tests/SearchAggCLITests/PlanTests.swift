import TestSupport
import Testing
import TextFormats

@Suite struct PlanTests {
  @Test
  func
    `A tag that is stored twice is asked as both entries say, and as the higher where they meet`()
    async throws
  {
    let world = try TestWorld()
    try world.folder.write(
      #"""
      {"tags": [
        {"query": "swift", "sources": ["hackernews", "github"], "priority": "low", "limit": 29},
        {"query": "other", "sources": ["lemmy"]},
        {"query": " swift ", "sources": ["github", "lemmy"], "priority": "high", "limit": 25}
      ]}
      """#, to: "tags.json")
    let outcome = await world.run("run", "--dry-run", "--format", "text")
    let headings = outcome.output.split(separator: "\n").filter { $0.hasPrefix("# ") }
    #expect(
      headings == [
        "# hackernews (https://hn.algolia.com): swift", "# github (https://api.github.com): swift",
        "# lemmy (https://lemmy.world): swift", "# lemmy (https://lemmy.world): other",
      ])
    let pages = outcome.output.split(separator: "\n").filter { $0.hasPrefix("GET ") }
    #expect(pages[0].contains("hitsPerPage=29"))
    #expect(pages[1].contains("per_page=29"))
    #expect(pages[2].contains("limit=25"))
  }

  @Test func `The plan of a dry run that is written in pieces is whole`() async throws {
    let world = try TestWorld()
    let queries = (0..<5000).map { "tag\($0)" }
    let list = queries.map { "\"\($0)\"" }.joined(separator: ",")
    try world.folder.write(#"{"tags": [\#(list)]}"#, to: "tags.json")
    func count(_ outcome: TestWorld.Outcome) throws -> Int? {
      let value = try JSONValue(reading: Array(outcome.output.utf8))
      return if case .array(let elements) = value { elements.count } else { nil }
    }
    let text = await world.run("run", "--dry-run", "--source", "lobsters")
    let headings = queries.map { "# lobsters (https://lobste.rs): \($0)" }
    let blocks = text.output.split(separator: "\n\n")
    #expect(blocks.map { $0.prefix { $0 != "\n" } } == headings.map { $0[...] })
    let json = await world.run("run", "--dry-run", "--source", "lobsters", "--format", "ndjson")
    #expect(json.output.split(separator: "\n").count == 5000)
    let array = await world.run("run", "--dry-run", "--source", "lobsters", "--format", "json")
    #expect(try count(array) == 5000)
    let empty = await world.run("run", "a", "--dry-run", "--source", "x", "--format", "json")
    #expect(try count(empty) == 1)
    // Formats that only posts have fall back to text.
    let table = await world.run("run", "--dry-run", "--source", "lobsters", "--format", "csv")
    #expect(table.output == text.output)
  }

  @Test(arguments: ["text", "ndjson"])
  func `A long dry run is its parts, one after the other`(format: String) async throws {
    let world = try TestWorld()
    let queries = (0..<1700).map { ["#tag\($0)", "two words\($0)", "\"a phrase\" -\($0)"][$0 % 3] }
    func plan(_ queries: some Sequence<String>) async -> String {
      await world.run(
        ["run", "--dry-run", "--source", "lobsters,mastodon,x", "--format", format] + queries
      ).output
    }
    // Of 240 searches each, which one core makes at once.
    var parts: [String] = []
    for first in stride(from: 0, to: queries.count, by: 80) {
      parts.append(await plan(queries[first..<min(first + 80, queries.count)]))
    }
    #expect(await plan(queries) == parts.joined(separator: format == "text" ? "\n" : ""))
  }

  @Test func `An entry without sources joins those that name some`() async throws {
    let world = try TestWorld()
    try world.folder.write(
      #"{"tags": [{"query": "a", "sources": ["lemmy"], "limit": 50}, {"query": "a"}]}"#,
      to: "tags.json")
    let lines = await world.run("run", "--dry-run").output.split(separator: "\n")
    #expect(lines.count { $0.hasPrefix("# lemmy") } == 1)
    #expect(lines.contains { $0.hasPrefix("# hackernews") })
    #expect(lines.contains { $0.contains("lemmy") && $0.contains("limit=50") })
  }
}
