import Foundation
import NetworkSimulator
import TestSupport
import Testing

/// What the next runs know of a run that a signal ended.
@Suite(.serialized) struct InterruptedRunTests {
  private static let tags = (1...30).map { "#tag\($0)" }

  /// Ends a run after most of Hacker News has answered, while Mastodon never does.
  private func interrupt(
    _ networks: Networks, _ options: String..., in folder: Folder
  ) async throws -> Program.Ended {
    var environment = environment(networks)
    environment["SEARCHAGG_MASTODON_URL"] = networks.simulator.address(
      of: "mastodon", fault: "~stall")
    let running = try Program.searchagg.start(
      ["run"] + Self.tags + ["--format", "ndjson", "--per-host", "1"] + options,
      environment: environment, in: folder)
    defer { if running.isRunning { running.send(SIGKILL) } }
    for _ in 0..<12_000 {
      let requests = networks.simulator.counters.requests
      if requests.count(where: { $0.source == "hackernews" }) >= Self.tags.count { break }
      try await Task.sleep(for: .milliseconds(10))
    }
    running.send(SIGTERM)
    let ended = try await running.ended()
    #expect(ended.signal == SIGTERM)
    return ended
  }

  private func environment(_ networks: Networks) -> [String: String] {
    networks.withHistory.merging(["SEARCHAGG_SOURCE": "hackernews,mastodon"]) { $1 }
  }

  private func run(
    _ networks: Networks, _ options: String..., in folder: Folder
  ) async throws -> Program.Ended {
    let ended = try await Program.searchagg.run(
      ["run"] + Self.tags + ["--format", "ndjson"] + options, environment: environment(networks),
      in: folder)
    #expect(ended.status == 0, "\(ended.errors)")
    return ended
  }

  @Test func `It keeps no posts, and a retry prints what it had with the rest`() async throws {
    try await Networks.with { networks in
      let folder = try Folder()
      let first = try await interrupt(networks, in: folder)
      #expect(try !first.output.printedPosts.isEmpty)
      let kept = try await Program.searchagg.run(
        ["history", "export", "--format", "ndjson"], environment: environment(networks),
        in: folder)
      #expect(try kept.output.printedPosts.isEmpty)
      let retried = try await run(networks, "--retry-failed", in: folder)
      #expect(retried.errors.contains("searches of the run at 2026-11-20T12:00:00Z"))
      let whole = try await run(networks, "--no-state", in: folder)
      #expect(retried.output == whole.output)
    }
  }

  @Test func `What it printed is not new, and everything else is`() async throws {
    try await Networks.with { networks in
      let folder = try Folder()
      let first = try await interrupt(networks, "--new-all", in: folder).output.printedPosts
      #expect(!first.isEmpty)
      let second = try await run(networks, "--new-all", in: folder).output.printedPosts
      #expect(Set(first).isDisjoint(with: second))
      let all = try await run(networks, "--new-all", "--state", "other.db", in: folder).output
        .printedPosts
      #expect(Set(first).union(second) == Set(all))
    }
  }
}
