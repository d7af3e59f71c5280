import Dispatch
import QueuedHTTP
import Synchronization
import Testing

@Suite struct OperationStateTests {
  @Test func `An operation that ran is never queued again before its end is told`() async throws {
    let server = try LoopbackServer { _ in .stall }
    defer { server.close() }
    let client = HTTPClient()
    let blocked = DispatchQueue(label: "tests.blocked")
    let ends = Ends()
    let operation = client.enqueue(
      patient(url: server.url()), on: blocked, completion: ends.take)
    #expect([.queued, .running].contains(operation.state))
    await server.arrived(1)
    #expect(operation.state == .running)
    client.beginCancelAll()
    var seen: Set<HTTPOperation.State> = []
    while operation.state != .cancelled { seen.insert(operation.state) }
    #expect(!seen.contains(.queued))
    await ends.reached(1)
    await client.shutdown()
  }

  @Test func `An operation that waits for its next attempt does not count as queued`() async throws
  {
    let gate = Gate()
    let server = try LoopbackServer { request in
      request.target == "/busy" ? .status(503) : .after(gate, .ok())
    }
    defer { server.close() }
    var configuration = HTTPClient.Configuration()
    configuration.perLane = 1
    let client = HTTPClient(configuration: configuration)
    let ends = Ends()
    let busy = client.enqueue(
      patient(url: server.url("/busy"), retries: RetryPolicy(firstWait: .zero, budget: .days)),
      on: ends.queue, completion: ends.take)
    client.enqueue(patient(url: server.url("/other")), on: ends.queue, completion: ends.take)
    await server.arrived(2)
    // The other one has the only slot now, and this one's wait is over at once.
    for await progress in client.progress where progress.counts.queued == 1 { break }
    #expect(busy.state == .waitingToRetry)
    gate.open()
    await ends.reached(2)
    #expect(busy.state == .finished)
    await client.shutdown()
  }

  /// Runs each job at once, on the thread that brings it.
  private final class Inline: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
      UnownedJob(job).runSynchronously(on: asUnownedTaskExecutor())
    }
  }

  @Test func `Canceling many requests does not block others`() async throws {
    let client = HTTPClient()
    client.setConcurrency(0)
    let firstSeen = Shared(Atomic<Int>(-1))
    let count = 10_000
    let (ends, end) = AsyncStream.makeStream(of: Void.self)
    for _ in 0..<count {
      client.enqueue(
        patient(url: "http://127.0.0.1:9/"), on: Inline(),
        completion: { [weak client] _ in
          end.yield()
          guard firstSeen.value.load(ordering: .relaxed) < 0, let client else { return }
          firstSeen.value.store(client.counts.cancelled, ordering: .relaxed)
        })
    }
    client.cancel { _ in true }
    // So many end on another thread.
    var ended = 0
    for await _ in ends {
      ended += 1
      if ended == count { break }
    }
    let first = firstSeen.value.load(ordering: .relaxed)
    #expect(first > 0 && first <= count / 2, "\(first) ended before the first was told")
    #expect(client.counts.cancelled == count)
    #expect(client.counts.underWay == 0)
    await client.shutdown()
  }
}
