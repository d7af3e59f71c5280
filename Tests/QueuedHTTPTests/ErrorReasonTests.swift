import QueuedHTTP
import Testing

/// The words for what a server or a proxy did wrong.
@Suite struct ErrorReasonTests {
  private func error(
    _ url: String, timeouts: Timeouts = .none, method: HTTPMethod = .get,
    _ change: (inout HTTPClient.Configuration) -> Void = { _ in }
  ) async -> HTTPError? {
    var configuration = HTTPClient.Configuration()
    configuration.proxy = ""
    change(&configuration)
    let client = HTTPClient(configuration: configuration)
    let error = await #expect(throws: HTTPError.self) {
      try await client.send(patient(method, url: url, timeouts: timeouts, retries: .never))
    }
    await client.shutdown()
    return error
  }

  @Test(arguments: [HTTPMethod.get, .post])
  func `A stream that the server refuses was not processed`(method: HTTPMethod) async throws {
    let server = try HTTP2Server { _ in [.resetStream(7)] }
    defer { server.close() }
    let error = await error(server.url(), method: method) { $0.httpVersion = .http2 }
    #expect(error?.code == .connection)
    #expect(error?.reason == "the server refused the request")
  }

  @Test(arguments: [
    (
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n",
      "the response has a malformed chunk"
    ),
    ("HTTP/3.0 200 OK\r\n\r\n", "unsupported HTTP version in the response"),
    ("HTTP/9.9 200 OK\r\n\r\n", "unsupported HTTP version in the response"),
    ("no HTTP at all\r\n\r\n", "the server did not reply with HTTP"),
  ])
  func `What is wrong with an answer is said`(bytes: String, reason: String) async throws {
    let server = try LoopbackServer { _ in .rawThenClose(Array(bytes.utf8)) }
    defer { server.close() }
    let error = await error(server.url())
    #expect(error?.code == .brokenAnswer)
    #expect(error?.reason == reason)
  }

  @Test(arguments: [
    (Timeouts(connect: nil, idle: .milliseconds(150), total: nil), HTTPError.Code.idleTimeout),
    (Timeouts(connect: nil, idle: nil, total: .milliseconds(300)), .totalTimeout),
    (Timeouts(connect: .milliseconds(300), idle: nil, total: nil), .connectTimeout),
  ])
  func `A proxy that hangs at CONNECT is named`(
    timeouts: Timeouts, code: HTTPError.Code
  ) async throws {
    let proxy = try LoopbackServer { _ in .stall }
    defer { proxy.close() }
    let error = await error("https://server.invalid/", timeouts: timeouts) {
      $0.proxy = "http://127.0.0.1:\(proxy.port)"
      $0.noProxy = ""
    }
    #expect(error?.code == code)
    #expect(error?.reason.hasPrefix("the proxy 127.0.0.1:\(proxy.port) ") == true)
  }
}
