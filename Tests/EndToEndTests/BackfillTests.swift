import Foundation
import NetworkSimulator
import TestSupport
import Testing

/// `run --backfill`, with whole processes over networks that stop at a ceiling.
@Suite(.serialized) struct BackfillTests {
  private func arguments(_ source: String, _ posts: Int) -> [String] {
    [
      "run", "plenty\(posts)", "--since", "2026-01-01", "--until", Networks.now, "--format",
      "ndjson",
      "--source", source,
    ]
  }

  /// - Parameter source: A network that takes its time, so that a run is not over before it is killed.
  private func environment(
    _ networks: Networks, slowing source: String? = nil
  ) -> [String: String] {
    var environment = networks.withHistory
    if let source {
      environment["SEARCHAGG_\(source.uppercased())_URL"] =
        networks.simulator.address(of: source, fault: "~latency=100")
    }
    return environment
  }

  /// Starts a run and kills it once a network got as many requests as given; returns whether it was still running.
  private func kill(
    _ arguments: [String], _ source: String, after requests: Int, _ networks: Networks,
    in folder: Folder
  ) async throws -> Bool {
    let before = networks.simulator.counters.count(of: source)
    let run = try Program.searchagg.start(
      arguments, environment: environment(networks, slowing: source), in: folder)
    while run.isRunning, networks.simulator.counters.count(of: source) < before + requests {
      await Task.yield()
    }
    run.send(SIGKILL)
    let ended = try await run.ended()
    guard ended.signal == SIGKILL else { return false }
    #expect(ended.output == "")
    return true
  }

  @Test func `Posts behind a ceiling are all found where the order is not exact`() async throws {
    try await Networks.with { networks in
      let folder = try Folder()
      let ended = try await Program.searchagg.run(
        arguments("youtube", 1200) + [
          "--backfill", "--max-cost", "youtube=100000", "--max-pages", "1000",
        ],
        environment: environment(networks), in: folder)
      #expect(ended.status == 0, "\(ended.errors)")
      // It shows 500 of a search, and leaves one in twenty out of all pages.
      #expect(try ended.output.printedPosts.count > 1100)
    }
  }

  @Test func `A backfill that its bounds end is continued by repeating it`() async throws {
    try await Networks.with { networks in
      let folder = try Folder()
      var found: [Int] = []
      for _ in 0..<3 {
        let ended = try await Program.searchagg.run(
          arguments("youtube", 1200) + ["--backfill", "--max-pages", "20"],
          environment: environment(networks), in: folder)
        found.append(try ended.output.printedPosts.count)
        if ended.status == 0 { break }
        #expect(ended.status == 2, "\(ended.errors)")
      }
      #expect(found.count > 1 && zip(found, found.dropFirst()).allSatisfy { $0 < $1 }, "\(found)")
      #expect(found.last ?? 0 > 1000)
    }
  }

  @Test func `By default a backfill takes as many pages as the bound on costs allows`() async throws
  {
    try await Networks.with { networks in
      let ended = try await Program.searchagg.run(
        arguments("youtube", 1200) + ["--backfill"], environment: environment(networks),
        in: Folder())
      #expect(ended.status == 0, "\(ended.errors)")
      #expect(try ended.output.printedPosts.count > 1100)
    }
  }

