internal import Synchronization

/// Does something so many times, so many at once, and returns how often a second it was done.
public func perSecond(
  _ order: Order, _ work: @escaping @Sendable () async throws -> Void
) async throws -> Double {
  let taken = Taken()
  let clock = ContinuousClock()
  let start = clock.now
  try await withThrowingTaskGroup(of: Void.self) { group in
    for _ in 0..<order.atOnce {
      group.addTask {
        while taken.next() < order.requests { try await work() }
      }
    }
    try await group.waitForAll()
  }
  return Double(order.requests) / ((clock.now - start) / .seconds(1))
}

private final class Taken: Sendable {
  private let count = Atomic<Int>(0)

  func next() -> Int { count.wrappingAdd(1, ordering: .relaxed).oldValue }
}
