import Foundation
import NetworkSimulator
import TestSupport
import Testing

@Suite(.serialized) struct QueryTests {
  private func run(
    _ arguments: [String], _ networks: Networks, environment: [String: String] = [:]
  ) async throws -> Program.Ended {
    try await Program.searchagg.run(
      ["run"] + arguments,
      environment: networks.environment.merging(environment) { _, given in given }, in: Folder())
  }

  private func posts(_ ended: Program.Ended) throws -> [[String: Any]] {
    try Array(ended.objects.dropLast())
  }

  private func text(_ post: [String: Any]) -> String {
    "\(post["title"] ?? "") \(post["text"] ?? "")".lowercased()
  }

  @Test func `A query with all of the grammar is asked on every network`() async throws {
    try await Networks.with { networks in
      let ended = try await run(
        [#"#swift -"it just works" lang:en"#, "--format", "ndjson", "--per-search", "30"], networks)
      #expect(ended.status == 0, "\(ended.errors)")
      let posts = try posts(ended)
      #expect(Set(posts.compactMap { $0["source"] as? String }) == Set(Networks.sources))
      #expect(posts.allSatisfy { !text($0).contains("it just works") })
      #expect(posts.allSatisfy { ["en", nil].contains($0["language"] as? String) })
      // Hacker News does not say, and the outcome does.
      let outcomes = try #require(try ended.objects.last?["outcomes"] as? [[String: Any]])
      let notes = outcomes.first { $0["source"] as? String == "hackernews" }?["notes"] as? [String]
      #expect(notes?.contains { $0.contains("lang:en") } == true)
      #expect(try ended.objects.last?["excluded"] == nil)
    }
  }

  @Test func `A query that only excludes is one line and wrong usage`() async throws {
    let ended = try await Program.searchagg.run(["run", "--", "-from:amy lang:de"], in: Folder())
    #expect(ended.status == 64)
    #expect(ended.output == "")
    #expect(
      ended.errors == "searchagg: '-from:amy lang:de' has nothing to search for; "
        + "add a word, a tag or an author\n")
  }

  @Test func `Filtered posts are replaced up to the cap and counted`() async throws {
    try await Networks.with { networks in
      let ended = try await run(
        [
          "#swift", "--source", "mastodon,hackernews", "--format", "ndjson", "--per-search", "20",
          "--no-reposts", "--no-replies", "--min-likes", "100", "--exclude", "it just works",
          "--exclude", "@nobody,source:x", "-v",
        ], networks)
      #expect(ended.status == 0, "\(ended.errors)")
      let posts = try posts(ended)
      // Twenty of each, whatever was left out.
      for source in ["mastodon", "hackernews"] {
        #expect(posts.count { $0["source"] as? String == source } == 20)
      }
      for post in posts {
        #expect(post["repost_of"] == nil && post["reply_to"] == nil)
        let likes = (post["counts"] as? [String: Any])?["likes"] as? Int
        #expect((likes ?? 0) >= 100)
        #expect(!text(post).contains("it just works"))
      }
      let excluded = try #require(try ended.objects.last?["excluded"] as? [String: Int])
      #expect(Set(excluded.keys) == ["words", "authors", "reposts", "replies", "likes"])
      #expect(excluded["authors"] == 0)
      #expect((excluded["replies"] ?? 0) > 0 && (excluded["likes"] ?? 0) > 0)
      #expect(ended.errors.contains("left out: "))
      #expect(ended.errors.contains("\(excluded["likes"] ?? -1) by --min-likes"))
    }
  }

  @Test func `A variable and the configuration have the effect of the flag`() async throws {
    try await Networks.with { networks in
      let arguments = ["#swift", "--source", "mastodon", "--format", "ndjson"]
      let byFlag = try await run(arguments + ["--lang", "de,en", "--no-replies"], networks)
      let byVariable = try await run(
        arguments, networks,
        environment: ["SEARCHAGG_LANG": "de, en", "SEARCHAGG_NO_REPLIES": "1"])
      #expect(byFlag.status == 0, "\(byFlag.errors)")
      #expect(byFlag.output == byVariable.output)
      let folder = try Folder()
      try Data(#"{"lang":["de","en"],"no-replies":true}"#.utf8)
        .write(to: folder.url.appending(path: "searchagg.json"))
      let byFile = try await Program.searchagg.run(
        ["run"] + arguments, environment: networks.environment, in: folder)
      #expect(byFlag.output == byFile.output)
      let languages = Set(try posts(byFlag).compactMap { $0["language"] as? String })
      #expect(languages == ["de", "en"])
    }
  }

  @Test func `An excluded source is not asked`() async throws {
    try await Networks.with { networks in
      let ended = try await run(
        ["#swift", "--exclude", "source:x,source:bluesky", "--format", "ndjson"], networks)
      #expect(ended.status == 0, "\(ended.errors)")
      let asked = Set(networks.simulator.counters.requests.map(\.source))
      #expect(!asked.contains("x") && !asked.contains("bluesky") && asked.contains("mastodon"))
    }
  }

  @Test(arguments: [
    ["--exclude", "@"], ["--exclude", "source:myspace"], ["--lang", "english"], ["--lang", ""],
    ["--min-likes", "some"], ["--dedupe", "text"],
  ])
  func `An empty filter is refused`(arguments: [String]) async throws {
    let ended = try await Program.searchagg.run(["run", "#swift"] + arguments, in: Folder())
    #expect(ended.status == 64)
    #expect(ended.errors.contains("\(arguments[0]): "), "\(ended.errors)")
  }

  @Test func `Posts with the same link and text are joined`() async throws {
    try await Networks.with { networks in
      // Two servers with the same notes under identities of their own.
      let addresses = [
        networks.simulator.address(of: "misskey"),
        networks.simulator.address(of: "misskey", fault: "~latency=1"),
      ]
      let environment = ["SEARCHAGG_MISSKEY_URL": addresses.joined(separator: ",")]
      let arguments = ["#swift", "--source", "misskey", "--per-search", "100"]
      let plain = try await run(
        arguments + ["--format", "ndjson"], networks, environment: environment)
      let joined = try await run(
        arguments + ["--format", "ndjson", "--dedupe", "link"], networks, environment: environment)
      #expect(joined.status == 0, "\(joined.errors)")
      let shown = try posts(joined)
      let copies = shown.flatMap { $0["also"] as? [String] ?? [] }
      #expect(!copies.isEmpty)
      #expect(try shown.count + copies.count == posts(plain).count)
      #expect(try posts(plain).allSatisfy { $0["also"] == nil })
      // Each linked note of the second server is a copy of one of the first.
      for post in shown where post["also"] != nil { #expect(text(post).contains("https://")) }
      let printed = try await run(
        arguments + ["--dedupe", "link", "-n", "500"], networks, environment: environment)
      #expect(
        printed.lines.count { $0 == "    also on misskey" } == shown.count { $0["also"] != nil })
    }
  }

  @Test func `The help has a page on queries`() async throws {
    let ended = try await Program.searchagg.run(["help", "queries"], in: Folder())
    #expect(ended.status == 0)
    #expect(ended.lines.first == "QUERIES")
    #expect(ended.lines.allSatisfy { $0.count <= 100 })
  }
}
