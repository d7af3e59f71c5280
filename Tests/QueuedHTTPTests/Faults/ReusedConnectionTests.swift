import QueuedHTTP
import Testing

@Suite struct ReusedConnectionTests {
  enum Fault: CaseIterable { case close, reset }

  /// Answers the first request of each connection, and ends the connection at the next one.
  private func server(_ fault: Fault) throws -> LoopbackServer {
    try LoopbackServer { request in
      if request.earlierOnConnection == 0 { return .ok("fine") }
      return switch fault {
      case .close: .close
      case .reset: .reset
      }
    }
  }

  @Test(arguments: Fault.allCases, [HTTPMethod.post, .patch])
  func `A request that is not idempotent is sent once, whatever becomes of its connection`(
    fault: Fault, method: HTTPMethod
  ) async throws {
    let server = try server(fault)
    defer { server.close() }
    let client = HTTPClient()
    for body in [nil, [UInt8](repeating: 120, count: 10)] {
      // Two requests: the first opens a connection, or has the one before closed.
      _ = try await client.send(patient(url: server.url("/first")))
      let error = await #expect(throws: HTTPError.self) {
        _ = try await client.send(patient(method, url: server.url("/once"), body: body))
      }
      #expect(error?.code == .connection)
      #expect(error?.timings.attempts == 1)
    }
    #expect(server.targets.filter { $0 == "/once" }.count == 2)
    await client.shutdown()
  }

  @Test(arguments: Fault.allCases, [HTTPMethod.get, .put, .delete])
  func `An idempotent request is sent again on another connection, and that is counted`(
    fault: Fault, method: HTTPMethod
  ) async throws {
    let server = try server(fault)
    defer { server.close() }
    let client = HTTPClient()
    _ = try await client.send(patient(url: server.url("/first")))
    let response = try await client.send(patient(method, url: server.url("/again")))
    #expect(response.body.text == "fine")
    #expect(response.timings.attempts == 2)
    #expect(server.targets == ["/first", "/again", "/again"])
    await client.shutdown()
  }

  @Test func `A POST is sent again if its policy includes it`() async throws {
    let server = try server(.close)
    defer { server.close() }
    let client = HTTPClient()
    _ = try await client.send(patient(url: server.url("/first")))
    let response = try await client.send(
      patient(.post, url: server.url("/again"), retries: RetryPolicy(methods: [.post])))
    #expect(response.timings.attempts == 2)
    #expect(server.targets == ["/first", "/again", "/again"])
    await client.shutdown()
  }

  @Test(arguments: Fault.allCases, [HTTPMethod.get, .put])
  func `Without retries an idempotent request is sent only once`(
    fault: Fault, method: HTTPMethod
  ) async throws {
    let server = try server(fault)
    defer { server.close() }
    let client = HTTPClient()
    _ = try await client.send(patient(url: server.url("/first")))
    let error = await #expect(throws: HTTPError.self) {
      _ = try await client.send(patient(method, url: server.url("/once"), retries: .never))
    }
    #expect(error?.code == .connection)
    #expect(error?.timings.attempts == 1)
    #expect(server.targets == ["/first", "/once"])
    await client.shutdown()
  }

  @Test func `A connection that the server half-closed is closed, though nothing else is sent`()
    async throws
  {
    let server = try LoopbackServer { _ in
      .rawThenHalfClose(Answer.head(200, ["Content-Length: 0"]))
    }
    defer { server.close() }
    let client = HTTPClient()
    _ = try await client.send(patient(url: server.url()))
    await server.isDeserted()
    // The next request meets no dead connection.
    _ = try await client.send(patient(.post, url: server.url(), retries: .never))
    #expect(server.targets.count == 2)
    await client.shutdown()
  }
}
