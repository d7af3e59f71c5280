import QueuedHTTP
import Testing

@Suite struct StreamEndTests {
  private func taken(
    _ answer: Answer, bound: Int, pausing pauses: Int
  ) async throws -> (bytes: Int, error: HTTPError?) {
    let server = try LoopbackServer { $0.target == "/ok" ? .ok() : answer }
    defer { server.close() }
    let client = HTTPClient()
    let response = try await client.stream(
      patient(url: server.url(), retries: .never, bounds: ResponseBounds(bodyBytes: bound)))
    var bytes = 0
    var error: HTTPError?
    do throws(HTTPError) {
      for try await piece in response.body {
        bytes += piece.count
        // The worker turns meanwhile, and takes in what there is room for.
        for _ in 0..<pauses { _ = try await client.send(patient(url: server.url("/ok"))) }
      }
    } catch let failure { error = failure }
    await client.shutdown()
    return (bytes, error)
  }

  @Test(arguments: [8, 24, 96, 600])
  func `A compressed stream beyond its bound fails, however slow its reader is`(below: Int)
    async throws
  {
    let bomb = Answer.status(200, GzipBomb.mebibyte, headers: ["Content-Encoding: gzip"])
    let (bytes, error) = try await taken(bomb, bound: (1 << 20) - below << 10, pausing: 2)
    #expect(error?.code == .tooLarge)
    #expect(bytes <= 1 << 20)
  }

  @Test(arguments: [1, 8 << 10, 40_000])
  func `A plain stream beyond its bound fails, however slow its reader is`(below: Int)
    async throws
  {
    let body = [UInt8](repeating: 120, count: 700_000)
    let (_, error) = try await taken(.status(200, body), bound: 700_000 - below, pausing: 1)
    #expect(error?.code == .tooLarge)
  }

  @Test
  func `A compressed stream within its limit is received completely, however slow its reader is`()
    async throws
  {
    let bomb = Answer.status(200, GzipBomb.mebibyte, headers: ["Content-Encoding: gzip"])
    let (bytes, error) = try await taken(bomb, bound: 1 << 20, pausing: 2)
    #expect(error == nil)
    #expect(bytes == 1 << 20)
  }

  @Test func `A stream is there with its head, before any of its body`() async throws {
    let gate = Gate(passes: 1)
    let server = try LoopbackServer { _ in
      .pieces([Answer.head(200, ["Content-Length: 2", "X-One: 1"]), [120, 121]], gate)
    }
    defer { server.close() }
    let client = HTTPClient()
    // Only the head comes until the gate is opened.
    let response = try await client.stream(
      patient(url: server.url(), timeouts: Timeouts(idle: .seconds(300)), retries: .never))
    gate.open()
    #expect(response.headers["X-One"] == "1")
    var text = ""
    for try await piece in response.body { text += piece.text }
    #expect(text == "xy")
    await client.shutdown()
  }

  @Test func `A stream by HTTP/2 is there with its head, before any of its body`() async throws {
    let gate = Gate()
    let server = try HTTP2Server { _ in [.status(200), .pass(gate), .data([120], ends: true)] }
    defer { server.close() }
    var configuration = HTTPClient.Configuration()
    configuration.httpVersion = .http2
    let client = HTTPClient(configuration: configuration)
    let response = try await client.stream(
      patient(
        url: "http://127.0.0.1:\(server.port)/", timeouts: Timeouts(idle: .seconds(300)),
        retries: .never))
    gate.open()
    var text = ""
    for try await piece in response.body { text += piece.text }
    #expect(text == "x")
    await client.shutdown()
  }

  @Test func `A redirect, an interim response or a refusal is no head of a stream`() async throws {
    let server = try LoopbackServer { request in
      switch request.target {
      case "/redirect": .redirect(to: "/interim")
      case "/interim":
        .raw(Answer.head(103, ["X: 1"]) + Answer.head(200, ["X: 2", "Content-Length: 0"]))
      default: .status(404, Array("none".utf8))
      }
    }
    defer { server.close() }
    let client = HTTPClient()
    let response = try await client.stream(patient(url: server.url("/redirect")))
    #expect(response.status == 200)
    #expect(response.headers.values(of: "X") == ["2"])
    for try await _ in response.body { Issue.record("a piece of nothing") }
    let refusal = try await client.stream(patient(url: server.url("/none")))
    #expect(refusal.status == 404)
    var text = ""
    for try await piece in refusal.body { text += piece.text }
    #expect(text == "none")
    await client.shutdown()
  }
}
