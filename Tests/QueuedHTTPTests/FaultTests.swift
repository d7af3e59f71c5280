import Testing

@testable import QueuedHTTP

@Suite struct FaultTests {
  private func fault(_ answer: Answer, _ change: (inout HTTPRequest) -> Void = { _ in })
    async throws -> HTTPError
  {
    let server = try LoopbackServer { _ in answer }
    defer { server.close() }
    var request = patient(url: server.url("/path?token=secret"), retries: .never)
    change(&request)
    let client = HTTPClient()
    let error = await #expect(throws: HTTPError.self) { try await client.send(request) }
    #expect(client.counts.failed == 1)
    #expect(client.counts.underWay == 0)
    await client.shutdown()
    let found = try #require(error)
    #expect(!found.description.contains("secret"))
    #expect(found.address == server.url("/path"))
    return found
  }

  @Test(arguments: [
    (Answer.reset, HTTPError.Code.connection, "the connection was reset before a response"),
    (.close, .connection, "the server closed the connection without a response"),
    (.garbage, .brokenAnswer, "the server did not reply with HTTP"),
    (.cut(said: 5000, sent: 1024), .brokenAnswer, "the response ended early, after 1,024 bytes"),
    (
      .rawThenReset(Answer.head(200, ["Content-Length: 10"])), .brokenAnswer,
      "the response ended early, after 0 bytes"
    ),
    (
      .rawThenClose(Answer.head(200, ["Transfer-Encoding: chunked"]) + Array("zz\r\n".utf8)),
      .brokenAnswer, "the response has a malformed chunk"
    ),
    (
      .rawThenClose(
        Answer.head(200, ["Transfer-Encoding: chunked"])
          + Array("1\r\na\r\n0\r\nno field\r\n\r\n".utf8)), .brokenAnswer,
      "a header line is malformed"
    ),
    (
      .rawThenClose(Answer.head(101, ["Upgrade: chat", "Connection: Upgrade"])), .brokenAnswer,
      "the server switched to a protocol nobody asked for"
    ),
    (
      .status(200, Array("no gzip".utf8), headers: ["Content-Encoding: gzip"]), .brokenAnswer,
      "the compressed body is corrupt"
    ),
  ])
  func `Each fault of a server has its code and its words`(
    answer: Answer, code: HTTPError.Code, reason: String
  ) async throws {
    let error = try await fault(answer)
    #expect(error.code == code)
    #expect(error.reason == reason)
  }

  @Test func `A refused connection is reported`() async throws {
    let server = try LoopbackServer { _ in .ok() }
    server.close()
    let url = server.url("/x")
    let client = HTTPClient()
    var error: HTTPError?
    // The closed socket may take one more connection before it is gone.
    for _ in 0..<100 where error?.reason != "connection refused" {
      do throws(HTTPError) {
        _ = try await client.send(patient(url: url, retries: .never))
      } catch let failure { error = failure }
    }
    #expect(error?.code == .connection)
    #expect(error?.description == "\(url): connection refused")
    await client.shutdown()
  }

