import Dispatch
import QueuedHTTP
import Synchronization
import Testing

@Suite struct CancelTests {
  private func client(concurrency: Int) -> HTTPClient {
    var configuration = HTTPClient.Configuration()
    configuration.concurrency = concurrency
    configuration.perLane = concurrency
    return HTTPClient(configuration: configuration)
  }

  /// Cancels one request that is in some state, and sees that another then gets its slot.
  private func cancelOne(
    _ request: HTTPRequest, server: LoopbackServer, when isThere: (HTTPClient) async -> Void
  ) async throws {
    let client = client(concurrency: 1)
    let ends = Ends()
    let operation = client.enqueue(request, on: ends.queue, completion: ends.take)
    await isThere(client)
    operation.cancel()
    operation.cancel()
    let response = try await client.send(patient(url: server.url("/ok")))
    #expect(response.status == 200)
    await ends.reached(1)
    await client.shutdown()
    ends.queue.sync {}
    #expect(ends.codes == [.cancelled])
    #expect(ends.results.count == 1)
    #expect(operation.state == .cancelled)
    #expect(client.counts.cancelled == 1)
    #expect(client.counts.underWay == 0)
  }

  @Test func `A canceled request without a response frees its slot at once`() async throws {
    let server = try LoopbackServer { $0.target == "/ok" ? .ok() : .stall }
    defer { server.close() }
    try await cancelOne(patient(url: server.url()), server: server) { _ in
      await server.arrived(1)
    }
  }

  @Test func `A canceled request that is receiving frees its slot at once`() async throws {
    let part = Answer.head(200, ["Content-Length: 10"]) + [120]
    let server = try LoopbackServer { $0.target == "/ok" ? .ok() : .rawThenStall(part) }
    defer { server.close() }
    try await cancelOne(patient(url: server.url()), server: server) { _ in
      await server.arrived(1)
    }
  }

  @Test func `A canceled request that is connecting frees its slot at once`() async throws {
    let backlog = try FullBacklog()
    defer { backlog.close() }
    let server = try LoopbackServer { _ in .ok() }
    defer { server.close() }
    let request = patient(url: "http://127.0.0.1:\(backlog.port)/")
    try await cancelOne(request, server: server) { client in
      #expect(client.counts.running == 1)
    }
  }

  @Test func `A canceled request between redirects frees its slot at once`() async throws {
    let server = try LoopbackServer { request in
      switch request.target {
      case "/ok": .ok()
      case "/": .redirect(to: "/next")
      default: .stall
      }
    }
    defer { server.close() }
    try await cancelOne(patient(url: server.url()), server: server) { _ in
      await server.arrived(2)
    }
  }

  @Test func `A canceled request that waits for a retry does not come back`() async throws {
    let server = try LoopbackServer { request in
      request.target == "/ok" ? .ok() : .status(503, headers: ["Retry-After: 36000"])
    }
    defer { server.close() }
    let client = client(concurrency: 1)
    let ends = Ends()
    let operation = client.enqueue(
      patient(url: server.url(), lane: Lane(rawValue: "slow")), on: ends.queue,
      completion: ends.take)
    // Its slot is free while it waits, so another lane's request can run.
    await server.arrived(1)
    _ = try await client.send(patient(url: server.url("/ok")))
    #expect(operation.state == .waitingToRetry)
    #expect(client.counts.waitingToRetry == 1)
    operation.cancel()
    await ends.reached(1)
    #expect(ends.codes == [.cancelled])
    #expect(client.counts.waitingToRetry == 0)
    #expect(server.targets == ["/", "/ok"])
    await client.shutdown()
  }

  @Test func `A request that is canceled in the queue is never sent`() async throws {
    let gate = Gate()
    let server = try LoopbackServer { _ in .after(gate, .ok()) }
    defer { server.close() }
    let client = client(concurrency: 1)
    let ends = Ends()
    client.enqueue(patient(url: server.url("/1")), on: ends.queue, completion: ends.take)
    let second = client.enqueue(
      patient(url: server.url("/2")), on: ends.queue, completion: ends.take)
    second.cancel()
    await ends.reached(1)
    #expect(ends.codes == [.cancelled])
    gate.open()
    await ends.reached(2)
    #expect(server.targets == ["/1"])
    await client.shutdown()
  }

  @Test func `Canceling a task cancels its request`() async throws {
    let server = try LoopbackServer { _ in .stall }
    defer { server.close() }
    let client = client(concurrency: 4)
    let task = Task { try await client.send(patient(url: server.url())) }
    await server.arrived(1)
    task.cancel()
    let error = await #expect(throws: HTTPError.self) { try await task.value }
    #expect(error?.code == .cancelled)
    await server.isDeserted()
    #expect(client.counts.running == 0)
    // A task that is canceled before it sends sends nothing.
    let late = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await client.send(patient(url: server.url("/late")))
    }
    let second = await #expect(throws: HTTPError.self) { try await late.value }
    #expect(second?.code == .cancelled)
    await client.shutdown()
    #expect(client.counts.cancelled == 2)
  }

  @Test func `Canceling all leaves nothing running or waiting`() async throws {
    let server = try LoopbackServer { $0.target == "/ok" ? .ok() : .stall }
    defer { server.close() }
    let client = client(concurrency: 64)
    let ends = Ends()
    for _ in 0..<5_000 {
      client.enqueue(patient(url: server.url()), on: ends.queue, completion: ends.take)
    }
    await server.arrived(64)
    #expect(client.counts.running == 64)
    await client.cancelAll()
    #expect(client.counts.underWay == 0)
    await server.isDeserted()
    await ends.reached(5_000)
    #expect(ends.codes.allSatisfy { $0 == .cancelled })
    #expect(client.counts.cancelled == 5_000)
    // The client goes on.
    #expect(try await client.send(patient(url: server.url("/ok"))).status == 200)
    await client.shutdown()
    ends.queue.sync {}
    #expect(ends.results.count == 5_000)
  }

  @Test func `After a storm of cancels every request has one end and every slot is free`()
    async throws
  {
    let server = try LoopbackServer { request in
      switch request.target.utf8.count % 4 {
      case 0: .stall
      case 1: .reset
      case 2: .redirect(to: "/longer\(request.target)")
      default: .ok("x")
      }
    }
    defer { server.close() }
    let client = client(concurrency: 8)
    let ends = Ends()
    let operations = (0..<2_000).map { index in
      client.enqueue(
        patient(
          url: server.url("/" + String(repeating: "p", count: index % 7)),
          retries: .soon), on: ends.queue, completion: ends.take)
    }
    await withTaskGroup(of: Void.self) { group in
      for part in 0..<4 {
        group.addTask {
          for index in stride(from: part, to: operations.count, by: 4) {
            operations[index].cancel()
          }
        }
      }
    }
    await ends.reached(2_000)
    #expect(client.counts.underWay == 0)
    await client.shutdown()
    ends.queue.sync {}
    #expect(ends.results.count == 2_000)
    let counts = client.counts
    #expect(counts.done + counts.failed + counts.cancelled == 2_000)
  }
}
