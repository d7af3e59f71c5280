import Foundation
import NetworkSimulator
import Synchronization
import TestSupport
import Testing

/// `run --retry-failed`, with whole processes.
@Suite(.serialized) struct RetryFailedTests {
  /// A simulator on a port of its own, which the test can start later than the first run.
  private func start(port: UInt16 = 0) async throws -> Simulator {
    let now = try Date(Networks.now, strategy: .iso8601)
    return try await Simulator.start(seed: 7, now: now, port: port, clock: { Date.now })
  }

  @Test func `Only what failed is asked again, and the output is that of a whole run`() async throws
  {
    try await Networks.with { networks in
      let folder = try Folder()
      let dead = try await start()
      let port = dead.port
      await dead.stop()
      var environment = networks.withHistory
      environment["SEARCHAGG_MASTODON_URL"] = dead.address(of: "mastodon")
      let arguments = ["run", "#swift", "libcurl", "--format", "ndjson", "--exclude", "slides"]
      let first = try await Program.searchagg.run(
        arguments, environment: environment, in: folder)
      #expect(first.status == 2, "\(first.errors)")
      let asked = networks.simulator.counters.total

      let alive = try await start(port: port)
      let whole = try await Program.searchagg.run(
        arguments + ["--no-state"], environment: environment, in: folder)
      #expect(whole.status == 0, "\(whole.errors)")
      let askedByWhole = networks.simulator.counters.total - asked
      #expect(askedByWhole > 0)

      let retried = try await Program.searchagg.run(
        arguments + ["--retry-failed"], environment: environment, in: folder)
      #expect(retried.status == 0, "\(retried.errors)")
      #expect(retried.output == whole.output)
      #expect(
        retried.errors
          == "searchagg: retrying 2 of 10 searches of the run at 2026-11-20T12:00:00Z\n")
      #expect(networks.simulator.counters.total == asked + askedByWhole)

      // The run is complete now, in any format.
      let again = try await Program.searchagg.run(
        arguments + ["--retry-failed", "-q"], environment: environment, in: folder)
      #expect(again.output == whole.output)
      #expect(networks.simulator.counters.total == asked + askedByWhole)
      let text = try await Program.searchagg.run(
        ["run", "libcurl", "#swift", "--exclude", "slides", "--retry-failed", "-n", "3"],
        environment: environment, in: folder)
      #expect(text.errors.contains("nothing to retry: the run at 2026-11-20T12:00:00Z completed"))
      #expect(text.output.count > 100)
      await alive.stop()
    }
  }

  @Test func `What a partial search had is kept, even when it fails again`() async throws {
    let later = Mutex(0.0)
    let simulator = try await Simulator.start(
      seed: 7, now: Date(Networks.now, strategy: .iso8601), enforcesQuotas: true,
      clock: { Date(timeIntervalSince1970: 1_000_000 + later.withLock { $0 }) })
    let folder = try Folder()
    var environment = simulator.environment
    environment["SEARCHAGG_NOW"] = Networks.now
    environment["SEARCHAGG_NO_HISTORY"] = "false"
    environment["GITHUB_TOKEN"] = nil
    func run(_ arguments: String...) async throws -> (ended: Program.Ended, outcomes: [String]) {
      let tags = (1...6).map { "plenty tag\($0)" }
      let ended = try await Program.searchagg.run(
        ["run"] + tags + [
          "--source", "github", "--per-search", "150", "--format", "ndjson", "--max-wait", "0",
        ] + arguments, environment: environment, in: folder)
      let outcomes = try ended.objects.last?["outcomes"] as? [[String: Any]] ?? []
      return (ended, outcomes.map { "\($0["outcome"] ?? "")" })
    }
    let first = try await run()
    #expect(first.ended.status == 2, "\(first.ended.errors)")
    #expect(first.outcomes.contains("completed"))
    #expect(first.outcomes.contains { $0 != "completed" })

    // Within the same minute nothing more is allowed, and nothing gets lost.
    let second = try await run("--retry-failed")
    #expect(try second.ended.objects.count == first.ended.objects.count)
    later.withLock { $0 = 61 }
    let third = try await run("--retry-failed")
    #expect(third.ended.status == 0, "\(third.ended.errors)")
    later.withLock { $0 = 122 }
    let half = try await run("--no-state")
    let posts = Set(third.ended.lines.dropLast())
    #expect(posts.isSuperset(of: half.ended.lines.dropLast()))
    #expect(posts.count == third.ended.lines.count - 1)
    #expect(posts.count == 900)
    await simulator.stop()
  }

  @Test func `Searches that a signal canceled are asked again`() async throws {
    let folder = try Folder()
    let simulator = try Program.simulator.start(["--now", Networks.now], in: folder)
    defer { simulator.send(SIGKILL) }
    while try !simulator.output.hasSuffix("ready\n") { await Task.yield() }
    var environment = ["SEARCHAGG_NOW": Networks.now, "SEARCHAGG_NO_HISTORY": "false"]
    for line in try simulator.output.split(separator: "\n") {
      let parts = line.split(separator: "=", maxSplits: 1).map(String.init)
      if parts.count == 2 { environment[parts[0]] = parts[1] }
    }
    let arguments = ["run", "#swift", "--source", "lobsters", "--format", "plain"]
    simulator.send(SIGSTOP)
    let interrupted = try Program.searchagg.start(
      arguments + ["--progress", "always"], environment: environment, in: folder)
    while try interrupted.errors.isEmpty { await Task.yield() }
    interrupted.send(SIGTERM)
    let ended = try await interrupted.ended()
    #expect(ended.signal == SIGTERM)
    #expect(ended.output.hasPrefix("cancelled\t"))
    simulator.send(SIGCONT)
    let retried = try await Program.searchagg.run(
      arguments + ["--retry-failed"], environment: environment, in: folder)
    #expect(retried.status == 0, "\(retried.errors)")
    #expect(retried.lines.count == 20)
    #expect(retried.errors.contains("retrying the only search of the run at"))
  }

  @Test func `Without a run to retry there is one clear line`() async throws {
    try await Networks.with { networks in
      let folder = try Folder()
      func run(_ arguments: String...) async throws -> Program.Ended {
        try await Program.searchagg.run(
          ["run", "#swift", "--source", "lobsters"] + arguments,
          environment: networks.withHistory, in: folder)
      }
      let line =
        "searchagg: no run to retry: the history has none with these tags, sources, filters and dates\n"
      let none = try await run("--retry-failed")
      #expect(none.status == 66)
      #expect(none.errors == line)
      // Neither is one with other filters.
      #expect(try await run("--no-replies").status == 0)
      #expect(try await run("--retry-failed").errors == line)
      #expect(try await run("--retry-failed", "--no-replies").status == 0)
      for options in [["--no-history"], ["--no-state"], ["--new"], ["--record", "r"]] {
        let ended = try await Program.searchagg.run(
          ["run", "#swift", "--retry-failed", "--no-replies", "--source", "lobsters"] + options,
          environment: networks.withHistory, in: folder)
        #expect(ended.status == 64, "\(options): \(ended.errors)")
        #expect(ended.errors.split(separator: "\n").count == 1)
      }
    }
  }

  @Test func `The bounds are those of the run, whatever time has passed`() async throws {
    try await Networks.with { networks in
      let folder = try Folder()
      var environment = networks.withHistory
      let arguments = ["run", "#swift", "--since", "2h", "-n", "10", "--format", "plain"]
      let first = try await Program.searchagg.run(arguments, environment: environment, in: folder)
      #expect(first.status == 0, "\(first.errors)")
      #expect(first.lines.count > 3)
      environment["SEARCHAGG_NOW"] = "2026-11-20T15:00:00Z"
      let asked = networks.simulator.counters.total
      let retried = try await Program.searchagg.run(
        ["run", "#swift", "--since", "2h", "--format", "plain", "--retry-failed"],
        environment: environment, in: folder)
      #expect(retried.output == first.output)
      #expect(networks.simulator.counters.total == asked)
      let more = try await Program.searchagg.run(
        arguments + ["--retry-failed", "-n", "11"], environment: environment, in: folder)
      #expect(more.status == 64)
      #expect(more.errors.contains("fetched only the newest 10 posts"))
    }
  }
}
