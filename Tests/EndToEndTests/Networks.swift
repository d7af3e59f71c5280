import Foundation
import NetworkSimulator

/// Simulated networks for one test, and the environment that leads a process there.
struct Networks {
  /// A moment that all answers are relative to.
  static let now = "2026-11-20T12:00:00Z"

  /// The sources that these tests run; the simulator speaks more.
  static let sources = ["twitter-classic", "x", "bluesky", "mastodon", "hackernews"]

  let simulator: Simulator

  /// Starts them, calls `body`, and stops them again whatever it did.
  static func with<Result>(
    seed: UInt64 = 7, written: @escaping @Sendable () -> Date? = { nil },
    _ body: (Networks) async throws -> Result
  ) async throws -> Result {
    let now = try Date(now, strategy: .iso8601)
    let simulator = try await Simulator.start(
      seed: seed, now: now, clock: { Date.now }, written: written)
    do {
      let result = try await body(Networks(simulator: simulator))
      await simulator.stop()
      return result
    } catch {
      await simulator.stop()
      throw error
    }
  }

  /// Addresses, credentials and the moment of all networks.
  var environment: [String: String] {
    // No test but those that say so is about how long an answer takes.
    let own = [
      "SEARCHAGG_NOW": Self.now, "SEARCHAGG_SOURCE": Self.sources.joined(separator: ","),
      "SEARCHAGG_TIMEOUT": "10m",
    ]
    return simulator.environment.merging(own) { _, own in own }
  }

  /// The same for runs that keep a history.
  var withHistory: [String: String] {
    environment.merging(["SEARCHAGG_NO_HISTORY": "false"]) { $1 }
  }

  /// The same without a credential.
  var anonymous: [String: String] {
    environment.filter { $0.key.hasPrefix("SEARCHAGG_") }
  }

  /// The same, with faults for some sources.
  func environment(faults: [String: String]) -> [String: String] {
    var environment = environment
    for (source, fault) in faults {
      environment[Self.variable(of: source)] = simulator.address(of: source, fault: fault)
    }
    return environment
  }

  static func variable(of source: String) -> String {
    "SEARCHAGG_\(source.uppercased().replacingOccurrences(of: "-", with: "_"))_URL"
  }
}
