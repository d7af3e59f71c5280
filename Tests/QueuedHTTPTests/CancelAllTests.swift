import Dispatch
import QueuedHTTP
import Testing

@Suite struct CancelAllTests {
  @Test func `A hundred thousand that wait and 256 that run end once each, and nothing is left`()
    async throws
  {
    let server = try LoopbackServer { request in request.target == "/" ? .ok("x") : .stall }
    defer { server.close() }
    var configuration = HTTPClient.Configuration()
    configuration.concurrency = 256
    configuration.perLane = 256
    let client = HTTPClient(configuration: configuration)
    let ends = Ends()
    let (running, queued) = (256, 100_000)
    for _ in 0..<(running + queued) {
      client.enqueue(patient(url: server.url("/stall")), on: ends.queue, completion: ends.take)
    }
    await server.arrived(running)
    #expect(client.counts.running == running)
    #expect(client.counts.queued == queued)
    await client.cancelAll()
    // Nothing runs or waits any more by now, however long it takes to tell all of them.
    #expect(client.counts.underWay == 0)
    #expect(client.counts.cancelled == running + queued)
    await server.isDeserted()
    await ends.reached(running + queued)
    // The client goes on, and behind its next end there is no second one of the others.
    let response = try await client.send(patient(url: server.url()))
    #expect(response.status == 200)
    await client.shutdown()
    ends.queue.sync {}
    #expect(ends.results.count == running + queued)
    #expect(ends.codes.allSatisfy { $0 == .cancelled })
    // None of those that waited was sent.
    #expect(server.targets.count == running + 1)
  }
}
