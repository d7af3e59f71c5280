import QueuedHTTP
import Testing

@Suite struct CacheIdentityTests: CacheAsking {
  let clock = SetClock()

  @Test func `Each host that a request names has answers of its own`() async throws {
    let server = try LoopbackServer {
      .ok($0.header("Host") ?? "", headers: ["Cache-Control: max-age=3600"])
    }
    defer { server.close() }
    let client = client(MemoryCache())
    for _ in 0..<2 {
      for host in ["one.example", "other.example"] {
        let response = try await ask(client, server.url(), ["host": host])
        #expect(response.body.text == host)
      }
    }
    #expect(server.targets.count == 2)
    await client.shutdown()
  }

  private enum End: CaseIterable { case cancel, cancelAll, task }

  @Test(arguments: End.allCases)
  private func `A POST that was canceled after it was sent invalidates the stored response`(
    end: End
  ) async throws {
    let server = try LoopbackServer {
      $0.method == "POST" ? .stall : .ok("x", headers: ["Cache-Control: max-age=3600"])
    }
    defer { server.close() }
    let client = client(MemoryCache())
    #expect(try await ask(client, server.url()).origin == .network)
    #expect(try await ask(client, server.url()).origin == .stored)
    let post = patient(.post, url: server.url(), body: [1])
    let ends = Ends()
    switch end {
    case .cancel, .cancelAll:
      let operation = client.enqueue(post, on: ends.queue, completion: ends.take)
      await server.arrived(2)
      if end == .cancel { operation.cancel() } else { await client.cancelAll() }
      await ends.reached(1)
      #expect(ends.codes == [.cancelled])
    case .task:
      let task = Task { try await client.send(post) }
      await server.arrived(2)
      task.cancel()
      await #expect(throws: HTTPError.self) { _ = try await task.value }
    }
    #expect(try await ask(client, server.url()).origin == .network)
    await client.shutdown()
  }

  @Test func `A POST that was canceled before it was sent changes nothing`() async throws {
    let server = try LoopbackServer {
      $0.method == "POST" ? .stall : .ok("x", headers: ["Cache-Control: max-age=3600"])
    }
    defer { server.close() }
    let client = client(MemoryCache())
    _ = try await ask(client, server.url())
    client.setConcurrency(0)
    let ends = Ends()
    client.enqueue(
      patient(.post, url: server.url(), body: [1]), on: ends.queue, completion: ends.take
    ).cancel()
    await ends.reached(1)
    client.setConcurrency(4)
    #expect(try await ask(client, server.url()).origin == .stored)
    await client.shutdown()
  }
}
