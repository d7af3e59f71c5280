import QueuedHTTP
import Testing

/// What servers send over connections that are not in use.
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
    // One that is clean is used again.
    #expect(try await client.send(patient(url: server.url("/third"))).body.text == "second")
    #expect(server.seen.connections == 2)
    await client.shutdown()
  }
}
