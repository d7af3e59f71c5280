import Foundation
import NetworkSimulator

/// A simulator with a client for it.
struct SimulatorFixture: Sendable {
  let simulator: Simulator
  let client: RawClient

  var environment: [String: String] { simulator.environment }

  /// The headers that a network wants of one who may.
  func authorized(_ variable: String) -> [String: String] {
    ["Authorization": "Bearer \(environment[variable] ?? "")"]
  }

  /// Begins a session on Bluesky and returns its headers.
  func blueskySession() async throws -> [String: String] {
    let response = try await logIn(password: environment["BLUESKY_APP_PASSWORD"] ?? "")
    return ["Authorization": "Bearer \(response.json["accessJwt"].string ?? "")"]
  }

  func logIn(password: String) async throws -> RawResponse {
    let identifier = environment["BLUESKY_IDENTIFIER"] ?? ""
    return try await client.send(
      "/bluesky/xrpc/com.atproto.server.createSession", method: "POST",
      headers: ["Content-Type": "application/json"],
      body: "{\"identifier\":\"\(identifier)\",\"password\":\"\(password)\"}")
  }
}

/// Runs `body` against a simulator, then stops it.
func withSimulator(
  seed: UInt64 = 7, quotas: Bool = false, _ body: (SimulatorFixture) async throws -> Void
) async throws {
  let simulator = try await Simulator.start(seed: seed, enforcesQuotas: quotas) { Date.now }
  do {
    try await body(
      SimulatorFixture(simulator: simulator, client: RawClient(port: simulator.port)))
  } catch {
    await simulator.stop()
    throw error
  }
  await simulator.stop()
}
