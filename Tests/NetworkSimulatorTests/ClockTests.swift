import Foundation
import NetworkSimulator
import Synchronization
import Testing

@Suite struct ClockTests {
  /// A clock that is set by hand.
  private final class HandClock: Sendable {
    private let date = Mutex(Date(timeIntervalSince1970: 1_800_000_000))

    var now: Date { date.withLock { $0 } }
    func advance(by seconds: Double) { date.withLock { $0 += seconds } }
  }

  private func withClock(
    quotas: Bool, _ body: (SimulatorFixture, HandClock) async throws -> Void
  ) async throws {
    let clock = HandClock()
    let simulator = try await Simulator.start(enforcesQuotas: quotas) { clock.now }
    try await body(
      SimulatorFixture(simulator: simulator, client: RawClient(port: simulator.port)), clock)
    await simulator.stop()
  }

  @Test func `A used-up quota resets when its window ends`() async throws {
    try await withClock(quotas: true) { fixture, clock in
      let target = "/mastodon/api/v1/timelines/tag/swift?limit=1"
      for _ in 0..<300 { _ = try await fixture.client.send(target) }
      clock.advance(by: 200)
      let refused = try await fixture.client.send(target)
      #expect(refused.status == 429)
      #expect(refused.header("X-RateLimit-Reset") == "2027-01-15T08:05:00.000000Z")
      clock.advance(by: 100)
      let granted = try await fixture.client.send(target)
      #expect(granted.status == 200)
      #expect(granted.header("X-RateLimit-Remaining") == "299")
    }
  }

  @Test func `A quota that is not enforced never runs out`() async throws {
    try await withClock(quotas: false) { fixture, _ in
      for _ in 0..<310 {
        let response = try await fixture.client.send("/mastodon/api/v1/timelines/tag/swift?limit=1")
        #expect(response.status == 200)
        #expect(response.header("X-RateLimit-Remaining").flatMap { Int($0) } ?? 0 >= 150)
      }
    }
  }

  @Test func `A session on Bluesky lasts two hours`() async throws {
    try await withClock(quotas: false) { fixture, clock in
      let session = try await fixture.blueskySession()
      let target = "/bluesky/xrpc/app.bsky.feed.searchPosts?q=swift&cursor=25"
      clock.advance(by: 7100)
      let granted = try await fixture.client.send(target, headers: session)
      #expect(granted.status == 200)
      clock.advance(by: 101)
      let refused = try await fixture.client.send(target, headers: session)
      #expect(refused.json["error"].string == "ExpiredToken")
    }
  }
}
