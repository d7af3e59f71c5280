import Application
import NetworkSimulator
import SearchAggCLI
import TestSupport
import Testing
import TextFormats

/// The networks of the catalog on the command line: off until they are named or enabled.
@Suite struct CatalogCommandTests {
  private static let config = "home/.config/searchagg/config.json"

  private func planned(_ words: String..., in world: TestWorld) async -> String {
    await world.run(["run", "swift", "--dry-run"] + words).output
  }

  @Test func `A network of the catalog is asked when it is named, alone or by its subject`()
    async throws
  {
    let world = try TestWorld()
    #expect(await !planned(in: world).contains("api.crossref.org"))
    #expect(await planned("--source", "crossref", in: world).contains("api.crossref.org"))
    #expect(await planned("--source", "science", in: world).contains("api.crossref.org"))
    #expect(await !planned("--source", "code", in: world).contains("api.crossref.org"))
    let wrong = await world.run("run", "swift", "--source", "crosref")
    #expect(wrong.status == .usage && wrong.errors.contains("did you mean 'crossref'?"))
  }

  @Test func `An enabled network is asked by every run, until it is disabled`() async throws {
    let world = try TestWorld()
    try world.folder.write(#"{"limit": 5}"#, to: Self.config)
    let enabled = await world.run("sources", "enable", "crossref")
    #expect(enabled.status == .success && enabled.errors.contains("enabled crossref in "))
    let content = try world.folder.text(of: Self.config)
    #expect(
      try JSONValue(reading: Array(content.utf8))["sources"]
        == .members(["crossref": .members(["enabled": .bool(true)])]))
    #expect(await planned(in: world).contains("api.crossref.org"))
    #expect(await world.run("sources", "enable", "crossref").status == .nothing)
    #expect(await world.run("sources", "disable", "crossref").status == .success)
    #expect(
      try JSONValue(reading: Array(world.folder.text(of: Self.config).utf8))
        == .members(["limit": .integer(5), "sources": .object([])]))
    #expect(await !planned(in: world).contains("api.crossref.org"))
    #expect(await world.run("sources", "enable", "mastodon").status == .usage)
    #expect(await world.run("sources", "enable", "nothing-like-it").status == .usage)
  }

  @Test func `A declaration of the user's own is not enabled`() async throws {
    let world = try TestWorld()
    let own =
      #"{"kind": "json", "url": "https://own.example/?q={words}", "fields": {"id": "id", "text": "t"}}"#
    let file = #"{"sources": {"arxiv": \#(own)}}"#
    try world.folder.write(file, to: Self.config)
    let alone = await world.run("sources", "enable", "arxiv")
    #expect(alone.status == .usage && alone.errors.contains("arxiv is declared in "), "\(alone)")
    #expect(try world.folder.text(of: Self.config) == file)
    let group = await world.run("sources", "enable", "science")
    #expect(group.status == .success && !group.errors.contains("arxiv"), "\(group)")
    let plan = await planned(in: world)
    #expect(plan.contains("own.example") && plan.contains("api.crossref.org"), "\(plan)")
  }

  @Test func `The simulator's configuration file leads to its networks of the catalog`()
    async throws
  {
    let simulator = try await Simulator.start { Simulator.fixedNow }
    let world = try TestWorld()
    try world.folder.write(simulator.configuration, to: "sim.json")
    let words = ["--config", "sim.json", "--format", "ndjson", "-q"]
    for name in ["arxiv", "public-inbox"] {
      let run = await world.run(["run", "swift", "--source", name] + words)
      #expect(run.status == .success && run.output.contains("\"source\":\"\(name)\""), "\(run)")
    }
    let others = await planned("--config", "sim.json", in: world)
    #expect(others.contains("/hackernews/") && !others.contains("/arxiv/"), "\(others)")
    await simulator.stop()
  }

  @Test func `A file of the current folder enables nothing`() async throws {
    let world = try TestWorld()
    try world.folder.write(#"{"sources": {"crossref": {"enabled": true}}}"#, to: "searchagg.json")
    #expect(await !planned(in: world).contains("api.crossref.org"))
  }

  @Test func `A declaration of the user's own wins over the catalog and its subjects`() async throws
  {
    let world = try TestWorld()
    let own =
      #"{"kind": "json", "url": "https://own.example/NAME?q={query}", "fields": {"id": "i", "text": "t"}}"#
    try world.folder.write(
      #"{"sources": {"crossref": \#(own.replacing("NAME", with: "a")), "science": \#(own.replacing("NAME", with: "b"))}}"#,
      to: Self.config)
    let one = await planned("--source", "crossref", in: world)
    #expect(one.contains("own.example/a") && !one.contains("api.crossref.org"))
    #expect(await planned("--source", "science", in: world).contains("own.example/b"))
    let shown = await world.run("sources", "show", "crossref").output
    #expect(!shown.contains("its declaration"))
  }

  @Test func `Another server is added, and a network that is off stays off`() async throws {
    let world = try TestWorld()
    let added = await world.run("sources", "add", "openvsx", "https://vsx.example")
    #expect(added.status == .success)
    #expect(added.errors.contains("searchagg sources enable openvsx"))
    #expect(await !planned(in: world).contains("vsx.example"))
    let named = await planned("--source", "openvsx", in: world)
    #expect(
      named.contains("https://vsx.example/api/") && named.contains("https://open-vsx.org/api/"))
    try world.folder.write("{}", to: "my own.json")
    let elsewhere = await world.run(
      "sources", "add", "openvsx", "https://vsx.example", "--config", "my own.json")
    #expect(
      elsewhere.errors.contains("searchagg sources enable openvsx --config 'my own.json'\n"),
      "\(elsewhere.errors)")
  }

  @Test func `The list has a group for them, and show prints a declaration to copy`() async throws {
    let world = try TestWorld()
    let list = await world.run("sources").output
    #expect(list.contains("SEARCHED WHEN NAMED") && list.contains("  science "))
    #expect(list.split(separator: "\n").allSatisfy { $0.count <= 80 })
    let shown = await world.run("sources", "show", "crossref").output
    #expect(shown.contains("# not yet tested: against the live service"))
    #expect(shown.contains("# unsure: ") && shown.contains(#""items": "message.items""#))
    #expect(shown.contains("GET https://api.crossref.org/works?query=linux"))
    _ = await world.run("sources", "enable", "crossref")
    let json = try JSONValue(
      reading: Array(await world.run("sources", "list", "--format", "json").output.utf8))
    guard case .array(let all) = json else {
      Issue.record("no list")
      return
    }
    let entry = all.first { $0["name"] == .string("crossref") }
    #expect(entry?["subject"] == .string("science") && entry?["ready"] == .bool(true))
  }

  private static let declaration = #"""
    {"url": "https://forum.example/api/search?q={words}&page={page}", "items": "results",
     "fields": {"id": "id", "url": "link", "title": "subject", "text": "body", "topics": "tags"}}
    """#

  @Test func `A declaration is checked against a recorded response`() async throws {
    let world = try TestWorld()
    try world.folder.write(Self.declaration, to: "forum.json")
    try world.folder.write(
      #"{"results": [{"id": 1, "link": "https://f.example/1", "subject": "A", "tags": ["x", "y"]}, {"id": 2}]}"#,
      to: "response.json")
    let asked = await world.run("sources", "check", "forum.json", "--query", "a b")
    #expect(asked.status == .success)
    #expect(asked.output.contains("GET https://forum.example/api/search?q=a%20b&page=1"))
    // A credential is a mask, so none has to be set.
    try world.folder.write(
      Self.declaration.replacing(
        "{\"url\"", with: #"{"headers": {"Authorization": "Bearer {FORUM_TOKEN}"}, "url""#),
      to: "secret.json")
    let secret = await world.run("sources", "check", "secret.json")
    #expect(secret.status == .success && secret.output.contains("Authorization: Bearer ***"))
    let read = await world.run("sources", "check", "forum.json", "--answer", "response.json")
    #expect(read.status == .success)
    let rows = read.output.split(separator: "\n").map { line in
      line.split(separator: " ", omittingEmptySubsequences: true).joined(separator: " ")
    }
    #expect(rows.contains("title 1 A") && rows.contains("topics 1 x, y"))
    #expect(rows.contains("created_at 0"))
    #expect(read.output.contains("1 post, 1 item could not be read; another page follows"))
    try world.folder.write(
      Self.declaration.replacing(
        "{\"url\"", with: #"{"page": {"more": "meta.hasmore", "total": "results"}, "url""#),
      to: "paged.json")
    let paged = await world.run("sources", "check", "paged.json", "--answer", "response.json")
    #expect(
      paged.output.hasSuffix(
        "the last page\npage.more: the response has nothing at meta.hasmore\n"))
    try world.folder.write(
      #"{"results": [{"id": 1, "subject": "A"}, {"id": 1, "subject": "B"}]}"#, to: "shared.json")
    let shared = await world.run("sources", "check", "forum.json", "--answer", "shared.json")
    #expect(
      shared.output.hasSuffix(
        "1 post; another page follows\n1 item left out, as another of the page has the same identifier\n"
      ))
  }

  @Test func `A mistake in a declaration or a response without posts is named`() async throws {
    let world = try TestWorld()
    try world.folder.write(#"{"url": "https://f.example/?q={quer}"}"#, to: "wrong.json")
    let wrong = await world.run("sources", "check", "wrong.json")
    #expect(wrong.status == .badConfiguration && wrong.errors.contains("url: expected {query}"))
    try world.folder.write(Self.declaration, to: "forum.json")
    try world.folder.write(#"{"hits": []}"#, to: "response.json")
    let empty = await world.run("sources", "check", "forum.json", "--answer", "response.json")
    #expect(empty.status == .unavailable && empty.errors.contains("no list at results"))
    try world.folder.write(#"{"results": [{"x": 1}]}"#, to: "response.json")
    let broken = await world.run("sources", "check", "forum.json", "--answer", "response.json")
    #expect(broken.status == .unavailable && broken.errors.contains("1 item could not be read"))
    try world.folder.write(#"{"results": []}"#, to: "response.json")
    let none = await world.run("sources", "check", "forum.json", "--answer", "response.json")
    #expect(none.status == .success && none.output.contains("no posts: "))
    #expect(await world.run("sources", "check", "--answer", "response.json").status == .usage)
    #expect(await world.run("sources", "check", "missing.json").status == .usage)
    let missing = await world.run("sources", "check", "forum.json", "--answer", "missing.json")
    #expect(missing.status == .unreadableInput && missing.errors.contains("missing.json: "))
    let json = await world.run("sources", "check", "forum.json", "--format", "json")
    #expect(json.status == .usage)
  }

  @Test func `Completion offers all networks and subjects`() async throws {
    let world = try TestWorld()
    let sources = await world.run("complete", "--", "run", "--source", "").output
    #expect(sources.contains("crossref\n") && sources.contains("science\n"))
    let enabling = await world.run("complete", "--", "sources", "enable", "").output
    #expect(enabling.contains("openvsx\n") && !enabling.contains("mastodon"))
  }
}
