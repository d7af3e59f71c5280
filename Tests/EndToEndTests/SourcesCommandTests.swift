import Foundation
import NetworkSimulator
import TestSupport
import Testing

/// `searchagg sources` and `run --dry-run`, as processes against the simulator.
@Suite(.serialized) struct SourcesCommandTests {
  /// Every address and credential of the simulator.
  private func environment(_ networks: Networks) -> [String: String] {
    networks.simulator.environment.merging(["SEARCHAGG_NOW": Networks.now]) { _, own in own }
  }

  /// The number of the simulator's addresses; some sources have several.
  private func servers(_ networks: Networks) -> Int {
    networks.simulator.environment.filter { $0.key.hasSuffix("_URL") }
      .map { $0.value.split(separator: ",").count }.reduce(0, +)
  }

  private func json(_ text: String) throws -> [[String: Any]] {
    try #require(
      try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]])
  }

  /// Asserts that an output contains no credential of the simulator, plain or encoded.
  private func expectNoSecret(_ ended: Program.Ended, of networks: Networks) {
    let text = ended.output + ended.errors
    for (name, value) in networks.simulator.environment where !name.hasPrefix("SEARCHAGG_") {
      #expect(!text.contains(value), "\(name)")
      #expect(!text.contains(Data(value.utf8).base64EncodedString().prefix(16)), "\(name)")
    }
  }

  @Test func `The list names every source with what it needs, in 80 columns`() async throws {
    try await Networks.with { networks in
      let folder = try Folder()
      let list = try await Program.searchagg.run(["sources"], in: folder)
      #expect(list.status == 0 && list.errors == "")
      // The catalog is a group of its own, by subject.
      let own = list.lines.prefix { !$0.hasPrefix("SEARCHED WHEN NAMED") }
      #expect(own.count < list.lines.count)
      let names = own.compactMap { line in
        line.hasPrefix("  ") && !line.hasPrefix("   ") ? line.split(separator: " ").first : nil
      }
      #expect(Set(names.map(String.init)) == Set(Simulator.sources))
      #expect(names.count == Simulator.sources.count)
      for line in list.lines { #expect(line.count <= 80, "\(line)") }
      let groups = list.output.components(separatedBy: "NOT READY")
      let needy = try #require(groups.last).split { $0.isWhitespace }.joined(separator: " ")
      #expect(groups[0].hasPrefix("READY\n") && groups[0].contains("  hackernews "))
      for need in [
        "x needs a credential: set X_BEARER_TOKEN (console.x.com)",
        "discourse needs an address: set SEARCHAGG_DISCOURSE_URL",
        "reddit searched only when named; to change that, set REDDIT_CLIENT_ID and",
      ] {
        let isSaid = needy.contains(need)
        #expect(isSaid, "\(need)")
      }
      let ready = try await Program.searchagg.run(
        ["sources", "list", "--format", "json"], environment: environment(networks), in: folder)
      let objects = try json(ready.output)
      // The catalog is there, too, and off.
      let count = Simulator.sources.count
      #expect(objects.prefix(count).map { $0["name"] as? String } == Simulator.sources)
      #expect(objects.dropFirst(count).contains { $0["name"] as? String == "arxiv" })
      #expect(objects.dropFirst(count).allSatisfy { $0["subject"] is String })
      let areReady = objects.map { $0["ready"] as? Bool == true }
      #expect(areReady == objects.indices.map { $0 < count })
      #expect(objects.allSatisfy { ($0["terms"] as? String)?.isEmpty == false })
      expectNoSecret(ready, of: networks)
    }
  }

  @Test func `A declared source is on the list, checked and shown`() async throws {
    try await Networks.with { networks in
      let folder = try Folder()
      let address = networks.simulator.address(of: "hackernews")
      try folder.write(
        #"""
        {"sources": {"mine": {"kind": "json", "items": "hits", "terms": "Mine \u001b[31m",
          "url": "\#(address)/api/v1/search_by_date?query={query}&page={page}&key={MINE_KEY}",
          "fields": {"id": "objectID", "title": ["title", "story_title"]}}}}
        """#, to: "config/searchagg/config.json")
      let environment = ["MINE_KEY": "s3cret&key"]
      let list = try await Program.searchagg.run(
        ["sources", "--format", "json"], environment: environment, in: folder)
      let own = try #require(try json(list.output).first { $0["declared"] as? Bool == true })
      #expect(own["name"] as? String == "mine" && own["declared"] as? Bool == true)
      #expect(own["credentials"] as? [String] == ["MINE_KEY"])
      #expect(!list.output.contains("\u{1B}"))
      let check = try await Program.searchagg.run(
        ["sources", "check", "mine"], environment: environment, in: folder)
      #expect(check.status == 0, "\(check.errors)")
      #expect(check.lines.last?.hasPrefix("mine  20 ") == true, "\(check.output)")
      let show = try await Program.searchagg.run(
        ["sources", "show", "mine", "--query", "a b"], environment: environment, in: folder)
      let base = "GET \(address)/api/v1/search_by_date?query=a%20b"
      #expect(show.output.contains("\(base)&page=1&key=***\n"), "\(show.output)")
      #expect(show.output.contains("\(base)&page=2&key=***\n"))
      #expect(!show.output.contains("s3cret"))
    }
  }

  @Test func `A check asks each source once and says what it answered`() async throws {
    try await Networks.with { networks in
      let folder = try Folder()
      let ended = try await Program.searchagg.run(
        ["sources", "check", "--format", "json"], environment: environment(networks), in: folder)
      #expect(ended.status == 0, "\(ended.output)")
      let answers = try json(ended.output)
      #expect(answers.count == servers(networks))
      #expect(Set(answers.compactMap { $0["source"] as? String }) == Set(Simulator.sources))
      for answer in answers {
        #expect(answer["outcome"] as? String == "completed", "\(answer)")
        // A feed that cannot search need not hold the word.
        #expect((answer["posts"] as? Int ?? 0) > 0 || answer["source"] as? String == "feed")
        #expect(answer["took_ms"] is Int)
      }
      let paths = networks.simulator.counters.requests.map(\.path)
      // One each, two logins, and the version of Lemmy.
      #expect(paths.count { $0 == "api/v3/site" } == 1)
      #expect(paths.count == servers(networks) + 3, "\(paths)")
      expectNoSecret(ended, of: networks)
    }
  }

  @Test func `A check follows a server that needs the request in another form`() async throws {
    try await Networks.with { networks in
      var environment = environment(networks)
      environment["SEARCHAGG_MASTODON_URL"] = networks.simulator.address(of: "gotosocial")
      let query = ["--query", "swift concurrency", "--format", "json"]
      let ended = try await Program.searchagg.run(
        ["sources", "check", "mastodon"] + query, environment: environment, in: try Folder())
      let answer = try #require(try json(ended.output).first)
      #expect((answer["posts"] as? Int ?? 0) > 0, "\(ended.output) \(ended.errors)")
    }
  }

  @Test func `A check names failures and missing credentials, and exits like a run`() async throws {
    try await Networks.with { networks in
      let folder = try Folder()
      var environment = networks.anonymous
      environment["SEARCHAGG_DISCOURSE_URL"] = nil
      environment["SEARCHAGG_LEMMY_URL"] = networks.simulator.address(
        of: "lemmy", fault: "~status=503")
      environment["SEARCHAGG_RETRIES"] = "0"
      let ended = try await Program.searchagg.run(
        ["sources", "check", "x,discourse", "lemmy", "hackernews"], environment: environment,
        in: folder)
      #expect(ended.status == 2, "\(ended.output)")
      func line(_ name: String) -> String { ended.lines.first { $0.hasPrefix("\(name) ") } ?? "" }
      #expect(line("x").contains("skipped: x needs X_BEARER_TOKEN"))
      #expect(line("discourse").contains("set SEARCHAGG_DISCOURSE_URL"))
      #expect(line("lemmy").contains("503") && line("lemmy").contains("try again later"))
      #expect(line("hackernews").contains(" ms") || line("hackernews").contains(" s "))
      #expect(ended.lines.count == 5)
      for (name, status) in [("x", Int32(77)), ("lemmy", 75), ("discourse", 69), ("hackernews", 0)]
      {
        let one = try await Program.searchagg.run(
          ["sources", "check", name], environment: environment, in: folder)
        #expect(one.status == status, "\(name): \(one.output)\(one.errors)")
      }
      let unknown = try await Program.searchagg.run(["sources", "check", "myspace"], in: folder)
      #expect(unknown.status == 64)
      #expect(unknown.errors.contains("unknown source 'myspace' (known: twitter-classic"))
    }
  }

  @Test(arguments: Simulator.sources)
  func `sources show prints a request without secrets and does not send it`(name: String)
    async throws
  {
    try await Networks.with { networks in
      let folder = try Folder()
      let ended = try await Program.searchagg.run(
        ["sources", "show", name, "--query", "#swift"], environment: environment(networks),
        in: folder)
      #expect(ended.status == 0, "\(ended.errors)")
      // Those of a feed are whole addresses.
      let address = networks.simulator.address(of: name)
        .components(separatedBy: "/search")[0]
      let requests = ended.lines.filter { $0.hasPrefix("GET ") || $0.hasPrefix("POST ") }
      #expect(!requests.isEmpty)
      #expect(requests.allSatisfy { $0.contains(" \(address)/") }, "\(requests)")
      if ["stackexchange", "youtube"].contains(name) { #expect(requests[0].contains("key=***")) }
      if name == "tumblr" { #expect(requests[0].contains("api_key=***")) }
      if name == "threads" { #expect(requests[0].contains("access_token=***")) }
      expectNoSecret(ended, of: networks)
      #expect(networks.simulator.counters.requests.isEmpty)
      // Nor is a credential needed to look.
      let bare = try await Program.searchagg.run(
        ["sources", "show", name, "--query", "#swift"], environment: networks.anonymous, in: folder)
      #expect(bare.status == 0, "\(bare.errors)")
    }
  }

  @Test func `A dry run shows the plan and asks nothing`() async throws {
    try await Networks.with { networks in
      let folder = try Folder()
      let arguments = ["run", "#swift", "two words", "--dry-run", "--per-search", "30"]
      var environment = environment(networks)
      environment["MASTODON_ACCESS_TOKEN"] = nil
      let ended = try await Program.searchagg.run(arguments, environment: environment, in: folder)
      #expect(ended.status == 0, "\(ended.errors)")
      let heads = ended.lines.filter { $0.hasPrefix("# ") }
      #expect(heads.count == 2 * servers(networks))
      #expect(
        heads.contains {
          $0.hasPrefix("# x (\(networks.simulator.address(of: "x"))): #swift: up to 30 posts read")
        }, "\(heads)")
      #expect(
        heads.contains {
          $0.contains("mastodon") && $0.contains("two words: skipped: only hashtags")
        })
      expectNoSecret(ended, of: networks)
      let machine = try await Program.searchagg.run(
        arguments + ["--format", "ndjson", "--source", "x,bluesky,youtube"],
        environment: environment, in: folder)
      let objects = try machine.objects
      #expect(objects.count == 6)
      let x = try #require(objects.first)
      #expect(x["tag"] as? String == "#swift" && x["source"] as? String == "x")
      let request = try #require(x["request"] as? [String: Any])
      #expect(request["method"] as? String == "GET")
      let headers = try #require(request["headers"] as? [String: String])
      #expect(headers["Authorization"] == "Bearer ***")
      #expect(objects.contains { $0["login"] != nil && $0["source"] as? String == "bluesky" })
      expectNoSecret(machine, of: networks)
      #expect(networks.simulator.counters.requests.isEmpty)
    }
  }

  @Test(arguments: [("bluesky", "createSession"), ("reddit", "access_token")])
  func `A login is kept for the next run, in a private file`(name: String, path: String)
    async throws
  {
    try await Networks.with { networks in
      let folder = try Folder()
      let environment = environment(networks)
      func logins() -> Int {
        networks.simulator.counters.requests.count { $0.path.contains(path) }
      }
      for round in 1...2 {
        let ended = try await Program.searchagg.run(
          ["sources", "login", name], environment: environment, in: folder)
        #expect(ended.status == 0, "\(ended.errors)")
        #expect(ended.errors.contains("the session is valid until 20"), "\(ended.errors)")
        #expect(logins() == round)
        expectNoSecret(ended, of: networks)
      }
      let file = "state/searchagg/sessions.json"
      #expect(try folder.mode(of: file) == 0o600)
      let run = try await Program.searchagg.run(
        ["run", "swift", "--source", name], environment: environment, in: folder)
      #expect(run.status == 0, "\(run.errors)")
      #expect(logins() == 2)
      // An ended session is not used, and is removed when the next one is written.
      let old = #"{"gone a b":{"access":"x","expires":"2020-01-01T00:00:00Z"},"#
      let ancient = #""old a b":{"access":"y","opened":"2020-01-01T00:00:00Z"},"#
      let live = #""other a b":{"access":"z"}}"#
      try folder.write(old + ancient + live, to: file, mode: 0o600)
      let again = try await Program.searchagg.run(
        ["sources", "login", name], environment: environment, in: folder)
      #expect(again.status == 0, "\(again.errors)")
      let kept = try folder.text(of: file)
      #expect(!kept.contains("gone a b") && !kept.contains("old a b") && kept.contains("other a b"))
      for status: Int32 in [0, 1] {
        let logout = try await Program.searchagg.run(
          ["sources", "logout", name], environment: environment, in: folder)
        #expect(logout.status == status, "\(logout.errors)")
      }
      let left = try folder.text(of: file)
      #expect(left.contains("other a b") && !left.contains("\"\(name) "))
    }
  }

  @Test func `A source without a login says so`() async throws {
    try await Networks.with { networks in
      let folder = try Folder()
      var environment = environment(networks)
      let none = try await Program.searchagg.run(
        ["sources", "login", "hackernews"], environment: environment, in: folder)
      #expect(none.status == 64)
      #expect(none.errors.contains("hackernews has no sessions"))
      environment["BLUESKY_APP_PASSWORD"] = "wrong-password"
      let refused = try await Program.searchagg.run(
        ["sources", "login", "bluesky"], environment: environment, in: folder)
      #expect(refused.status == 77, "\(refused.errors)")
      #expect(!refused.errors.contains("wrong-password"))
      environment["BLUESKY_APP_PASSWORD"] = nil
      let missing = try await Program.searchagg.run(
        ["sources", "login", "bluesky"], environment: environment, in: folder)
      #expect(missing.status == 77)
      #expect(missing.errors.contains("bluesky needs BLUESKY_IDENTIFIER and BLUESKY_APP_PASSWORD"))
    }
  }

  @Test func `The address of a web page adds the feed that it names`() async throws {
    try await Networks.with { networks in
      let folder = try Folder()
      let page = networks.simulator.address(of: "feed/blog")
      var environment = ["XDG_CONFIG_HOME": folder.path, "HOME": folder.path]
      let added = try await Program.searchagg.run(
        ["sources", "add", "feed", page], environment: environment, in: folder)
      #expect(added.status == 0, "\(added.errors)")
      #expect(added.errors.contains("is a web page; its feed is"))
      let exported = try await Program.searchagg.run(
        ["sources", "export", "feed"], environment: environment, in: folder)
      #expect(exported.output.contains("/feed/all.rss") && !exported.output.contains("/feed/blog"))
      environment["SEARCHAGG_FEED_URL"] = page
      let run = try await Program.searchagg.run(
        ["run", "--source", "feed", "swift"], environment: environment, in: folder)
      #expect(
        run.errors.contains("use the address of its feed: \(page.dropLast("blog".count))all.rss"))
    }
  }
}
