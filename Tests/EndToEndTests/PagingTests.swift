import Foundation
import NetworkSimulator
import TestSupport
import Testing

/// Paging of the built program, on all simulated networks at once.
@Suite(.serialized) struct PagingTests {
  /// Before all posts, and within what X can be asked for.
  private static let beginning = "2026-11-14"

  @Test(arguments: ["1", "30", "400"])
  func `A limit prints the newest of all posts with fewer requests`(
    limit: String
  ) async throws {
    try await Networks.with { networks in
      let everything = try await run(["--since", Self.beginning], on: networks)
      let all = networks.simulator.counters.requests.count
      let newest = try await run(["-n", limit], on: networks)
      let few = networks.simulator.counters.requests.count - all
      #expect(newest.posts == Array(everything.posts.prefix(Int(limit) ?? 0)))
      #expect(few < all, "\(few) requests, not fewer than \(all)")
    }
  }

  @Test func `A stream prints the same bytes`() async throws {
    try await Networks.with { networks in
      let whole = try await run(["--since", Self.beginning], on: networks)
      let stream = try await run(["--since", Self.beginning, "--stream"], on: networks)
      #expect(whole.posts.count > 100)
      #expect(stream.posts == whole.posts)
      #expect(stream.outcomes == whole.outcomes)
    }
  }

  @Test func `A stream prints what is certain while a network still has pages to come`()
    async throws
  {
    try await Networks.with { networks in
      // Its second page never comes.
      let program = try Program.searchagg.start(
        ["run", "swift", "--since", "2000-01-01", "--stream", "--format", "ndjson"],
        environment: networks.environment(faults: ["mastodon": "stall-after=1"]), in: Folder())
      while program.isRunning, try !program.output.contains("\n") {
        try await Task.sleep(for: .milliseconds(10))
      }
      program.send(SIGINT)
      let ended = try await program.ended()
      #expect(ended.signal == SIGINT)
      let objects = try ended.objects
      #expect(objects.last?["incomplete"] as? Bool == true)
      let ids = objects.compactMap { $0["uri"] as? String }
      #expect(ids.count == Set(ids).count, "a post was printed twice")
    }
  }

  @Test(arguments: [
    (["--source", "x", "--max-cost", "25", "--per-search", "300"], "25 posts read"),
    (["--source", "mastodon", "--max-pages", "1", "--since", "2000-01-01"], "--max-pages"),
  ])
  func `A cap on pages or cost makes a search partial, with the reason`(
    arguments: [String], reason: String
  ) async throws {
    try await Networks.with { networks in
      let ended = try await Program.searchagg.run(
        ["run", "swift", "rust", "linux"] + arguments, environment: networks.environment,
        in: Folder())
      #expect(ended.status == 2)
      #expect(ended.errors.contains(reason), "\(ended.errors)")
    }
  }

  @Test func `A search that the default bound on costs ends too early is named`() async throws {
    try await Networks.with { networks in
      let command = ["run", "rust", "linux", "python", "--source", "x", "--per-search"]
      // The first wants fewer posts than the bound allows.
      for (wanted, isNamed) in [("20", false), ("200", true)] {
        let ended = try await Program.searchagg.run(
          command + [wanted], environment: networks.environment, in: Folder())
        #expect(ended.status == 0, "\(ended.errors)")
        #expect(
          ended.errors.contains("stopped at the default bound of 500 posts read per run")
            == isNamed,
          "\(ended.errors)")
      }
    }
  }

  @Test func `A range that a network can never answer is skipped, not failed`() async throws {
    try await Networks.with { networks in
      let ended = try await Program.searchagg.run(
        ["run", "swift", "--source", "x,hackernews", "--until", "30d", "--format", "ndjson"],
        environment: networks.environment, in: Folder())
      #expect(ended.status == 0)
      #expect(
        ended.errors.contains("--until is earlier than the 7 days that this network searches"),
        "\(ended.errors)")
    }
  }

  private func run(
    _ arguments: [String], on networks: Networks
  ) async throws -> (posts: [String], outcomes: String) {
    let ended = try await Program.searchagg.run(
      ["run", "swift", "#linux", "--format", "ndjson", "--max-pages", "100"] + arguments,
      environment: networks.environment, in: Folder())
    #expect(ended.status == 0, "\(ended.errors)")
    let lines = ended.output.split(separator: "\n").map(String.init)
    return (lines.dropLast(), lines.last ?? "")
  }
}
