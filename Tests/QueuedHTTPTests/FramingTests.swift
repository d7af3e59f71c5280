import QueuedHTTP
import Testing

@Suite struct FramingTests {
  private func failure(
    _ answer: Answer, _ change: (inout HTTPRequest) -> Void = { _ in }
  ) async throws -> (error: HTTPError?, requests: Int) {
    let server = try LoopbackServer { _ in answer }
    defer { server.close() }
    let client = HTTPClient()
    var request = patient(url: server.url(), retries: .soon)
    change(&request)
    let error = await #expect(throws: HTTPError.self) { _ = try await client.send(request) }
    await client.shutdown()
    return (error, server.targets.count)
  }

  @Test(arguments: [
    ("Content-Length", "3"), ("content-length", "300"), ("Content-Length", ""),
    ("Transfer-Encoding", "chunked"), ("transfer-encoding", "gzip"),
  ])
  func `The fields that frame a body are the client's own`(name: String, value: String)
    async throws
  {
    let server = try LoopbackServer { .ok("\($0.target) \($0.body.count)") }
    defer { server.close() }
    let client = HTTPClient()
    for body in [Array("123456789".utf8), nil] {
      let response = try await client.send(
        patient(.post, url: server.url("/post"), headers: [name: value], body: body))
      #expect(response.body.text == "/post \(body?.count ?? 0)")
      let next = try await client.send(patient(url: server.url("/echo")))
      #expect(next.body.text == "/echo 0")
    }
    #expect(server.targets == ["/post", "/echo", "/post", "/echo"])
    #expect(server.seen.requests.allSatisfy { $0.header("Transfer-Encoding") == nil })
    await client.shutdown()
  }

