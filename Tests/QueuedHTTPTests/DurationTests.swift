import Testing

@testable import QueuedHTTP

/// No duration that a caller may set ends the process.
@Suite struct DurationTests {
  private static let extremes: [Duration] = [
    .seconds(Int64.max), .seconds(Int64.min), .nanoseconds(Int64.max), .zero, .seconds(-1),
  ]

  @Test(arguments: extremes)
  func `A pace takes any interval`(interval: Duration) {
    for requests in [Int.min, -1, 0, 1, 2, .max] {
      var gate = TokenBucket(Pace(requests: requests, per: interval), now: .now)
      for _ in 0..<3 {
        _ = gate.opens
        gate.take(at: .now)
      }
    }
  }

  @Test(arguments: extremes)
  func `The queue takes any ageing, budget and timeout`(duration: Duration) {
    var queue = RequestQueue(RequestQueue.Rules(limit: 1, ageing: duration))
    for (index, priority) in RequestPriority.allCases.enumerated() {
      _ = queue.add(
        RequestID(rawValue: UInt64(index)), lane: Lane(rawValue: "a"), priority: priority,
        queueTimeout: duration, budget: duration, now: .now)
    }
    _ = queue.coolDown(Lane(rawValue: "a"), until: .now + duration, now: .now)
    _ = queue.nextDeadline()
    _ = queue.advance(now: .now)
  }

  @Test(arguments: extremes)
  func `A policy takes any wait`(duration: Duration) {
    let policy = RetryPolicy(firstWait: duration, longestWait: duration, budget: duration)
    for retries in [0, 1, 5, 100] {
      _ = RetryRules.backOff(policy, retries: retries, chance: 1)
    }
  }

  @Test(arguments: extremes)
  func `A request takes any timeout`(duration: Duration) async throws {
    let server = try LoopbackServer { _ in .ok() }
    defer { server.close() }
    var configuration = HTTPClient.Configuration()
    configuration.ageing = duration
    let client = HTTPClient(configuration: configuration)
    client.setPace(Pace(requests: 5, per: duration), for: Lane(rawValue: "a"))
    let timeouts = Timeouts(connect: duration, idle: duration, total: duration, queue: nil)
    // It may end by them, but it ends.
    _ = try? await client.send(
      patient(url: server.url(), lane: Lane(rawValue: "a"), timeouts: timeouts, retries: .never))
    await client.shutdown()
  }
}
