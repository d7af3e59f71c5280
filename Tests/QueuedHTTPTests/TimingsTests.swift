import QueuedHTTP
import Testing

@Suite struct TimingsTests {
  @Test func `Each stage has its time, and the stages fit into the total`() async throws {
    let gate = Gate()
    let server = try LoopbackServer { $0.target == "/other" ? .ok() : .after(gate, .ok("12345")) }
    defer { server.close() }
    var configuration = HTTPClient.Configuration()
    configuration.concurrency = 1
    let client = HTTPClient(configuration: configuration)
    let other = HTTPClient()
    let ends = Ends()
    // The clock of libcurl and of the client.
    let clock = SuspendingClock()
    let begin = clock.now
    client.enqueue(patient(url: server.url("/first")), on: ends.queue, completion: ends.take)
    await server.arrived(1)
    client.enqueue(patient(url: server.url("/second")), on: ends.queue, completion: ends.take)
    let between = clock.now
    // Takes some time, while the first request has no response and the second has not started.
    for _ in 0..<50 { _ = try await other.send(patient(url: server.url("/other"))) }
    let pause = clock.now - between
    gate.open()
    await ends.reached(2)
    let all = clock.now - begin
    let responses = ends.results.compactMap { try? $0.get() }
    try #require(responses.count == 2)
    let (first, second) = (responses[0].timings, responses[1].timings)
    // libcurl rounds each time to whole microseconds.
    let slack = Duration.microseconds(10)
    #expect(first.firstByte >= pause - slack)
    #expect(second.queued >= pause - slack)
    #expect(first.queued < second.queued)
    for timings in [first, second] {
      #expect(timings.total >= timings.firstByte)
      #expect(
        timings.firstByte >= timings.nameLookup + timings.connect + timings.tls - slack)
      #expect(timings.queued + timings.total <= all + slack)
      #expect(timings.tls == .zero)
      #expect(timings.bytesOnWire == 5)
      #expect(timings.bytesDecoded == 5)
      #expect(timings.attempts == 1)
    }
    #expect(first.connect > .zero)
    #expect(!first.reusedConnection)
    #expect(second.reusedConnection)
    await client.shutdown()
    await other.shutdown()
  }
}
