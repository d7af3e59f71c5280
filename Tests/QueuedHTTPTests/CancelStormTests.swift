import Dispatch
import Glibc
import QueuedHTTP
import Synchronization
import TestSupport
import Testing

/// Counts objects that are alive.
private final class Living: Sendable {
  static let count = Atomic<Int>(0)
  init() { Self.count.add(1, ordering: .relaxed) }
  deinit { Self.count.subtract(1, ordering: .relaxed) }
}

@Suite struct CancelStormTests {
  @Test func `A storm of cancels leaves one end each, and no slot, descriptor, thread or object`()
    async
  {
    await #expect(processExitsWith: .success) {
      let server = try LoopbackServer { request in
        switch request.target {
        case "/stall": .stall
        case "/trickle": .rawThenTrickle(Answer.head(200, ["Content-Length: 1000000"]))
        case "/redirect": .redirect(to: "/stall")
        case "/wait": .status(503)
        default: .ok("x")
        }
      }
      let paths = ["/stall", "/trickle", "/redirect", "/wait", "/ok", "/ok", "/ok", "/ok"]
      // What the system's libraries open with their first use, they keep.
      let first = HTTPClient()
      _ = try await first.send(patient(url: server.url()))
      await first.shutdown()
      await server.isDeserted()
      while OpenResources.threads() > 0 { sched_yield() }
      let before = OpenResources.descriptors()

      var configuration = HTTPClient.Configuration()
      configuration.concurrency = 64
      configuration.perLane = 48
      configuration.chance = { 1 }
      let client = HTTPClient(configuration: configuration)
      let ends = Ends()
      let count = 25_000
      await withTaskGroup(of: Void.self) { group in
        for part in 0..<4 {
          group.addTask {
            var random = SeededRandom(seed: UInt64(part))
            var open: [HTTPOperation] = []
            for index in stride(from: part, to: count, by: 4) {
              let living = Living()
              // A few are never canceled.
              let isSpared = index % 100 == part
              let operation = client.enqueue(
                patient(
                  url: server.url(isSpared ? "/ok" : paths.randomElement(using: &random) ?? ""),
                  lane: Lane(rawValue: "\(index % 3)"),
                  retries: RetryPolicy(firstWait: .hours, longestWait: .hours, budget: .days)),
                priority: RequestPriority.allCases.randomElement(using: &random), on: ends.queue
              ) { result in
                withExtendedLifetime(living) { ends.take(result) }
              }
              if !isSpared { open.append(operation) }
              // Some at once, some that run or wait for long by now, in no order.
              while open.count > Int.random(in: 1...200, using: &random) {
                open.remove(at: Int.random(in: 0..<open.count, using: &random)).cancel()
                if Int.random(in: 0..<4, using: &random) == 0 { await Task.yield() }
              }
            }
            for operation in open { operation.cancel() }
          }
        }
      }
      await ends.reached(count)
      precondition(client.counts.underWay == 0, "a slot is left")
      // All slots are free: as many as the limit says can run.
      let last = (0..<64).map { index in
        client.enqueue(
          patient(url: server.url("/stall"), lane: Lane(rawValue: "last \(index % 2)")),
          on: ends.queue, completion: ends.take)
      }
      precondition(client.counts.running == 64, "a slot is not free")
      for operation in last { operation.cancel() }
      await ends.reached(count + 64)
      let counts = client.counts
      precondition(counts.done + counts.failed + counts.cancelled == count + 64)
      precondition(counts.failed == 0 && counts.done >= 250 && counts.cancelled > 64)
      await client.shutdown()
      ends.queue.sync {}
      precondition(ends.results.count == count + 64, "a request had two ends")
      precondition(Living.count.load(ordering: .relaxed) == 0, "an object is left")
      await server.isDeserted()
      while OpenResources.threads() > 0 { sched_yield() }
      precondition(OpenResources.descriptors() == before, "a descriptor is left")
      exit(0)
    }
  }
}
