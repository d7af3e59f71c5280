import QueuedHTTP
import Testing

/// Bytes that arrive over connections that are not in use.
@Suite struct StrayResponseTests {
  @Test(arguments: [HTTPMethod.get, .post])
  func `A response that nobody asked for answers no request`(method: HTTPMethod) async throws {
    let gate = Gate(passes: 1)
    let server = try LoopbackServer { request in
      guard request.target == "/first" else { return .ok("second") }
      let stray =
        Answer.head(408, ["Content-Length: 5", "Connection: close"]) + Array("stray".utf8)
      return .pieces([Answer.head(200, ["Content-Length: 5"]) + Array("first".utf8), stray], gate)
    }
    defer { server.close() }
    let client = HTTPClient()
    #expect(try await client.send(patient(url: server.url("/first"))).body.text == "first")
    gate.open()
    // Once the server has written it.
    await server.until { $0.requests.count == 1 && $0.atOnce == 0 }
    let second = try await client.send(
      patient(method, url: server.url("/second"), body: method == .post ? [1] : nil))
    #expect(second.status == 200)
    #expect(second.body.text == "second")
    #expect(second.timings.attempts == 1)
    #expect(server.targets == ["/first", "/second"])
    #expect(server.seen.connections == 2)
    // A connection without any is used again.
    #expect(try await client.send(patient(url: server.url("/third"))).body.text == "second")
    #expect(server.seen.connections == 2)
    await client.shutdown()
  }

  @Test func `A body that can be made only once is sent whole over the next connection`()
    async throws
  {
    let gate = Gate(passes: 1)
    let server = try LoopbackServer { request in
      guard request.target == "/first" else { return .ok() }
      return .pieces([Answer.status(200).bytes, Answer.status(408).bytes], gate)
    }
    defer { server.close() }
    let client = HTTPClient()
    _ = try await client.send(patient(url: server.url("/first")))
    gate.open()
    await server.until { $0.requests.count == 1 && $0.atOnce == 0 }
    let (pieces, source) = AsyncStream<[UInt8]>.makeStream()
    for number in 0..<50 { source.yield([UInt8](repeating: UInt8(number), count: 1000)) }
    source.finish()
    _ = try await client.send(
      patient(.post, url: server.url("/second"), retries: .never, upload: .stream { pieces }))
    #expect(server.seen.connections == 2)
    #expect(
      server.seen.requests.last?.body == (0..<50).flatMap { [UInt8](repeating: $0, count: 1000) })
    await client.shutdown()
  }
}