  @Test func `A client's name with a line break is refused`() async throws {
    let server = try LoopbackServer { _ in .ok() }
    defer { server.close() }
    var configuration = HTTPClient.Configuration()
    configuration.userAgent = "a\r\nX-Injected: b"
    let client = HTTPClient(configuration: configuration)
    let error = await #expect(throws: HTTPError.self) {
      _ = try await client.send(patient(url: server.url()))
    }
    #expect(error?.code == .badRequest)
    #expect(server.targets == [])
    // A request with a name of its own does not need the client's.
    _ = try await client.send(patient(url: server.url(), headers: ["User-Agent": "c"]))
    #expect(server.seen.requests.first?.header("X-Injected") == nil)
    await client.shutdown()
  }

  @Test func `A HEAD request with a body is refused at once`() async throws {
    let server = try LoopbackServer { _ in .raw(Answer.head(200, ["Content-Length: 5"])) }
    defer { server.close() }
    let client = HTTPClient()
    let error = await #expect(throws: HTTPError.self) {
      _ = try await client.send(
        patient(
          .head, url: server.url(), body: [1], timeouts: Timeouts(idle: .milliseconds(300)),
          retries: .never))
    }
    #expect(error?.code == .badRequest)
    #expect(server.targets == [])
    await client.shutdown()
  }

  @Test func `A field whose name begins like a status line is a field`() async throws {
    let server = try LoopbackServer { _ in
      .raw(Answer.head(200, ["X-One: 1", "HTTP/1.1-Gateway: 2", "Content-Length: 0"]))
    }
    defer { server.close() }
    let client = HTTPClient()
    let response = try await client.send(patient(url: server.url()))
    #expect(response.headers["X-One"] == "1")
    #expect(response.headers["HTTP/1.1-Gateway"] == "2")
    await client.shutdown()
  }

  @Test(arguments: ["HTTP/1.1-Gateway: 2", "HTTP/1.1 103 Early\r\nX-Early: 1\r\n"])
  func `The bound of header bytes holds for all lines before the body`(line: String) async throws {
    let filler = (0..<10).map { _ in "X: \(String(repeating: "f", count: 1_000))" }
    let isInterim = line.contains("103")
    let interim = Array("HTTP/1.1 103 Early\r\n".utf8)
    let bytes: [UInt8] =
      isInterim
      ? (0..<5).flatMap { _ in
        interim + Array((filler + ["", ""]).joined(separator: "\r\n").utf8)
      } + Answer.head(200, ["Content-Length: 0"])
      : Answer.head(200, (0..<5).flatMap { _ in filler + [line] } + ["Content-Length: 0"])
    let (error, _) = try await failure(.raw(bytes)) { $0.bounds.headerBytes = 20_000 }
    #expect(error?.code == .tooLarge)
  }

  @Test func `A single line beyond what libcurl takes is too large, and not a lack of memory`()
    async throws
  {
    let line = "X-Long: \(String(repeating: "f", count: 150_000))"
    let (error, requests) = try await failure(.raw(Answer.head(200, [line, "Content-Length: 0"])))
    #expect(error?.code == .tooLarge)
    #expect(requests == 1)
  }

  @Test(arguments: [["Content-Length: 2", "Content-Length: 5"], ["Content-Length: 2, 5"]])
  func `Two lengths that differ break the answer`(fields: [String]) async throws {
    let (error, _) = try await failure(.rawThenClose(Answer.head(200, fields) + [120, 120]))
    #expect(error?.code == .brokenAnswer)
  }

  @Test(arguments: [
    "Content-Length: ten", "Content-Length: -1", "Content-Length: +2", "Content-Length: 0x2",
    "Content-Length: 2 2", "Content-Length: 2\r\n 2", "Content-Length:",
    "Content-Length: 9223372036854775808",
    "Content-Length: 99999999999999999999999", "X-One: a\rb", "X-One: a\r\r", ": x", " : x",
    "Transfer-Encoding : chunked",
  ])
  func `A head that no server may send breaks the answer`(field: String) async throws {
    let (error, requests) = try await failure(
      .rawThenClose(Answer.head(200, [field]) + [120, 121]))
    #expect(error?.code == .brokenAnswer)
    #expect(requests == 3)
  }

  @Test(arguments: ["Content-Length: 2", "content-length : 2", "Content-Length: 002"])
  func `A space before a colon, and zeros before a length, mean nothing`(field: String) async throws
  {
    let server = try LoopbackServer { _ in
      .rawThenClose(Answer.head(200, ["X-One : 1", "X-Two\t: 2", field]) + [120, 121])
    }
    defer { server.close() }
    let client = HTTPClient()
    let response = try await client.send(patient(url: server.url()))
    #expect(response.body.text == "xy")
    #expect(response.headers["X-One"] == "1")
    #expect(response.headers["X-Two"] == "2")
    #expect(response.headers["Content-Length"]?.hasSuffix("2") == true)
    await client.shutdown()
  }

  @Test func `A body that is shorter than a length before a space and a colon is cut`() async throws
  {
    let (error, _) = try await failure(
      .rawThenClose(Answer.head(200, ["Content-Length : 5"]) + [120, 121]))
    #expect(error?.code == .brokenAnswer)
  }

  @Test(arguments: [600, 799, 999])
  func `A status above 599 counts as a server error`(status: Int) async throws {
    let server = try LoopbackServer { _ in .status(status, [120]) }
    defer { server.close() }
    let client = HTTPClient()
    let response = try await client.send(patient(url: server.url(), retries: .soon))
    #expect(response.status == status)
    #expect(server.targets.count == 3)
    let once = try await client.send(patient(.post, url: server.url(), retries: .soon))
    #expect(once.status == status)
    #expect(server.targets.count == 4)
    await client.shutdown()
  }

  @Test(arguments: ["a\u{1}b", "a\u{7F}", "\u{1B}[31m", "a\nb", "a\0"])
  func `A control character in a field makes the request bad`(value: String) async throws {
    let client = HTTPClient()
    let error = await #expect(throws: HTTPError.self) {
      try await client.send(patient(url: "http://127.0.0.1:9/", headers: ["X-One": value]))
    }
    #expect(error?.code == .badRequest)
    #expect(error?.reason == "the header X-One contains control characters")
    await client.shutdown()
  }

  @Test func `A head beyond what libcurl accepts is too large, with both limits`() async throws {
    let lines = (0..<1_000).map { "X-\($0): \(String(repeating: "f", count: 1_000))" }
    let (error, requests) = try await failure(
      .rawThenClose(Answer.head(200, lines + ["Content-Length: 0"]))
    ) { $0.bounds.headerBytes = 64 << 20 }
    #expect(error?.code == .tooLarge)
    #expect(
      error?.reason
        == "headers larger than 300 KiB, which is libcurl's limit (the request allows 64 MiB)")
    #expect(requests == 1)
  }

  @Test func `Two lengths that are equal are one`() async throws {
    let server = try LoopbackServer { _ in
      .raw(Answer.head(200, ["Content-Length: 2", "Content-Length: 2"]) + [120, 120])
    }
    defer { server.close() }
    let client = HTTPClient()
    #expect(try await client.send(patient(url: server.url())).body.text == "xx")
    await client.shutdown()
  }

  @Test func `Chunks of one byte hold no more memory than others`() async throws {
    let count = 300_000
    let server = try LoopbackServer { _ in .oneByteChunks(count) }
    defer { server.close() }
    let client = HTTPClient()
    let response = try await client.stream(patient(url: server.url()))
    // Until as much lies here as may.
    for await progress in client.progress where progress.bytesReceived >= 200_000 { break }
    var pieces = 0
    var bytes = 0
    for try await piece in response.body {
      if bytes < 200_000 { pieces += 1 }
      bytes += piece.count
    }
    #expect(bytes == count)
    #expect(pieces < 100)
    await client.shutdown()
  }

  @Test func `An IDN host is looked up in its ASCII form`() async throws {
    let client = HTTPClient()
    let error = await #expect(throws: HTTPError.self) {
      _ = try await client.send(patient(url: "http://b\u{FC}cher.invalid/", retries: .never))
    }
    #expect(error?.code == .nameLookup)
    await client.shutdown()
  }
}
