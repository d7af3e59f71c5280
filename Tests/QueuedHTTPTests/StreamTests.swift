import QueuedHTTP
import Testing

@Suite struct StreamTests {
  private let chunk = [UInt8](repeating: 120, count: 1 << 20)

  @Test func `Pieces come as the server sends them`() async throws {
    let gate = Gate()
    let server = try LoopbackServer { _ in
      .pieces(
        [
          Answer.head(200, ["Content-Length: 10", "X-One: 1"]), Array("hello".utf8),
          Array("world".utf8),
        ], gate)
    }
    defer { server.close() }
    let client = HTTPClient()
    gate.open(2)
    let response = try await client.stream(patient(url: server.url("/a")))
    #expect(response.status == 200)
    #expect(response.headers["X-One"] == "1")
    #expect(response.url == server.url("/a"))
    var pieces: [String] = []
    for try await piece in response.body {
      pieces.append(piece.text)
      gate.open()
    }
    #expect(pieces == ["hello", "world"])
    await client.shutdown()
    #expect(client.counts.done == 1)
  }

  @Test func `What is not taken stays with the server`() async throws {
    let gate = Gate(passes: 1 << 40)
    let count = 48
    let server = try LoopbackServer { request in
      if request.target == "/ok" { return .ok() }
      return .pieces(
        [Answer.head(200, ["Content-Length: \(count << 20)"])]
          + Array(repeating: chunk, count: count), gate)
    }
    defer { server.close() }
    let client = HTTPClient()
    let response = try await client.stream(patient(url: server.url()))
    // The worker turns often enough to take in all of it, if it did.
    for _ in 0..<100 { _ = try await client.send(patient(url: server.url("/ok"))) }
    #expect(gate.left > (1 << 40) - count)
    var taken = 0
    for try await piece in response.body {
      taken += piece.count
      #expect(piece.count > 0)
    }
    #expect(taken == count << 20)
    await client.shutdown()
  }

  @Test func `Letting go of a stream cancels its transfer`() async throws {
    let begun = Answer.head(200, ["Content-Length: 10"]) + [120]
    let server = try LoopbackServer { _ in .rawThenStall(begun) }
    defer { server.close() }
    let client = HTTPClient()
    var response: HTTPStreamedResponse? = try await client.stream(patient(url: server.url()))
    #expect(client.counts.running == 1)
    #expect(response?.status == 200)
    response = nil
    #expect(client.counts.underWay == 0)
    await server.isDeserted()
    await client.shutdown()
  }

  @Test func `A stream keeps its client`() async throws {
    let gate = Gate()
    let server = try LoopbackServer { _ in
      .pieces([Answer.head(200, ["Content-Length: 2"]), [120], [121]], gate)
    }
    defer { server.close() }
    gate.open(2)
    var client: HTTPClient? = HTTPClient()
    let response = try await client?.stream(patient(url: server.url()))
    client = nil
    gate.open()
    var count = 0
    for try await piece in try #require(response).body { count += piece.count }
    #expect(count == 2)
  }

  @Test func `A stream that breaks off hands out what came, and then throws`() async throws {
    let server = try LoopbackServer { _ in .cut(said: 5000, sent: 1024) }
    defer { server.close() }
    let client = HTTPClient()
    let response = try await client.stream(patient(url: server.url(), retries: .soon))
    var count = 0
    let error = await #expect(throws: HTTPError.self) {
      for try await piece in response.body { count += piece.count }
    }
    #expect(error?.code == .brokenAnswer)
    #expect(count == 1024)
    // Its head had been handed out, so it is not tried again.
    #expect(server.targets.count == 1)
    await client.shutdown()
  }

  @Test func `A failure before the head is tried again, and then thrown`() async throws {
    let server = try LoopbackServer { request in
      request.target == "/reset" ? .reset : .status(503, Array("busy".utf8))
    }
    defer { server.close() }
    let client = HTTPClient()
    let error = await #expect(throws: HTTPError.self) {
      _ = try await client.stream(patient(url: server.url("/reset"), retries: .soon))
    }
    #expect(error?.code == .connection)
    #expect(server.targets.count == 3)
    let response = try await client.stream(patient(url: server.url(), retries: .soon))
    #expect(server.targets.count == 6)
    #expect(response.status == 503)
    var text = ""
    for try await piece in response.body { text += piece.text }
    #expect(text == "busy")
    await client.shutdown()
  }

  @Test func `An empty body is a stream without pieces`() async throws {
    let server = try LoopbackServer { _ in .status(204) }
    defer { server.close() }
    let client = HTTPClient()
    let response = try await client.stream(patient(url: server.url()))
    #expect(response.status == 204)
    for try await _ in response.body { Issue.record("a piece of nothing") }
    await client.shutdown()
  }

  @Test func `Canceling the task that waits for a piece cancels the transfer`() async throws {
    let begun = Answer.head(200, ["Content-Length: 10"]) + [120]
    let server = try LoopbackServer { _ in .rawThenStall(begun) }
    defer { server.close() }
    let client = HTTPClient()
    let response = try await client.stream(patient(url: server.url()))
    let gate = AsyncStream<Void>.makeStream()
    let task = Task {
      for try await _ in response.body { gate.continuation.yield() }
    }
    for await _ in gate.stream { break }
    task.cancel()
    let error = await #expect(throws: HTTPError.self) { try await task.value }
    #expect(error?.code == .cancelled)
    await server.isDeserted()
    await client.shutdown()
  }

  @Test func `Two hundred streams at once bring every byte in order`() async throws {
    let body = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 / 7) }
    let server = try LoopbackServer { _ in .status(200, body) }
    defer { server.close() }
    let client = HTTPClient()
    try await withThrowingTaskGroup(of: [UInt8].self) { group in
      for _ in 0..<200 {
        group.addTask {
          var bytes: [UInt8] = []
          for try await piece in try await client.stream(patient(url: server.url())).body {
            piece.withUnsafeBytes { bytes.append(contentsOf: $0) }
            await Task.yield()
          }
          return bytes
        }
      }
      for try await bytes in group { #expect(bytes == body) }
    }
    await client.shutdown()
  }
}
