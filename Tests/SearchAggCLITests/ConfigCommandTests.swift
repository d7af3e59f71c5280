import Application
import SearchAggCLI
import TestSupport
import Testing

@Suite struct ConfigCommandTests {
  private let own = "home/.config/searchagg/config.json"

  @Test func `Each setting is shown with its value and where it was set`() async throws {
    var world = try TestWorld()
    world.environment["SEARCHAGG_JOBS"] = "7"
    world.environment["SEARCHAGG_PROXY"] = "http://ada:s3cret@proxy.example:3128"
    world.environment["SEARCHAGG_FEED_URL"] = "https://a.example/feed?token=s3cret"
    try world.folder.write(#"{"per_search": 9, "stream": true}"#, to: own)
    try world.folder.write(#"{"limit": 5, "retries": 99}"#, to: "searchagg.json")
    let shown = await world.run("config", "show")
    #expect(shown.status == .success)
    let rows = shown.output.split(separator: "\n").map { line in
      line.split(separator: " ", omittingEmptySubsequences: true).map(String.init)
    }
    func row(_ name: String) -> [String] { rows.first { $0[0] == name } ?? [] }
    #expect(row("jobs") == ["jobs", "SEARCHAGG_JOBS", "7"])
    #expect(row("per-search") == ["per-search", world.folder[own], "9"])
    #expect(row("limit") == ["limit", "./searchagg.json", "5"])
    #expect(row("retries") == ["retries", "default", "2"])
    #expect(row("since") == ["since", "not", "set"])
    #expect(row("proxy").last == "http://***@proxy.example:3128")
    #expect(
      row("sources.feed") == ["sources.feed", "SEARCHAGG_FEED_URL", "https://a.example/feed"])
    #expect(shown.errors.contains("'retries' is ignored"))
    let json = await world.run("config", "show", "--format", "json")
    #expect(json.output.contains(#""setting": "jobs""#))
    #expect(!(shown.output + json.output).contains("s3cret"))
  }

  @Test func `The networks of the catalog that are enabled are shown`() async throws {
    let world = try TestWorld()
    try world.folder.write(
      #"""
      {"sources": {"crossref": {"enabled": true}, "arxiv": {"enabled": false},
        "openalex": {"enabled": true, "servers": ["https://a.example"]}}}
      """#, to: own)
    let shown = await world.run("config", "show")
    #expect(shown.status == .success, "\(shown.errors)")
    let rows = shown.output.split(separator: "\n").map { line in
      line.split(separator: " ", omittingEmptySubsequences: true).map(String.init)
    }.filter { $0[0].hasPrefix("sources.") }
    #expect(
      rows == [
        ["sources.openalex", world.folder[own], "https://a.example"],
        ["sources.crossref.enabled", world.folder[own], "true"],
        ["sources.openalex.enabled", world.folder[own], "true"],
      ])
  }

  @Test func `The path is that of the user's own file, or of the one that is named`() async throws {
    let world = try TestWorld()
    #expect(await world.run("config", "path").output == "\(world.folder[own])\n")
    #expect(
      await world.run("config", "path", "--config", "mine.json").output
        == "\(world.folder["mine.json"])\n")
    var homeless = world
    homeless.environment = [:]
    #expect(await homeless.run("config", "path").status == .badConfiguration)
  }

  @Test func `A check names unknown keys by their line, and unknown variables`() async throws {
    var world = try TestWorld()
    #expect(await world.run("config", "check").status == .success)
    world.environment["SEARCHAGG_PAGER"] = "less"
    #expect(await world.run("config", "check").status == .success)
    world.environment["SEARCHAGG_JOBZ"] = "7"
    try world.folder.write("{\n  \"jobs\": 3,\n  \"max-pags\": 3,\n  \"zebra\": 1\n}", to: own)
    let check = await world.run("config", "check")
    #expect(check.status == .badConfiguration)
    let lines = check.errors.split(separator: "\n")
    #expect(lines.count == 3)
    let path = world.folder[own]
    #expect(
      lines[0].hasPrefix("searchagg: \(path): line 3, column ")
        && lines[0].hasSuffix("max-pags: unknown setting; did you mean 'max-pages'?"))
    #expect(lines[1].contains("line 4") && lines[1].contains("zebra: unknown setting (known: "))
    #expect(lines[2] == "searchagg: unknown variable SEARCHAGG_JOBZ; did you mean SEARCHAGG_JOBS?")
  }

  @Test func `A check names channels that nothing is sent to, and those that nobody declared`()
    async throws
  {
    let world = try TestWorld()
    try world.folder.write(
      """
      {"channels": {"team": {"kind": "json", "url": "http://other.example"},
      "own": {"kind": "slack", "url": "{OWN_WEBHOOK}", "headers": {"X_Key.2": "{OWN_KEY}"}}},
      "notify": "own,crew"}
      """, to: own)
    let check = await world.run("config", "check")
    #expect(check.status == .badConfiguration)
    #expect(check.errors.contains("channel 'team': new posts are only sent over https"))
    #expect(check.errors.contains("unknown channel 'crew'") && !check.errors.contains("'own':"))
  }

  @Test func `A check names every wrong value`() async throws {
    var world = try TestWorld()
    world.environment["SEARCHAGG_JOBS"] = "many"
    try world.folder.write(#"{"since": "2026-13-01"}"#, to: own)
    let check = await world.run("config", "check")
    #expect(check.status == .badConfiguration)
    #expect(check.errors.contains("SEARCHAGG_JOBS: expected a whole number from 1 to 1024"))
    #expect(check.errors.contains("since: '2026-13-01': there is no month 13"))
  }
}
