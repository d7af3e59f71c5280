import QueuedHTTP
import Testing

@Suite struct LimitTests {
  private func client(
    concurrency: Int, perLane: Int = 1_000,
    _ change: (inout HTTPClient.Configuration) -> Void = { _ in }
  ) -> HTTPClient {
    var configuration = HTTPClient.Configuration()
    configuration.concurrency = concurrency
    configuration.perLane = perLane
    change(&configuration)
    return HTTPClient(configuration: configuration)
  }

  @Test(arguments: [(3, 100), (100, 3)])
  func `No more run at once than the limits say`(concurrency: Int, perLane: Int) async throws {
    let gate = Gate()
    let server = try LoopbackServer { _ in .after(gate, .ok()) }
    defer { server.close() }
    let client = client(concurrency: concurrency, perLane: perLane)
    try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<30 {
        group.addTask { try await client.send(patient(url: server.url())).status }
      }
      await server.arrived(3)
      gate.open()
      for try await status in group { #expect(status == 200) }
    }
    #expect(server.seen.mostAtOnce == 3)
    #expect(server.seen.requests.count == 30)
    #expect(client.counts.done == 30)
    #expect(client.counts.underWay == 0)
    await client.shutdown()
  }

  @Test func `Requests of one class start as they came, higher classes before`() async throws {
    let gate = Gate()
    let server = try LoopbackServer { _ in .after(gate, .ok()) }
    defer { server.close() }
    let client = client(concurrency: 1) { $0.ageing = .hours }
    let ends = Ends()
    client.enqueue(patient(url: server.url("/first")), on: ends.queue, completion: ends.take)
    await server.arrived(1)
    for index in 0..<3 {
      client.enqueue(
        patient(url: server.url("/normal\(index)")), on: ends.queue, completion: ends.take)
    }
    for index in 0..<2 {
      client.enqueue(
        patient(url: server.url("/high\(index)")), priority: .veryHigh, on: ends.queue,
        completion: ends.take)
    }
    let low = client.enqueue(
      patient(url: server.url("/low")), priority: .veryLow, on: ends.queue,
      completion: ends.take)
    let raised = client.enqueue(
      patient(url: server.url("/raised")), priority: .veryLow, on: ends.queue,
      completion: ends.take)
    raised.setPriority(.veryHigh)
    #expect(low.state == .queued)
    gate.open()
    await ends.reached(8)
    #expect(
      server.targets == [
        "/first", "/high0", "/high1", "/raised", "/normal0", "/normal1", "/normal2", "/low",
      ])
    await client.shutdown()
  }

  @Test func `Raising the limit starts waiting requests`() async throws {
    let gate = Gate()
    let server = try LoopbackServer { _ in .after(gate, .ok()) }
    defer { server.close() }
    let client = client(concurrency: 1)
    let ends = Ends()
    for _ in 0..<4 {
      client.enqueue(patient(url: server.url()), on: ends.queue, completion: ends.take)
    }
    await server.arrived(1)
    #expect(client.counts.queued == 3)
    client.setConcurrency(3)
    await server.arrived(3)
    #expect(client.counts.queued == 1)
    #expect(client.counts.running == 3)
    gate.open()
    await ends.reached(4)
    await client.shutdown()
  }

  @Test func `A full queue refuses one more`() async throws {
    let server = try LoopbackServer { _ in .stall }
    defer { server.close() }
    let client = client(concurrency: 1) { $0.capacity = .refuse(above: 1) }
    let ends = Ends()
    for index in 0..<3 {
      client.enqueue(
        patient(url: server.url("/\(index)")), on: ends.queue, completion: ends.take)
    }
    await ends.reached(1)
    #expect(ends.codes == [.queueFull])
    #expect(ends.errors.first?.address == server.url("/2"))
    await client.shutdown()
  }

  @Test func `A full queue drops the one that waits longest, whatever its class`() async throws {
    let gate = Gate()
    let server = try LoopbackServer { _ in .after(gate, .ok()) }
    defer { server.close() }
    let client = client(concurrency: 1) {
      $0.capacity = .dropOldest(above: 2)
      $0.ageing = .hours
    }
    let ends = Ends()
    let classes: [RequestPriority] = [.normal, .veryHigh, .normal, .veryLow, .normal]
    for (index, priority) in classes.enumerated() {
      client.enqueue(
        patient(url: server.url("/\(index)")), priority: priority, on: ends.queue,
        completion: ends.take)
    }
    await ends.reached(2)
    #expect(ends.codes == [.queueFull, .queueFull])
    #expect(ends.errors.map(\.address) == [server.url("/1"), server.url("/2")])
    #expect(
      ends.errors.first?.reason == "dropped for newer requests: the queue is full")
    #expect(client.counts.queued == 2)
    gate.open()
    await ends.reached(5)
    #expect(server.targets == ["/0", "/4", "/3"])
    #expect(client.counts.done == 3)
    #expect(client.counts.failed == 2)
    await client.shutdown()
  }

  @Test func `Waiting in the queue for too long ends a request`() async throws {
    let server = try LoopbackServer { _ in .stall }
    defer { server.close() }
    let client = client(concurrency: 1)
    let ends = Ends()
    client.enqueue(patient(url: server.url()), on: ends.queue, completion: ends.take)
    client.enqueue(
      patient(url: server.url(), timeouts: Timeouts(queue: .milliseconds(50))), on: ends.queue,
      completion: ends.take)
    await ends.reached(1)
    #expect(ends.codes == [.queueTimeout])
    #expect(client.counts.running == 1)
    await client.shutdown()
  }
}
