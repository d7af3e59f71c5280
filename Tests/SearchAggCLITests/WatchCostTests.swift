import Application
import Foundation
import NetworkSimulator
import SearchAggCLI
import Synchronization
import TestSupport
import Testing

/// A watch on a network that charges, with the real command over loopback and a clock that jumps.
@Suite(.serialized) struct WatchCostTests {
  /// The number of posts that watching for a time prints.
  private func posts(maxCost: Int, for time: String = "23h") async throws -> Int {
    let passed = Mutex(Duration.zero)
    let begin = Simulator.fixedNow.addingTimeInterval(-86_400)
    let now: @Sendable () -> Date = {
      begin.addingTimeInterval(passed.withLock { $0 } / .seconds(1))
    }
    let simulator = try await Simulator.start(
      seed: 7, clock: { Simulator.fixedNow }, written: now)
    let folder = try Folder()
    var environment = simulator.environment
    environment["HOME"] = folder["home"]
    environment["SEARCHAGG_TIMEOUT"] = "10m"
    let (output, errors) = (BufferStream(), BufferStream())
    let context = Context(
      environment: environment, workingDirectory: folder.path, input: BufferStream(),
      output: output, errors: errors, now: now,
      steadyClock: SteadyClock(
        now: { passed.withLock { $0 } },
        sleep: { duration in passed.withLock { $0 += duration } }))
    _ = await CommandLineRunner(context: context).run([
      "watch", "#swift", "--source", "x", "--every", "1h", "--for", time, "--format", "plain",
      "--fail-on", "none", "--max-cost", "x=\(maxCost)",
    ])
    await simulator.stop()
    return output.text.split(separator: "\n").count
  }

  @Test func `The rounds of a day share one bound on cost`() async throws {
    let all = try await posts(maxCost: 1_000_000)
    let few = try await posts(maxCost: 60)
    #expect(all > 30)
    // The least page may cost as much as the bound, so only the first round can ask for one.
    let first = try await posts(maxCost: 60, for: "30m")
    #expect(first > 0)
    #expect(few == first, "\(few) of \(all), \(first) in the first round")
  }
}
