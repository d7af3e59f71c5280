import QueuedHTTP
import TestSupport
import Testing

/// By TLS, as servers speak HTTP/2.
@Suite(.enabled(if: TestCertificates.isPossible, "openssl is not installed")) struct HTTP2Tests {
  /// A server by TLS, and a client that trusts it.
  private struct Pair {
    let server: HTTP2Server
    let front: TLSFront
    let certificates: TestCertificates
    let client: HTTPClient
    let url: String

    init(
      streams: UInt32 = 100, window: UInt32 = 65_535, acknowledges: Bool = true,
      version: HTTPVersion = .automatic, _ script: @escaping HTTP2Server.Script
    ) throws {
      server = try HTTP2Server(
        streams: streams, window: window, acknowledges: acknowledges, script)
      certificates = try TestCertificates()
      front = try TLSFront(to: server.port, certificates, protocols: "h2")
      url = "https://127.0.0.1:\(front.port)/"
      var configuration = HTTPClient.Configuration()
      configuration.httpVersion = version
      configuration.perLane = 1_000
      configuration.concurrency = 1_000
      configuration.proxy = ""
      configuration.caFile = certificates.folder["authority.pem"]
      client = HTTPClient(configuration: configuration)
    }

    func post(_ text: String, retries: RetryPolicy = .never) async throws -> HTTPResponse {
      try await client.send(
        patient(.post, url: url, body: Array(text.utf8), retries: retries))
    }

    func close() async {
      await client.shutdown()
      front.close()
      server.close()
      certificates.remove()
    }
  }

  // libcurl refuses another buffer size (error 43) on a handle that keeps the buffer of an earlier
  // HTTP/2 transfer.
  @Test(arguments: [HTTPVersion.automatic, .http2])
  func `Requests that follow one another share a handle and a connection`(version: HTTPVersion)
    async throws
  {
    let pair = try Pair(version: version) { HTTP2Step.ok($0.body) }
    var pauses = Pauses()
    for index in 0..<20 {
      let response = try await pair.post("request \(index)")
      pauses.note()
      #expect(response.status == 200)
      #expect(response.body.text == "request \(index)")
      #expect(response.timings.reusedConnection == (index > 0) || !pauses.areShort)
    }
    if pauses.areShort {
      #expect(pair.server.seen.value.connections == 1)
      #expect(pair.client.counts.connectionsOpened == 1)
      #expect(pair.client.counts.connectionsReused == 19)
    }
    await pair.close()
  }

  @Test func `Requests at once share one connection, and each has its own answer`() async throws {
    let gate = Gate()
    let pair = try Pair { request in [.pass(gate)] + HTTP2Step.ok(request.body) }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for index in 0..<80 {
        group.addTask {
          let response = try await pair.post("request \(index)")
          #expect(response.body.text == "request \(index)")
        }
      }
      await pair.server.seen.until { $0.atOnce == 80 }
      gate.open()
      try await group.waitForAll()
    }
    #expect(pair.server.seen.value.connections == 1)
    #expect(pair.client.counts.connectionsOpened == 1)
    #expect(pair.client.counts.connectionsReused == 79)
    await pair.close()
  }

  @Test func `No more streams are opened at once than the server takes`() async throws {
    let pair = try Pair(streams: 5) { HTTP2Step.ok($0.body) }
    // From here on the first connection's limit is known; a new one's is not until the server states it.
    _ = try await pair.post("first")
    try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<40 { group.addTask { try await pair.post("next").status } }
      for try await status in group { #expect(status == 200) }
    }
    let seen = pair.server.seen.value
    #expect(seen.requests.count == 41)
    let most = try #require(seen.onConnection[1]?.most)
    #expect(most <= 5)
    await pair.close()
  }

  @Test func `Canceling a request ends only its own stream`() async throws {
    let gate = Gate()
    let pair = try Pair { request in
      request.body.isEmpty ? [] : [.pass(gate)] + HTTP2Step.ok(request.body)
    }
    let ends = Ends()
    // With something on the connection, so that libcurl keeps it.
    async let other = pair.post("other")
    await pair.server.seen.until { $0.requests.count == 1 }
    let operation = pair.client.enqueue(
      patient(url: pair.url), on: ends.queue, completion: ends.take)
    await pair.server.seen.until { $0.requests.count == 2 }
    operation.cancel()
    await ends.reached(1)
    gate.open()
    let answer = try await other
    #expect(answer.body.text == "other")
    #expect(pair.server.seen.value.connections == 1)
    #expect(ends.codes == [.cancelled])
    await pair.close()
  }

  @Test func `A stream that nobody reads does not block others on its connection`() async throws {
    let large = [UInt8](repeating: 120, count: 4 << 20)
    let pair = try Pair { $0.body.isEmpty ? HTTP2Step.ok(large) : HTTP2Step.ok($0.body) }
    let streamed = try await pair.client.stream(patient(url: pair.url))
    for index in 0..<20 {
      #expect(try await pair.post("request \(index)").body.text == "request \(index)")
    }
    var count = 0
    for try await piece in streamed.body { count += piece.count }
    #expect(count == large.count)
    #expect(pair.server.seen.value.connections == 1)
    await pair.close()
  }

  @Test(arguments: [1, 16_000, 16_383, 16_384])
  func `A response ends although its head and its last frame fill a buffer of libcurl`(
    count: Int
  ) async throws {
    let body = [UInt8](repeating: 120, count: count)
    let server = try HTTP2Server { _ in
      [.burst([(":status", "200"), ("x-fill", String(repeating: "f", count: 500))], body)]
    }
    defer { server.close() }
    var configuration = HTTPClient.Configuration()
    configuration.httpVersion = .http2
    configuration.proxy = ""
    let client = HTTPClient(configuration: configuration)
    for _ in 0..<3 {
      let response = try await client.send(patient(url: server.url(), retries: .never))
      #expect(response.body.count == count)
    }
    await client.shutdown()
  }

  @Test func `A large upload follows the server's window`() async throws {
    let pair = try Pair { HTTP2Step.ok(Array("\($0.body.count)".utf8)) }
    let body = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0) }
    let response = try await pair.client.send(patient(.put, url: pair.url, body: body))
    #expect(response.body.text == "1000000")
    #expect(pair.server.seen.value.requests.first?.body == body)
    await pair.close()
  }

  @Test func `A window that does not open ends by the idle timeout`() async throws {
    let pair = try Pair(window: 1_000, acknowledges: false) { _ in HTTP2Step.ok() }
    let request = patient(
      .put, url: pair.url, body: [UInt8](repeating: 1, count: 500_000),
      timeouts: Timeouts(connect: nil, idle: .milliseconds(150), total: nil), retries: .never)
    let error = await #expect(throws: HTTPError.self) { try await pair.client.send(request) }
    #expect(error?.code == .idleTimeout)
    #expect(pair.client.counts.underWay == 0)
    await pair.close()
  }

  @Test func `A connection is not reused after a GOAWAY`() async throws {
    let pair = try Pair { request in
      let answer = HTTP2Step.ok(request.body)
      return request.number == 1 ? [.goAway(last: request.stream, 0)] + answer : answer
    }
    for index in 0..<3 {
      #expect(try await pair.post("request \(index)").body.text == "request \(index)")
    }
    let seen = pair.server.seen.value
    #expect(seen.requests.map(\.connection) == [1, 2, 2])
    await pair.close()
  }

  @Test func `A fault of one stream is tried again`() async throws {
    let pair = try Pair { request in
      request.number == 1 ? [.resetStream(2)] : HTTP2Step.ok(Array("late".utf8))
    }
    let response = try await pair.client.send(patient(url: pair.url, retries: .soon))
    #expect(response.body.text == "late")
    #expect(response.timings.attempts == 2)
    #expect(pair.client.counts.done == 1)
    await pair.close()
  }

  @Test func `A client of HTTP/1.1 alone does not take what it does not understand`() async throws {
    let server = try HTTP2Server { _ in HTTP2Step.ok() }
    defer { server.close() }
    var configuration = HTTPClient.Configuration()
    configuration.httpVersion = .http1
    configuration.proxy = ""
    let client = HTTPClient(configuration: configuration)
    let error = await #expect(throws: HTTPError.self) {
      try await client.send(patient(url: server.url(), retries: .never))
    }
    #expect(error?.code == .connection)
    await client.shutdown()
  }
}
