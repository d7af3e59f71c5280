import HTTPTypes
import QueuedHTTP
import Testing

/// Methods and fields of swift-http-types beside our own.
@Suite struct HTTPTypesTests {
  @Test func `Fields are named by swift-http-types or by text`() {
    var headers: HTTPHeaders = ["accept": "a"]
    #expect(headers[.accept] == "a")
    headers[.accept] = "b"
    headers.append(.accept, "c")
    headers.append("X-One", "1")
    #expect(headers.values(of: .accept) == ["b", "c"])
    let fields = headers.httpFields
    #expect(fields[values: .accept] == ["b", "c"])
    #expect(HTTPHeaders(fields) == headers)
  }

  @Test func `A request and a response of swift-http-types say the same as ours`() async throws {
    let server = try LoopbackServer { request in
      .status(201, Array("\(request.method) \(request.target)".utf8), headers: ["X-One: 1"])
    }
    defer { server.close() }
    let client = HTTPClient()
    let typed = HTTPTypes.HTTPRequest(
      method: .put, scheme: "http", authority: "127.0.0.1:\(server.port)", path: "/a?b",
      headerFields: [.accept: "text/plain"])
    let made = QueuedHTTP.HTTPRequest(typed, body: [1])
    let request = try #require(made)
    let response = try await client.send(request)
    #expect(response.body.text == "PUT /a?b")
    #expect(server.seen.requests.first?.header("Accept") == "text/plain")
    #expect(response.head.status == .created)
    let name = try #require(HTTPField.Name("X-One"))
    #expect(response.head.headerFields[name] == "1")
    let relative = HTTPTypes.HTTPRequest(method: .get, scheme: nil, authority: nil, path: "/")
    let none = QueuedHTTP.HTTPRequest(relative)
    #expect(none == nil)
    await client.shutdown()
  }
}
