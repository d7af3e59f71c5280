import Testing

@testable import Application
@testable import SharedHistory

/// A lane on its way from one worker to the next, through a shared state.
@Suite struct SharedLaneTests {
  private let allowance = WatchAllowance(requests: 40, span: .seconds(3600))

  private func next(_ lane: WatchLane, _ before: SharedLane, at now: Duration) -> WatchLane {
    WatchLane(lane.shared(before), [allowance], at: now)
  }

  @Test func `The next worker knows the pauses, the refusals and the silence of a server`() {
    var lane = WatchLane([allowance])
    lane.closedUntil = .milliseconds(5_000_000.25)
    lane.rateLimits = 3
    lane.isSilent = true
    let next = next(lane, SharedLane(), at: .seconds(1))
    #expect(next.closedUntil == .milliseconds(5_000_001))
    #expect(next.rateLimits == 3 && next.isSilent)
    #expect(next.opens == .milliseconds(5_000_001))
  }

  @Test func `The next worker goes on with the allowance that is left`() {
    var lane = WatchLane(SharedLane(), [allowance], at: .seconds(1000))
    // Ten of forty requests are allowed at once, and one every two minutes afterwards.
    lane.refill(until: .seconds(1000))
    lane.take(10)
    #expect(!lane.hasRoom)
    let soon = next(lane, SharedLane(), at: .seconds(1001))
    #expect(!soon.hasRoom && soon.opens > .seconds(1119) && soon.opens < .seconds(1121))
    #expect(next(lane, SharedLane(), at: .seconds(1121)).hasRoom)
  }

  @Test func `What workers with other limits have counted stays`() {
    var before = SharedLane()
    let other = SharedLane.Bucket(requests: 7, span: 1000, full: 5)
    before.buckets = [other]
    #expect(WatchLane([allowance]).shared(before).buckets.contains(other))
  }
}
