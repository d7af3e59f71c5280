import QueuedHTTP
import Testing

@Suite struct WireTests {
  @Test func `A line that continues a line without a colon belongs to no field`() {
    var block = HeaderBlock()
    let lines = ["HTTP/1.1 200 OK", " X-None: 1", "X-One: 1", " 2", "=", " 3", ""]
    for line in lines.map({ $0 + "\r\n" }) {
      _ = block.append(Array(line.utf8).span)
    }
    #expect(block.isFinal)
    #expect(block.fields.fields == [HTTPHeaders.Field(name: "X-One", value: "1 2")])
  }

  @Test func `One connection serves requests that follow one another`() async throws {
    let server = try LoopbackServer { _ in .ok("x") }
    defer { server.close() }
    let client = HTTPClient()
    var pauses = Pauses()
    for index in 0..<5 {
      let response = try await client.send(patient(url: server.url()))
      pauses.note()
      guard pauses.areShort else { break }
      #expect(response.timings.reusedConnection == (index > 0))
    }
    #expect(server.seen.connections == 1 || !pauses.areShort)
    await client.shutdown()
  }

  @Test func `The client names itself unless the request does`() async throws {
    let server = try LoopbackServer { _ in .ok() }
    defer { server.close() }
    var configuration = HTTPClient.Configuration()
    configuration.userAgent = "tests/1"
    let client = HTTPClient(configuration: configuration)
    _ = try await client.send(patient(url: server.url()))
    _ = try await client.send(
      patient(url: server.url(), headers: ["user-agent": "of its own"]))
    #expect(server.seen.requests.map { $0.header("User-Agent") } == ["tests/1", "of its own"])
    await client.shutdown()
  }

  @Test func `The client's header fields are those of requests that lack them`() async throws {
    let server = try LoopbackServer { _ in .ok() }
    defer { server.close() }
    var configuration = HTTPClient.Configuration()
    configuration.headers = ["X-Team": "a", "X-Team": "b", "Accept-Language": "de"]
    let client = HTTPClient(configuration: configuration)
    _ = try await client.send(patient(url: server.url()))
    _ = try await client.send(patient(url: server.url(), headers: ["accept-language": "fr"]))
    for request in server.seen.requests {
      let teams = request.headers.filter { $0.name.lowercased() == "x-team" }
      #expect(teams.map(\.value) == ["a", "b"])
    }
    #expect(server.seen.requests.map { $0.header("Accept-Language") } == ["de", "fr"])
    await client.shutdown()
  }

  @Test(arguments: ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"])
  func `Every method arrives as it is, with and without a body`(name: String) async throws {
    let server = try LoopbackServer { request in
      request.method == "HEAD" ? .raw(Answer.head(200, ["Content-Length: 5"])) : .ok("hello")
    }
    defer { server.close() }
    let client = HTTPClient()
    let method = HTTPMethod(rawValue: name)
    let plain = try await client.send(patient(method, url: server.url()))
    #expect(plain.status == 200)
    #expect(plain.body.count == (name == "HEAD" ? 0 : 5))
    if name != "HEAD" {
      _ = try await client.send(patient(method, url: server.url(), body: [1, 0, 2]))
    }
    let seen = server.seen.requests
    #expect(seen.allSatisfy { $0.method == name })
    #expect(seen[0].body.isEmpty)
    if name != "HEAD" { #expect(seen[1].body == [1, 0, 2]) }
    #expect(seen.allSatisfy { $0.header("Expect") == nil && $0.header("Content-Type") == nil })
    await client.shutdown()
  }

  @Test func `A large body is sent completely`() async throws {
    let server = try LoopbackServer { .ok("\($0.body.count)") }
    defer { server.close() }
    let client = HTTPClient()
    let body = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0) }
    let response = try await client.send(patient(.put, url: server.url(), body: body))
    #expect(response.body.text == "3000000")
    #expect(server.seen.requests.first?.body == body)
    await client.shutdown()
  }

