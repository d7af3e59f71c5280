import Foundation
import TestSupport
import Testing

/// The output that somebody sees who has just begun: no credentials, no networks named.
@Suite(.serialized) struct FirstHourTests {
  private func environment(_ networks: Networks) -> [String: String] {
    // Nor has anybody named feeds or a SearXNG server, which have more pages than are read.
    let unnamed: Set = ["SEARCHAGG_SOURCE", "SEARCHAGG_FEED_URL", "SEARCHAGG_SEARXNG_URL"]
    return networks.anonymous.filter { !unnamed.contains($0.key) }
  }

  @Test func `Networks that nobody asked for are one line, and all of them under -v`() async throws
  {
    try await Networks.with { networks in
      func run(_ arguments: String...) async throws -> [String] {
        let ended = try await Program.searchagg.run(
          ["run", "two words", "-n", "1"] + arguments, environment: environment(networks),
          in: Folder())
        #expect(ended.status == 0, "\(ended.errors)")
        return ended.errors.split(separator: "\n").map(String.init)
      }
      let lines = try await run()
      #expect(lines.count == 1, "\(lines)")
      #expect(
        lines.first?.contains(/^searchagg: \d+ networks not searched; see 'searchagg sources'$/)
          == true)
      let all = try await run("-v")
      #expect(
        all.contains { $0.contains("can be searched without MISSKEY_TOKEN") }, "\(all)")
      #expect(all.contains { $0.contains("mastodon") && $0.contains("skipped") })
      #expect(all.last == lines.first)
      let named = try await run("--source", "x,hackernews")
      #expect(named.count == 1 && named[0].contains("skipped: x needs X_BEARER_TOKEN"), "\(named)")
      #expect(try await run("-q") == [])
    }
  }

  @Test func `A network that is asked for some tags only is counted apart`() async throws {
    try await Networks.with { networks in
      let ended = try await Program.searchagg.run(
        ["run", "two words", "#swift", "-n", "1"], environment: environment(networks),
        in: Folder())
      #expect(
        ended.errors.contains(/not searched, \d+ networks? not searched for every tag \(-v\); see/))
    }
  }

  @Test func `A tag that could be searched nowhere is explained in full`() async throws {
    try await Networks.with { networks in
      let folder = try Folder()
      // Without a token Threads is not asked for anything.
      try folder.write(
        ##"{"version": 1, "tags": [{"query": "#swift", "sources": ["threads"]}, {"query": "two words"}]}"##,
        to: "tags.json")
      let ended = try await Program.searchagg.run(
        ["run"], environment: environment(networks), in: folder)
      #expect(ended.status == 2)
      #expect(ended.errors.contains("#swift: skipped: threads needs"), "\(ended.errors)")
      #expect(!ended.errors.contains("MISSKEY_TOKEN"))
    }
  }

  @Test func `A sample that was cut says so on a terminal, and how to get more`() async throws {
    try await Networks.with { networks in
      let line = "a sample of 20 from each search; -n 50 gives the newest 50"
      func shown(_ query: String, _ options: [String] = []) async throws -> String {
        let arguments = ["run", query, "--source", "hackernews", "--no-pager"] + options
        let ended = try await PseudoTerminal(columns: 120).run(
          .searchagg, arguments, environment: networks.environment, in: Folder())
        #expect(ended.status == 0)
        return ended.output
      }
      #expect(try await shown("#swift").contains(line))
      for options in [["-n", "3"], ["--since", "1d"], ["--per-search", "5"], ["-q"]] {
        #expect(try await !shown("#swift", options).contains("a sample of"), "\(options)")
      }
      #expect(try await !shown("nothing").contains("a sample of"))
      let piped = try await Program.searchagg.run(
        ["run", "#swift", "--source", "hackernews"], environment: networks.environment,
        in: Folder())
      #expect(piped.errors == "")
    }
  }

  @Test(arguments: [40, 60, 80])
  func `Lines on standard error break between words on a terminal`(columns: Int) async throws {
    try await Networks.with { networks in
      let ended = try await PseudoTerminal(columns: columns).run(
        .searchagg,
        ["run", "two words", "-v", "--format", "plain", "--progress", "never", "-o", "x"],
        environment: environment(networks), in: Folder())
      let lines = ended.output.split(separator: "\r\n" as Character)
      #expect(lines.count > 10)
      for line in lines {
        // An address is a word.
        #expect(line.count <= columns || line.contains("://"), "\(line)")
      }
      let whole = lines.map { $0.drop { $0 == " " } }.joined(separator: " ")
      #expect(whole.contains("two words: skipped: only hashtags and single words can be searched"))
    }
  }

  @Test func `The first posts are those of the newest, whatever their order in the output`()
    async throws
  {
    try await Networks.with { networks in
      func posts(_ options: String...) async throws -> [[String: Any]] {
        let ended = try await Program.searchagg.run(
          ["run", "#swift", "--format", "ndjson", "--posts-only", "-n", "9"] + options,
          environment: networks.environment, in: Folder())
        #expect(ended.status == 0, "\(ended.errors)")
        return try ended.objects
      }
      func ids(_ posts: [[String: Any]]) -> [String] { posts.compactMap { $0["uri"] as? String } }
      let newest = try await posts()
      #expect(newest.count == 9)
      #expect(ids(try await posts("--sort", "oldest")) == ids(newest).reversed())
      let liked = try await posts("--sort", "likes")
      let likes = liked.map { ($0["counts"] as? [String: Int])?["likes"] ?? -1 }
      #expect(likes == likes.sorted(by: >) && Set(likes).count > 1)
      #expect(Set(ids(liked)) == Set(ids(newest)))
    }
  }

  @Test func `An author who is muted is not seen again until unmuted`() async throws {
    try await Networks.with { networks in
      let folder = try Folder()
      let environment = networks.withHistory
      func searchagg(_ arguments: String...) async throws -> Program.Ended {
        try await Program.searchagg.run(arguments, environment: environment, in: folder)
      }
      func authors(_ arguments: String...) async throws -> [String] {
        let ended = try await Program.searchagg.run(
          arguments + ["--format", "ndjson"], environment: environment, in: folder)
        #expect(ended.status == 0, "\(ended.errors)")
        return try ended.objects.compactMap {
          ($0["author"] as? [String: Any])?["handle"] as? String
        }
      }
      let before = try await authors("run", "#swift")
      let one = try #require(before.first)
      let other = try #require(before.first { $0 != one })
      #expect(try await searchagg("mute", "@\(one.uppercased())").status == 0)
      #expect(try await searchagg("mute", "list").output == "@\(one.lowercased())\n")
      #expect(try await searchagg("mute", "@\(one)").status == 1)
      for command in [["run", "#swift"], ["history", "list"], ["history", "search", "#swift"]] {
        let ended = try await Program.searchagg.run(
          command + ["--format", "ndjson"], environment: environment, in: folder)
        let found = try ended.objects.compactMap {
          ($0["author"] as? [String: Any])?["handle"] as? String
        }
        #expect(!found.contains(one) && !found.isEmpty, "\(command)")
      }
      // An option adds to it.
      let excluded = try await authors("run", "#swift", "--exclude", "@\(other)")
      #expect(!excluded.contains(one) && !excluded.contains(other) && !excluded.isEmpty)
      #expect(try await authors("run", "#swift", "--include-muted") == before)
      #expect(try await authors("history", "export").contains(one))
      #expect(try await searchagg("history", "delete", "--author", "@\(one)").status == 0)
      #expect(try await searchagg("unmute", "@\(one)").status == 0)
      #expect(try await searchagg("unmute", "@\(one)").status == 1)
      #expect(try await authors("run", "#swift") == before)
    }
  }

  @Test func `Tables fit a terminal of 80 columns without a broken word`() async throws {
    try await Networks.with { networks in
      let folder = try Folder()
      let environment = environment(networks).merging(["CI": "1"]) { $1 }
      let query = "a rather long query with many words that does not fit the rest of the line"
      let added = try await Program.searchagg.run(
        ["tags", "add", query, "#swift", "--source", "mastodon,hackernews,lemmy"],
        environment: environment, in: folder)
      #expect(added.status == 0, "\(added.errors)")
      for arguments in [["tags", "list"], ["sources", "check"]] {
        let ended = try await PseudoTerminal(columns: 80).run(
          .searchagg, arguments, environment: environment, in: folder)
        let lines = ended.output.split(separator: "\r\n" as Character)
        for line in lines where !line.contains("/") { #expect(line.count <= 80, "\(line)") }
        if arguments.first == "tags" {
          #expect(lines.contains { $0.hasSuffix("the line") })
          #expect(lines.contains { $0.contains("FETCHED") } == false, "nothing was fetched yet")
        }
      }
    }
  }

  @Test func `Hundreds of feeds are one entry of the list of networks`() async throws {
    let folder = try Folder()
    let feeds = (1...200).map { "https://feeds.example/\($0)" }
    let environment = ["SEARCHAGG_FEED_URL": feeds.joined(separator: ",")]
    let list = try await Program.searchagg.run(["sources"], environment: environment, in: folder)
    #expect(list.status == 0, "\(list.errors)")
    #expect(list.output.contains("https://feeds.example/3"))
    #expect(list.output.contains("and 197 more"))
    #expect(!list.output.contains("feeds.example/150"))
  }
}
