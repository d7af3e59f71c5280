import Foundation
import NetworkSimulator
import TestSupport
import Testing

@Suite(.serialized) struct MainJobTests {
  @Test func `All five networks are printed, newest first`() async throws {
    try await Networks.with { networks in
      let ended = try await Program.searchagg.run(
        ["run", "#swift", "--format", "ndjson"], environment: networks.environment, in: Folder())
      #expect(ended.status == 0, "\(ended.errors)")
      let objects = try ended.objects
      let posts = objects.dropLast()
      #expect(Set(posts.compactMap { $0["source"] as? String }) == Set(Networks.sources))
      let dated = posts.prefix { $0["created_at"] is String && $0["future"] == nil }
      let dates = dated.compactMap { $0["created_at"] as? String }
      #expect(dates.count > 50)
      #expect(dates == dates.sorted(by: >))
      let tail = posts.dropFirst(dated.count)
      #expect(tail.allSatisfy { !($0["created_at"] is String) || $0["future"] as? Bool == true })
      #expect(objects.last?["incomplete"] as? Bool == false)
      for post in posts {
        #expect(post["id"] is String)
        #expect(post["text"] is String)
        #expect(post["tags"] as? [String] == ["#swift"])
      }
    }
  }

  @Test func `The same answers give the same bytes`() async throws {
    var outputs: [String] = []
    for _ in 0..<2 {
      // A simulator of its own each time: nothing is left over from the run before.
      try await Networks.with(seed: 11) { networks in
        var environment = networks.environment
        let ended = try await Program.searchagg.run(
          ["run", "swift", "#linux", "café", "--format", "ndjson", "-n", "200"],
          environment: environment, in: Folder())
        #expect(ended.status == 0, "\(ended.errors)")
        // Only the port differs.
        environment = environment.filter { $0.key.hasSuffix("_URL") }
        let port = try #require(environment["SEARCHAGG_X_URL"].flatMap { URL(string: $0)?.port })
        outputs.append(ended.output.replacingOccurrences(of: ":\(port)/", with: ":PORT/"))
      }
    }
    #expect(outputs[0] == outputs[1])
    #expect(outputs[0].split(separator: "\n").count == 201)
  }

  @Test func `Without credentials X is not asked, and the others are asked anonymously`()
    async throws
  {
    try await Networks.with { networks in
      let ended = try await Program.searchagg.run(
        ["run", "#swift", "--format", "ndjson"], environment: networks.anonymous, in: Folder())
      #expect(ended.status == 0, "\(ended.errors)")
      let sources = Set(try ended.objects.compactMap { $0["source"] as? String })
      #expect(sources == Set(Networks.sources).subtracting(["x"]))
    }
  }

  @Test func `A limit applies after merging`() async throws {
    try await Networks.with { networks in
      let folder = try Folder()
      let whole = try await Program.searchagg.run(
        ["run", "#swift", "--format", "ndjson", "--per-search", "40"],
        environment: networks.environment, in: folder)
      let limited = try await Program.searchagg.run(
        ["run", "#swift", "--format", "ndjson", "--per-search", "40", "-n", "10"],
        environment: networks.environment, in: folder)
      #expect(Array(limited.lines.prefix(10)) == Array(whole.lines.prefix(10)))
      #expect(limited.lines.count == 11)
    }
  }

  @Test func `Stored tags are searched, each post once with all the tags that found it`()
    async throws
  {
    try await Networks.with { networks in
      let folder = try Folder()
      let environment = networks.environment
      for arguments in [["add", "#swift"], ["add", "curl", "--source", "hackernews"]] {
        let added = try await Program.searchagg.run(
          ["tags"] + arguments, environment: environment, in: folder)
        #expect(added.status == 0, "\(added.errors)")
      }
      let ended = try await Program.searchagg.run(
        ["run", "--format", "ndjson"], environment: environment, in: folder)
      #expect(ended.status == 0, "\(ended.errors)")
      let outcomes = try #require(try ended.objects.last?["outcomes"] as? [[String: Any]])
      let asked = outcomes.map { "\($0["tag"] ?? "") \($0["source"] ?? "")" }
      #expect(asked == Networks.sources.map { "#swift \($0)" } + ["curl hackernews"])
    }
  }

  @Test func `A closed reader ends the run quietly`() async throws {
    try await Networks.with { networks in
      let folder = try Folder()
      let script = "\"$SEARCHAGG\" run '#swift' --per-search 100 | head -n 1"
      var environment = networks.environment
      environment["SEARCHAGG"] = Program.searchagg.path
      let ended = try await Program(path: "/bin/sh").run(
        ["-c", "set -e; \(script)"], environment: environment, in: folder)
      #expect(ended.status == 0)
      #expect(ended.errors == "")
    }
  }

  @Test func `A plain run keeps what it found though its reader has gone`() async throws {
    try await Networks.with { networks in
      var kept: [[Substring]] = []
      for reader in ["head -n 1", "cat"] {
        let folder = try Folder()
        let read = try await run("", into: reader, networks, in: folder)
        #expect(read.status == 0)
        #expect(read.errors == "")
        let listed = try await Program.searchagg.run(
          ["history", "list", "--format", "ndjson", "--posts-only", "--fields", "id"],
          environment: networks.environment, in: folder)
        kept.append(listed.output.split(separator: "\n"))
      }
      #expect(kept[0] == kept[1])
      #expect(kept[0].count > 200)
    }
  }

  @Test func `New posts that nobody has read are new to the next run`() async throws {
    try await Networks.with { networks in
      let folder = try Folder()
      let cut = try await run("--new-all --format ndjson", into: "head -n 1", networks, in: folder)
      #expect(cut.output.split(separator: "\n").count == 1)
      let whole = try await run("--new-all --format ndjson", into: "cat", networks, in: folder)
      #expect(whole.output.split(separator: "\n").count > 200)
    }
  }

  /// Runs a search whose output is longer than a pipe, with a reader of it.
  private func run(
    _ options: String, into reader: String, _ networks: Networks, in folder: Folder
  ) async throws -> Program.Ended {
    var environment = networks.environment
    environment["SEARCHAGG"] = Program.searchagg.path
    environment["SEARCHAGG_NO_HISTORY"] = "false"
    environment["SEARCHAGG_SOURCE"] = "mastodon,hackernews,bluesky"
    let search = "\"$SEARCHAGG\" run '#swift' --per-search 100 \(options)"
    return try await Program(path: "/bin/sh").run(
      ["-c", "\(search) | \(reader)"], environment: environment, in: folder)
  }

  @Test func `A query in the network's own syntax is sent as it was typed`() async throws {
    try await Networks.with { networks in
      let query = #"c++ & "é" #1 😀 100% a/b?"#
      let ended = try await Program.searchagg.run(
        ["run", query, "--source", "hackernews", "--raw"], environment: networks.environment,
        in: Folder())
      #expect(ended.status == 0, "\(ended.errors)")
      let received = networks.simulator.counters.requests.map(\.query)
      let encoded =
        "query=c%2B%2B%20%26%20%22%C3%A9%22%20%231%20%F0%9F%98%80%20100%25%20a%2Fb%3F"
      #expect(received.contains { $0.contains(encoded) }, "\(received)")
    }
  }
}