  @Test func `Headers go out as they were written, empty ones too`() async throws {
    let server = try LoopbackServer { _ in .ok() }
    defer { server.close() }
    let client = HTTPClient()
    var request = patient(url: server.url(), headers: ["X-Empty": "", "X-One": "1"])
    request.headers.append("X-One", "2")
    _ = try await client.send(request)
    let seen = try #require(server.seen.requests.first)
    #expect(seen.header("X-Empty") == "")
    #expect(seen.headers.filter { $0.name == "X-One" }.map(\.value) == ["1", "2"])
    await client.shutdown()
  }

  @Test func `Headers of an interim response do not count`() async throws {
    let interim = Answer.head(103, ["X-Early: 1"])
    let server = try LoopbackServer { _ in
      .raw(interim + Answer.head(200, ["X-Late: 1", "Content-Length: 0"]))
    }
    defer { server.close() }
    let client = HTTPClient()
    let response = try await client.send(patient(url: server.url()))
    #expect(response.status == 200)
    #expect(response.headers["X-Early"] == nil)
    #expect(response.headers["X-Late"] == "1")
    await client.shutdown()
  }

  @Test func `A body without a stated length is received completely`() async throws {
    let body = [UInt8](repeating: 120, count: 300_000)
    let server = try LoopbackServer { _ in .rawThenClose(Answer.head(200, []) + body) }
    defer { server.close() }
    let client = HTTPClient()
    let response = try await client.send(patient(url: server.url()))
    #expect(response.body.withUnsafeBytes { Array($0) } == body)
    await client.shutdown()
  }

  @Test func `No part of a request is left in later ones`() async throws {
    let server = try LoopbackServer { _ in .ok() }
    defer { server.close() }
    let client = HTTPClient()
    let own = ["Accept", "Accept-Encoding", "Host", "User-Agent"]
    let requests = [
      patient(url: server.url("/1"), headers: ["X-One": "1"]),
      patient(url: server.url("/2"), headers: ["X-One": "1"]),
      patient(url: server.url("/3"), headers: ["X-One": "2"]),
      patient(url: server.url("/4")),
      patient(.post, url: server.url("/5"), headers: ["X-One": "3"], body: [1]),
      patient(url: server.url("/6")),
      patient(.head, url: server.url("/7")),
      patient(url: server.url("/8")),
      patient(url: server.url("/9")),
      patient(url: server.url("/10").replacing("://", with: "://name:word@")),
      patient(url: server.url("/11")),
    ]
    for request in requests { _ = try await client.send(request) }
    let seen = server.seen.requests
    #expect(seen.map(\.target) == (1...11).map { "/\($0)" })
    #expect(seen.map(\.method) == requests.map(\.method.rawValue))
    #expect(seen.map(\.body) == requests.map { $0.body ?? [] })
    #expect(seen.prefix(5).map { $0.header("X-One") } == ["1", "1", "2", nil, "3"])
    #expect(seen.dropFirst(5).allSatisfy { $0.header("X-One") == nil })
    for request in seen where request.method == "GET" {
      let names = request.headers.map(\.name).filter { $0 != "X-One" }
      #expect(names.sorted() == (request.target == "/10" ? ["Authorization"] + own : own).sorted())
    }
    await client.shutdown()
  }

  @Test func `All supported encodings are requested, unless the request sets its own`()
    async throws
  {
    let server = try LoopbackServer { _ in .ok() }
    defer { server.close() }
    let client = HTTPClient()
    _ = try await client.send(patient(url: server.url()))
    _ = try await client.send(patient(url: server.url(), headers: ["accept-encoding": "br"]))
    let asked = server.seen.requests.map { request in
      request.headers.filter { $0.name.lowercased() == "accept-encoding" }.map(\.value)
    }
    #expect(asked.count == 2)
    let names = try #require(asked.first?.first).split(separator: ", ")
    #expect(names.contains("gzip") && names.contains("deflate"))
    #expect(asked.last == ["br"])
    await client.shutdown()
  }
}
