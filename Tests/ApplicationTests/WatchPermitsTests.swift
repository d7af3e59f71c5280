import FoundationEssentials
import QueuedHTTP
import Synchronization
import Testing

@testable import Application
@testable import SharedHistory

/// Which requests a worker lets pass, on a clock that the tests turn.
@Suite struct WatchPermitsTests {
  /// A clock that sleeps turn.
  private final class Clock: Sendable {
    let now = Mutex(Duration.seconds(1000))
    let counted = Mutex(0)
    var steady: SteadyClock {
      SteadyClock(
        now: { self.now.withLock { $0 } },
        sleep: { duration in self.now.withLock { $0 += duration } })
    }
  }

  private static let lane = Lane(rawValue: "a https://a.example")
  private let clock = Clock()

  /// Permits for a lane that allows a request at once and one every four seconds, leased for 100 seconds.
  private func permits(reserved: Int, isLost: Bool = false) -> WatchPermits {
    let permits = WatchPermits(clock: clock.steady)
    permits.use([Self.lane: Self.lane])
    let allowance = WatchAllowance(requests: 4, span: .seconds(12))
    permits.hold(
      Self.lane,
      WatchPermits.Held(
        lease: LaneLease(id: 1, number: 1, lane: SharedLane(), turns: [], begun: 0),
        count: { [clock] _ in
          clock.counted.withLock { $0 += 1 }
          return !isLost
        },
        lane: WatchLane(
          SharedLane(), [allowance], at: .seconds(1000)), reserved: reserved,
        deadline: .seconds(1100), ahead: .zero))
    return permits
  }

  private func pass(_ permits: WatchPermits, _ lane: Lane = Self.lane) async throws -> Bool {
    try await refusal(permits, lane) == nil
  }

  private func refusal(
    _ permits: WatchPermits, _ lane: Lane = Self.lane
  ) async throws -> String? {
    do {
      try await permits.admit(lane)
      return nil
    } catch { return error.reason }
  }

  @Test func `Requests beyond those of the searches are counted, and wait for their tokens`()
    async throws
  {
    let permits = permits(reserved: 3)
    for _ in 0..<3 { #expect(try await pass(permits)) }
    #expect(clock.counted.withLock { $0 } == 0)
    for _ in 0..<3 { #expect(try await pass(permits)) }
    #expect(clock.counted.withLock { $0 } == 3)
    // One at once, the others four seconds apart.
    #expect(clock.now.withLock { $0 } == .seconds(1008))
  }

  @Test func `Nothing passes once the lease may be over, or for a lane that is not leased`()
    async throws
  {
    let permits = permits(reserved: 3)
    #expect(try await pass(permits))
    clock.now.withLock { $0 = .seconds(1100) }
    #expect(try await refusal(permits)?.contains("before it could be renewed") == true)
    permits.renew([], among: permits.leases, until: .seconds(2000))
    #expect(try await refusal(permits) == "another worker has taken over")
    // Whoever asks for something else is none of the searches.
    #expect(try await pass(permits, Lane(rawValue: "other")))
  }

  @Test func `A lease that is renewed goes on, and one that is lost lets nothing more pass`()
    async throws
  {
    let renewed = permits(reserved: 3)
    renewed.renew(Set(renewed.leases), among: renewed.leases, until: .seconds(1200))
    clock.now.withLock { $0 = .seconds(1199) }
    #expect(try await pass(renewed))
    clock.now.withLock { $0 = .seconds(1000) }
    #expect(try await !pass(permits(reserved: 0, isLost: true)))
  }
}
