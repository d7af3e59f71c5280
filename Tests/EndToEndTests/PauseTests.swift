import Foundation
import NetworkSimulator
import TestSupport
import Testing

/// Servers that ask for a pause.
@Suite(.serialized) struct PauseTests {
  /// Runs forty tags on one source, and returns how they ended and how many requests were made.
  private func run(
    fault: String, _ arguments: [String] = []
  ) async throws -> (ended: Program.Ended, outcomes: Set<String>, requests: Int) {
    try await Networks.with { networks in
      let ended = try await Program.searchagg.run(
        ["run", "--source", "hackernews", "--format", "ndjson"] + arguments
          + (1...40).map { "#tag\($0)" },
        environment: networks.environment(faults: ["hackernews": fault]), in: Folder())
      let outcomes = try #require(try ended.objects.last?["outcomes"] as? [[String: Any]])
      #expect(outcomes.count == 40)
      return (
        ended, Set(outcomes.compactMap { $0["outcome"] as? String }),
        networks.simulator.counters.total
      )
    }
  }

  @Test func `A 429 without a time ends the other searches of its server at once`() async throws {
    let (ended, outcomes, requests) = try await run(fault: "~status=429")
    #expect(ended.status == 75)
    #expect(outcomes == ["rate_limited"])
    // Those that were under way, once each.
    #expect(requests <= 8)
    #expect(ended.errors.split(separator: "\n").count == 1, "\(ended.errors)")
  }

  @Test func `A refusal takes no answer away that is arriving`() async throws {
    try await Networks.with { networks in
      // The first request is refused when all four are under way, the others are answered later.
      let ended = try await Program.searchagg.run(
        [
          "run", "--source", "hackernews", "--format", "ndjson", "#one", "#two", "#three", "#four",
        ],
        environment: networks.environment(
          faults: ["hackernews": "~latency=2000/~first=status=429:1/~after=latency=1500:1"]),
        in: Folder())
      let outcomes = try #require(try ended.objects.last?["outcomes"] as? [[String: Any]])
      let kinds = outcomes.compactMap { $0["outcome"] as? String }.sorted()
      #expect(kinds == ["completed", "completed", "completed", "rate_limited"])
      #expect(ended.status == 2)
    }
  }

  @Test(arguments: ["10s", "2m"])
  func `A pause that comes with posts keeps to --max-wait`(longest: String) async throws {
    try await Networks.with { networks in
      let ended = try await Program.searchagg.run(
        [
          "run", "--source", "stackexchange", "--format", "ndjson", "--max-wait", longest,
          "--per-host", "1", "backoff150", "one", "two",
        ],
        environment: networks.environment, in: Folder())
      let outcomes = try #require(try ended.objects.last?["outcomes"] as? [[String: Any]])
      #expect(
        outcomes.compactMap { $0["outcome"] as? String } == [
          "completed", "rate_limited", "rate_limited",
        ])
      #expect(outcomes.dropFirst().allSatisfy { $0["until"] is String })
      #expect(!ended.errors.contains("waiting"))
    }
  }

  @Test func `A pause that comes with posts is reported`() async throws {
    try await Networks.with { networks in
      let ended = try await Program.searchagg.run(
        [
          "run", "--source", "stackexchange", "--per-host", "1", "backoff", "backoff two", "three",
        ],
        environment: networks.environment, in: Folder())
      #expect(ended.status == 0)
      #expect(ended.errors.contains("asked for a pause; waiting 1 s"), "\(ended.errors)")
    }
  }

  @Test func `A wait that a server asks for is reported and happens once`() async throws {
    let (ended, outcomes, requests) = try await run(fault: "~retry-after=1")
    #expect(ended.status == 75)
    #expect(outcomes == ["rate_limited"])
    // The first four, and the one that tries again for all.
    #expect(requests <= 5)
    #expect(ended.errors.contains("hackernews (http://127.0.0.1"))
    #expect(ended.errors.contains("asked for a pause; waiting 1 s"))
  }

  @Test(arguments: [["--max-wait", "29s"], ["--max-time", "29s"]])
  func `A wait beyond --max-wait and --max-time does not begin`(bound: [String]) async throws {
    let (ended, outcomes, requests) = try await run(fault: "~retry-after=30", bound)
    #expect(outcomes == ["rate_limited"])
    #expect(requests <= 8)
    #expect(!ended.errors.contains("waiting"))
  }

  @Test func `A wait that a login asks for is reported`() async throws {
    try await Networks.with { networks in
      let ended = try await Program.searchagg.run(
        ["run", "swift", "--source", "bluesky"],
        environment: networks.environment(faults: ["bluesky": "~retry-after=1"]), in: Folder())
      #expect(ended.errors.contains("asked for a pause; waiting 1 s"), "\(ended.errors)")
    }
  }

  @Test func `A wait that a login asks for keeps to --max-wait`() async throws {
    try await Networks.with { networks in
      let ended = try await Program.searchagg.run(
        ["run", "swift", "--source", "bluesky", "--max-wait", "29s"],
        environment: networks.environment(faults: ["bluesky": "~retry-after=30"]), in: Folder())
      #expect(ended.status == 75, "\(ended.errors)")
      #expect(networks.simulator.counters.total == 1)
    }
  }
}