  @Test(arguments: [("hackernews", 10_000, 4), ("github", 2500, 9)])
  func `Posts behind a ceiling are all found by a run that was killed twice`(
    source: String, posts count: Int, requests: Int
  ) async throws {
    let plainly = arguments(source, count)
    let arguments = plainly + ["--backfill"]
    try await Networks.with { networks in
      // A plain run cannot get beyond the ceiling, and says so.
      let plain = try await Program.searchagg.run(
        plainly, environment: networks.environment, in: Folder())
      #expect(plain.status == 2)
      #expect(try plain.output.printedPosts.count == 1000)
      let askedByPlain = networks.simulator.counters.count(of: source)

      let whole = try await Program.searchagg.run(
        arguments, environment: environment(networks, slowing: source), in: Folder())
      #expect(whole.status == 0, "\(whole.errors)")
      #expect(try whole.output.printedPosts.count == count)
      let asked = networks.simulator.counters.queries(of: source).dropFirst(askedByPlain)

      var folder = try Folder()
      var askedBefore = networks.simulator.counters.count(of: source)
      var kills = 0
      var starts = 0
      while kills < 2 {
        if try await kill(arguments, source, after: requests, networks, in: folder) {
          kills += 1
          continue
        }
        // On a busy machine a run may end before it is killed.
        starts += 1
        try #require(starts < 10)
        folder = try Folder()
        askedBefore = networks.simulator.counters.count(of: source)
        kills = 0
      }
      let resumed = try await Program.searchagg.run(
        arguments, environment: environment(networks, slowing: source), in: folder)
      #expect(resumed.status == 0, "\(resumed.errors)")
      #expect(resumed.lines.dropLast() == whole.lines.dropLast())
      let outcomes = try #require(try resumed.objects.last?["outcomes"] as? [[String: Any]])
      #expect(outcomes.count == 1)
      #expect(outcomes.first?["posts"] as? Int == count)

      // Only the page that a kill interrupted is asked for again.
      let all = networks.simulator.counters.queries(of: source)
        .dropFirst(askedBefore)
      #expect(all.count <= asked.count + 2, "\(all.count) \(asked.count)")
      #expect(Set(all).count >= all.count - 2)

      let kept = all.count
      let again = try await Program.searchagg.run(
        arguments, environment: environment(networks, slowing: source), in: folder)
      #expect(again.lines.dropLast() == whole.lines.dropLast())
      #expect(
        networks.simulator.counters.queries(of: source).count == askedBefore + kept)
    }
  }

  @Test func `A run that pays for posts goes on where the one before had to stop`() async throws {
    try await Networks.with { networks in
      let folder = try Folder()
      var found: Set<String> = []
      for _ in 1...3 {
        let ended = try await Program.searchagg.run(
          [
            "run", "plenty", "--backfill", "--since", "5d", "--source", "x", "--format", "ndjson",
          ], environment: environment(networks), in: folder)
        let posts = Set(try ended.output.printedPosts)
        let (lost, isLonger) = (found.subtracting(posts), posts.count > found.count + 50)
        #expect(lost.isEmpty)
        #expect(isLonger)
        found = posts
      }
    }
  }

  @Test func `The last hour before a run is read again when it has passed`() async throws {
    try await Networks.with { networks in
      let folder = try Folder()
      var environment = environment(networks)
      let arguments = [
        "run", "#swift", "--backfill", "--since", "2026-11-15", "--source", "hackernews,lobsters",
        "--format", "ndjson",
      ]
      environment["SEARCHAGG_NOW"] = "2026-11-20T02:00:00Z"
      let first = try await Program.searchagg.run(arguments, environment: environment, in: folder)
      #expect(first.status == 0, "\(first.errors)")
      environment["SEARCHAGG_NOW"] = Networks.now
      let before = networks.simulator.counters.count(of: "hackernews")
      let second = try await Program.searchagg.run(arguments, environment: environment, in: folder)
      let queries = networks.simulator.counters.queries(of: "hackernews").dropFirst(before)
      // 2026-11-20T01:00:00Z
      #expect(queries.count == 1)
      #expect(queries.first?.contains("created_at_i%3E%3D1795136400") == true, "\(queries)")
      let fresh = try await Program.searchagg.run(
        arguments, environment: environment, in: Folder())
      #expect(try second.output.printedPosts == fresh.output.printedPosts)
    }
  }

  @Test func `A network that takes no dates is not asked again once it was read`() async throws {
    try await Networks.with { networks in
      let folder = try Folder()
      func run() async throws -> Program.Ended {
        try await Program.searchagg.run(
          [
            "run", "#swift", "--backfill", "--since", "2026-11-15", "--until", "2026-11-20",
            "--source", "lobsters,mastodon", "--format", "ndjson",
          ], environment: environment(networks), in: folder)
      }
      let first = try await run()
      #expect(first.status == 0, "\(first.errors)")
      let asked = networks.simulator.counters.total
      #expect(try await run().lines.dropLast() == first.lines.dropLast())
      #expect(networks.simulator.counters.total == asked)
    }
  }

  @Test func `Other filters are other windows`() async throws {
    try await Networks.with { networks in
      let folder = try Folder()
      func run(_ arguments: String...) async throws -> Program.Ended {
        try await Program.searchagg.run(
          [
            "run", "#swift", "--backfill", "--since", "2026-11-15", "--until", Networks.now,
            "--source", "hackernews", "--format", "ndjson",
          ] + arguments, environment: environment(networks), in: folder)
      }
      let popular = try await run("--min-likes", "400")
      let all = try await run()
      #expect(try popular.output.printedPosts.count < all.output.printedPosts.count)
      #expect(networks.simulator.counters.count(of: "hackernews") == 2)
      #expect(try await run("--min-likes", "400").lines.dropLast() == popular.lines.dropLast())
      #expect(networks.simulator.counters.count(of: "hackernews") == 2)
    }
  }

  @Test func `A window that has lost a post is asked for again`() async throws {
    try await Networks.with { networks in
      let folder = try Folder()
      func run() async throws -> Program.Ended {
        try await Program.searchagg.run(
          [
            "run", "#swift", "--backfill", "--since", "2026-11-15", "--until", Networks.now,
            "--source", "hackernews", "--format", "ndjson",
          ], environment: environment(networks), in: folder)
      }
      let first = try await run()
      let uri = try #require(try first.objects.first?["uri"] as? String)
      let deleted = try await Program.searchagg.run(
        ["history", "delete", uri], environment: environment(networks), in: folder)
      #expect(deleted.status == 0, "\(deleted.errors)")
      #expect(try await run().lines.dropLast() == first.lines.dropLast())
      #expect(networks.simulator.counters.count(of: "hackernews") == 2)
    }
  }

  @Test(arguments: [
    ([], "--since"), (["--since", "2d", "--no-history"], "--no-history"),
    (["--since", "2d", "--no-state"], "--no-state"), (["--since", "2d", "--new"], "--new"),
    (["--since", "2d", "-n", "3"], "--limit"),
    (["--since", "2d", "--per-search", "3"], "--per-search"),
    (["--since", "2d", "--retry-failed"], "--retry-failed"),
    (["--since", "2d", "--record", "r"], "--record"),
  ])
  func `A backfill refuses what contradicts it`(options: [String], named: String) async throws {
    let ended = try await Program.searchagg.run(
      ["run", "a", "--backfill"] + options, environment: ["SEARCHAGG_NO_HISTORY": "false"],
      in: Folder())
    #expect(ended.status == 64)
    #expect(ended.errors.contains(named))
    #expect(ended.errors.split(separator: "\n").count == 1)
  }
}