  @Test func `A host name without an address is reported`() async throws {
    let client = HTTPClient()
    let error = await #expect(throws: HTTPError.self) {
      try await client.send(patient(url: "http://no-such-host.invalid/", retries: .never))
    }
    #expect(error?.code == .nameLookup)
    await client.shutdown()
  }

  @Test func `A server that does not speak TLS is a fault of TLS`() async throws {
    let server = try LoopbackServer { _ in .ok() }
    defer { server.close() }
    let client = HTTPClient()
    let url = "https://127.0.0.1:\(server.port)/"
    let error = await #expect(throws: HTTPError.self) {
      try await client.send(patient(url: url, retries: .never))
    }
    #expect(error?.code == .tls)
    await client.shutdown()
  }

  @Test func `An answer that never begins ends by the idle timeout`() async throws {
    let error = try await fault(.stall) { $0.timeouts.idle = .milliseconds(120) }
    #expect(error.code == .idleTimeout)
    #expect(error.reason == "no response for 120 ms")
  }

  @Test func `An answer that stops ends by the idle timeout`() async throws {
    let begun = Answer.head(200, ["Content-Length: 10"]) + [120, 120]
    // On a busy machine the beginning may take longer than a short timeout.
    var reason = ""
    for (wait, words) in [(120, "120 ms"), (4_000, "4 s"), (60_000, "60 s")] {
      let error = try await fault(.rawThenStall(begun)) { $0.timeouts.idle = .milliseconds(wait) }
      #expect(error.code == .idleTimeout)
      reason = error.reason.replacing(words, with: "so long")
      if !reason.hasPrefix("no response") { break }
    }
    #expect(reason == "no more data for so long after 2 bytes")
  }

  @Test func `The idle timeout holds on an open connection as well`() async throws {
    let server = try LoopbackServer { $0.target == "/first" ? .ok() : .stall }
    defer { server.close() }
    let client = HTTPClient()
    _ = try await client.send(patient(url: server.url("/first")))
    let error = await #expect(throws: HTTPError.self) {
      try await client.send(
        patient(
          url: server.url(), timeouts: Timeouts(connect: nil, idle: .milliseconds(50), total: nil)))
    }
    #expect(error?.code == .idleTimeout)
    #expect(server.seen.connections == 1)
    await client.shutdown()
  }

  @Test func `A transfer that takes too long ends by the total timeout`() async throws {
    let error = try await fault(.stall) { $0.timeouts.total = .milliseconds(120) }
    #expect(error.code == .totalTimeout)
    #expect(error.reason == "not finished after 120 ms")
  }

  @Test func `A connection that does not come ends by the connect timeout`() async throws {
    let listener = try FullBacklog()
    defer { listener.close() }
    let client = HTTPClient()
    let request = patient(
      url: "http://127.0.0.1:\(listener.port)/",
      timeouts: Timeouts(connect: .milliseconds(150), idle: .milliseconds(20)), retries: .never)
    let error = await #expect(throws: HTTPError.self) { try await client.send(request) }
    #expect(error?.code == .connectTimeout)
    #expect(error?.reason == "no connection after 150 ms")
    await client.shutdown()
  }

  @Test func `A body is bounded after decompression`() async throws {
    let bomb = Answer.status(200, GzipBomb.mebibyte, headers: ["Content-Encoding: gzip"])
    let error = try await fault(bomb) { $0.bounds.bodyBytes = 64 << 10 }
    #expect(error.code == .tooLarge)
    #expect(error.reason == "body larger than 64 KiB")
    #expect(error.timings.bytesDecoded <= 64 << 10)
  }

  @Test func `A compressed body within the bound is decoded`() async throws {
    let server = try LoopbackServer { _ in
      .status(200, GzipBomb.mebibyte, headers: ["Content-Encoding: gzip"])
    }
    defer { server.close() }
    let client = HTTPClient()
    let response = try await client.send(patient(url: server.url()))
    #expect(response.body.count == 1 << 20)
    #expect(response.timings.bytesOnWire == GzipBomb.mebibyte.count)
    #expect(response.timings.bytesDecoded == 1 << 20)
    await client.shutdown()
  }

  @Test func `A body of just the bound passes, one byte more does not`() async throws {
    let server = try LoopbackServer { _ in .ok(String(repeating: "x", count: 100)) }
    defer { server.close() }
    let client = HTTPClient()
    var request = patient(url: server.url(), bounds: ResponseBounds(bodyBytes: 100))
    #expect(try await client.send(request).body.count == 100)
    request.bounds.bodyBytes = 99
    let error = await #expect(throws: HTTPError.self) { try await client.send(request) }
    #expect(error?.code == .tooLarge)
    await client.shutdown()
  }

  @Test func `Header lines are bounded`() async throws {
    let error = try await fault(.headerFlood(lines: 2_000)) { $0.bounds.headerBytes = 8 << 10 }
    #expect(error.code == .tooLarge)
    #expect(error.reason == "headers larger than 8 KiB")
  }

  @Test(arguments: [
    "http://127.0.0.1/\r\nX: 1", "http://127.0.0.1/a b", "ftp://127.0.0.1/", "no address", "",
    "http://127.0.0.1/\0",
  ])
  func `An address that cannot be sent is a bad request`(url: String) async {
    let client = HTTPClient()
    let error = await #expect(throws: HTTPError.self) {
      try await client.send(patient(url: url))
    }
    #expect(error?.code == .badRequest)
    await client.shutdown()
  }

  @Test(arguments: [("X", "a\r\nY: b"), ("X", "a\0b"), ("X\r\nY", "b"), ("", "b"), ("a b", "c")])
  func `A header that cannot be sent is a bad request`(name: String, value: String) async {
    let client = HTTPClient()
    var request = patient(url: "http://127.0.0.1/")
    request.headers.append(name, value)
    let error = await #expect(throws: HTTPError.self) { try await client.send(request) }
    #expect(error?.code == .badRequest)
    await client.shutdown()
  }
}
