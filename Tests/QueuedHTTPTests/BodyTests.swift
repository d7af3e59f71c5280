import FoundationEssentials
import QueuedHTTP
import TestSupport
import Testing

/// Bodies as values, forms, lines and pieces, and the parts of a response beside its body.
@Suite struct BodyTests {
  private struct Note: Codable, Hashable {
    var title: String
    var count: Int
  }

  private struct Strange: Error, Hashable { var number: Int }

  private struct Refusing: BodyEncoder, BodyDecoder {
    func encode<Value: Encodable>(_ value: Value) throws -> Data { throw Strange(number: 1) }
    func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
      throw Strange(number: 2)
    }
  }

  @Test func `A value goes out and comes back as JSON`() async throws {
    let server = try LoopbackServer { .status(201, $0.body) }
    defer { server.close() }
    let client = HTTPClient()
    let note = Note(title: "a \"b\"", count: 3)
    var request = patient(.post, url: server.url())
    try request.setBody(encoding: note)
    let response = try await client.send(request)
    #expect(try response.decode(Note.self) == note)
    #expect(try JSONDecoder().decode(Note.self, from: response.body.data) == note)
    #expect(try await client.send(request, decoding: Note.self) == note)
    #expect(server.seen.requests.first?.header("Content-Type") == "application/json")
    await client.shutdown()
  }

  @Test func `A coder's error is kept, together with the response`() async throws {
    let server = try LoopbackServer { _ in .ok("[]") }
    defer { server.close() }
    let client = HTTPClient()
    var request = patient(url: server.url("/a?secret=1"))
    let encoding = #expect(throws: HTTPError.self) {
      try request.setBody(encoding: 1, with: Refusing())
    }
    #expect(encoding?.code == .requestBody)
    #expect(encoding?.underlyingError as? Strange == Strange(number: 1))
    let error = await #expect(throws: HTTPError.self) {
      try await client.send(request, decoding: Note.self, with: Refusing())
    }
    #expect(error?.code == .decoding)
    #expect(error?.underlyingError as? Strange == Strange(number: 2))
    #expect(error?.response?.body.text == "[]")
    #expect(error?.address == server.url("/a"))
    #expect(error?.errorDescription == error?.description)
    await client.shutdown()
  }

  @Test func `A status that is no success is not decoded`() async throws {
    let server = try LoopbackServer { _ in .status(404, Array("{}".utf8)) }
    defer { server.close() }
    let client = HTTPClient()
    let error = await #expect(throws: HTTPError.self) {
      try await client.send(patient(url: server.url()), decoding: [String: Int].self)
    }
    #expect(error?.code == .unacceptable)
    #expect(error?.reason == "status 404, expected 200 to 299")
    #expect(error?.response?.isSuccess == false)
    await client.shutdown()
  }

  @Test func `The error of a check or of an upload's stream is kept`() async throws {
    let server = try LoopbackServer { _ in .ok() }
    defer { server.close() }
    let client = HTTPClient()
    let check = ResponseValidation { _ in throw Strange(number: 3) }
    let refused = await #expect(throws: HTTPError.self) {
      try await client.send(patient(url: server.url(), validations: [check]))
    }
    #expect(refused?.underlyingError as? Strange == Strange(number: 3))
    let upload = UploadBody.stream {
      AsyncThrowingStream<[UInt8], any Error> { throw Strange(number: 4) }
    }
    let broken = await #expect(throws: HTTPError.self) {
      try await client.send(patient(.post, url: server.url(), upload: upload))
    }
    #expect(broken?.code == .requestBody)
    #expect(broken?.underlyingError as? Strange == Strange(number: 4))
    await client.shutdown()
  }

  @Test func `A form's fields and files arrive as they were given`() async throws {
    let folder = try Folder()
    defer { folder.remove() }
    let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 / 7) }
    try folder.write(bytes, to: "data.bin")
    let server = try LoopbackServer { _ in .ok() }
    defer { server.close() }
    let client = HTTPClient()
    var form = MultipartForm(boundary: "edge")
    form.append("text", "ä & b")
    form.append("a\"\r\nb", bytes: Array("{}".utf8), fileName: "c.json", contentType: "text/json")
    form.append("file", file: folder["data.bin"])
    var request = patient(.post, url: server.url())
    try request.setForm(form)
    _ = try await client.send(request)
    let seen = try #require(server.seen.requests.first)
    #expect(seen.header("Content-Type") == "multipart/form-data; boundary=edge")
    let expected =
      Array(
        """
        --edge\r\nContent-Disposition: form-data; name="text"\r\n\r\nä & b\r\n\
        --edge\r\nContent-Disposition: form-data; name="a%22%0D%0Ab"; filename="c.json"\r\n\
        Content-Type: text/json\r\n\r\n{}\r\n\
        --edge\r\nContent-Disposition: form-data; name="file"; filename="data.bin"\r\n\
        Content-Type: application/octet-stream\r\n\r\n
        """.utf8) + bytes + Array("\r\n--edge--\r\n".utf8)
    #expect(seen.body == expected)
    #expect(seen.header("Content-Length") == "\(expected.count)")
    await client.shutdown()
  }

  @Test func `A form with a file that is missing is an error at once`() throws {
    var form = MultipartForm()
    form.append("file", file: "/nowhere/at/all")
    var request = HTTPRequest(.post, url: "http://127.0.0.1/")
    let error = #expect(throws: HTTPError.self) { try request.setForm(form) }
    #expect(error?.code == .file)
    #expect(error?.reason == "/nowhere/at/all: cannot be read: No such file or directory")
  }

  @Test func `A stream comes in lines however it was cut`() async throws {
    let gate = Gate(passes: 1 << 40)
    let text = "one\n\r\ntwo\r\n\nthr"
    let server = try LoopbackServer { request in
      .pieces(
        [Answer.head(200, ["Content-Length: \(text.utf8.count + 4)"])]
          + text.utf8.map { [$0] } + [Array("ee\né".utf8.dropLast())], gate)
    }
    defer { server.close() }
    let client = HTTPClient()
    let response = try await client.stream(patient(url: server.url()))
    var lines: [String] = []
    for try await line in response.lines { lines.append(line) }
    #expect(lines == ["one", "", "two", "", "three", "\u{FFFD}"])
    await client.shutdown()
  }

  @Test func `A line or a body larger than its bound is an error`() async throws {
    let server = try LoopbackServer { _ in .ok("abc\nabcdef\n") }
    defer { server.close() }
    let client = HTTPClient()
    let request = patient(url: server.url())
    var lines: [String] = []
    let response = try await client.stream(request)
    let error = await #expect(throws: HTTPError.self) {
      for try await line in response.body.lines(upTo: 4) { lines.append(line) }
    }
    #expect(error?.code == .tooLarge)
    #expect(lines == ["abc"])
    let collected = try await client.stream(request).body.collect(upTo: 11)
    #expect(collected.text == "abc\nabcdef\n")
    let tooLarge = await #expect(throws: HTTPError.self) {
      try await client.stream(request).body.collect(upTo: 10)
    }
    #expect(tooLarge?.code == .tooLarge)
    await client.shutdown()
  }

  @Test func `A response has its version, remote address and trailers`() async throws {
    let chunked =
      Answer.head(200, ["Transfer-Encoding: chunked", "Trailer: X-Sum"])
      + Array("3\r\nabc\r\n0\r\nX-Sum: 6\r\nX-Two:\tb \r\n\r\n".utf8)
    let server = try LoopbackServer { _ in .raw(chunked) }
    defer { server.close() }
    let client = HTTPClient()
    for _ in 1...2 {
      let response = try await client.send(patient(url: server.url()))
      #expect(response.version == .http1_1)
      #expect(response.version?.description == "HTTP/1.1")
      #expect(response.remoteAddress == "127.0.0.1:\(server.port)")
      #expect(response.trailers == ["X-Sum": "6", "X-Two": "b"])
      #expect(response.headers["X-Sum"] == nil)
    }
    let streamed = try await client.stream(patient(url: server.url()))
    #expect(streamed.isSuccess)
    #expect(streamed.version == .http1_1)
    #expect(try await streamed.body.collect(upTo: 3).text == "abc")
    #expect(streamed.body.trailers?["x-sum"] == "6")
    await client.shutdown()
  }

  @Test func `Credentials are written as their schemes say`() {
    var request = HTTPRequest(url: "http://127.0.0.1/")
    request.setBasicAuthorization(user: "Aladdin", password: "open sesame")
    #expect(request.headers["Authorization"] == "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==")
    request.setBearerToken("abc")
    #expect(request.headers.values(of: "authorization") == ["Bearer abc"])
  }
}
