import QueuedHTTP
import TestSupport
import Testing

@Suite struct RedirectTests {
  @Test func `A relative redirect is followed, and the response has its URL`()
    async throws
  {
    let server = try LoopbackServer { request in
      request.target == "/a/b" ? .redirect(to: "../c?d=e#f") : .ok("there")
    }
    defer { server.close() }
    let client = HTTPClient()
    let response = try await client.send(patient(url: server.url("/a/b")))
    #expect(response.body.text == "there")
    #expect(response.headers["Location"] == nil)
    #expect(server.targets == ["/a/b", "/c?d=e"])
    #expect(response.url.hasPrefix(server.url("/c?d=e")))
    #expect(response.timings.attempts == 1)
    #expect(server.seen.connections == 1)
    await client.shutdown()
  }

  @Test func `A loop of redirects ends`() async throws {
    let server = try LoopbackServer { _ in .redirect(to: "/again") }
    defer { server.close() }
    let client = HTTPClient()
    let request = patient(url: server.url(), bounds: ResponseBounds(redirects: 3))
    let error = await #expect(throws: HTTPError.self) { try await client.send(request) }
    #expect(error?.code == .redirect)
    #expect(error?.reason == "redirected more than 3 times")
    #expect(server.targets.count == 4)
    await client.shutdown()
  }

  @Test func `Without redirects allowed the first one is the response`() async throws {
    let server = try LoopbackServer { _ in .redirect(to: "/again") }
    defer { server.close() }
    let client = HTTPClient()
    let request = patient(url: server.url(), bounds: ResponseBounds(redirects: 0))
    let response = try await client.send(request)
    #expect(response.status == 302)
    #expect(response.headers["location"] == "/again")
    await client.shutdown()
  }

  @Test(arguments: [
    ("ftp://127.0.0.1/x", "the redirect to ftp: is not allowed"),
    ("file:///etc/passwd", "the redirect to file: is not allowed"),
  ])
  func `A redirect to another scheme is not followed`(location: String, reason: String)
    async throws
  {
    let server = try LoopbackServer { _ in .redirect(to: location) }
    defer { server.close() }
    let client = HTTPClient()
    let error = await #expect(throws: HTTPError.self) {
      try await client.send(patient(url: server.url()))
    }
    #expect(error?.code == .redirect)
    #expect(error?.reason == reason)
    await client.shutdown()
  }

  @Test func `Secrets are removed when the origin changes, and only then`() async throws {
    let other = try LoopbackServer { _ in .ok() }
    defer { other.close() }
    let server = try LoopbackServer { request in
      switch request.target {
      case "/first": .redirect(to: "/second")
      default: .redirect(to: other.url("/third"))
      }
    }
    defer { server.close() }
    let client = HTTPClient()
    _ = try await client.send(
      patient(
        url: server.url("/first"),
        headers: [
          "Authorization": "Bearer secret", "Cookie": "session=secret", "X-Key": "secret",
          "X-Other": "kept",
        ], secretHeaders: ["x-key"]))
    let second = try #require(server.seen.requests.last)
    #expect(second.header("Authorization") == "Bearer secret")
    #expect(second.header("X-Key") == "secret")
    let third = try #require(other.seen.requests.first)
    #expect(third.header("Authorization") == nil)
    #expect(third.header("Cookie") == nil)
    #expect(third.header("X-Key") == nil)
    #expect(third.header("X-Other") == "kept")
    await client.shutdown()
  }

  @Test(arguments: [(301, "GET"), (302, "GET"), (303, "GET"), (307, "POST"), (308, "POST")])
  func `A redirected POST keeps its method and body by 307 and 308 alone`(
    status: Int, method: String
  ) async throws {
    let server = try LoopbackServer { request in
      request.target == "/" ? .redirect(status, to: "/next") : .ok()
    }
    defer { server.close() }
    let client = HTTPClient()
    _ = try await client.send(
      patient(
        .post, url: server.url(), headers: ["Content-Type": "text/plain"], body: Array("text".utf8))
    )
    let next = try #require(server.seen.requests.last)
    #expect(next.method == method)
    #expect(next.body == (method == "POST" ? Array("text".utf8) : []))
    #expect((next.header("Content-Type") == nil) == (method == "GET"))
    await client.shutdown()
  }

  @Test(arguments: [(301, "POST"), (302, "POST"), (303, "GET")])
  func `A POST that changes nothing may keep its method and body`(
    status: Int, method: String
  ) async throws {
    let server = try LoopbackServer { request in
      request.target == "/" ? .redirect(status, to: "/next") : .ok()
    }
    defer { server.close() }
    let client = HTTPClient()
    var request = patient(.post, url: server.url(), body: Array("text".utf8))
    request.keepsMethod = true
    _ = try await client.send(request)
    let next = try #require(server.seen.requests.last)
    #expect(next.target == "/next" && next.method == method)
    #expect(next.body == (method == "POST" ? Array("text".utf8) : []))
    await client.shutdown()
  }

  @Test(arguments: [301, 302, 307, 308])
  func `A redirected PUT keeps its method and body`(status: Int) async throws {
    let server = try LoopbackServer { request in
      request.target == "/" ? .redirect(status, to: "/next") : .ok()
    }
    defer { server.close() }
    let client = HTTPClient()
    _ = try await client.send(patient(.put, url: server.url(), body: Array("text".utf8)))
    let next = try #require(server.seen.requests.last)
    #expect(next.method == "PUT")
    #expect(next.body == Array("text".utf8))
    await client.shutdown()
  }

  @Test(arguments: [
    (HTTPMethod.post, 307), (.post, 308), (.put, 301), (.put, 302), (.patch, 307), (.delete, 308),
  ])
  func `A body does not follow a redirect to another server`(
    method: HTTPMethod, status: Int
  ) async throws {
    let other = try LoopbackServer { _ in .ok() }
    defer { other.close() }
    let server = try LoopbackServer { _ in .redirect(status, to: other.url("/taken")) }
    defer { server.close() }
    let folder = try Folder()
    defer { folder.remove() }
    try folder.write(Array("secret".utf8), to: "file")
    let client = HTTPClient()
    for upload in [nil, UploadBody.file(folder["file"])] {
      let error = await #expect(throws: HTTPError.self) {
        try await client.send(
          patient(
            method, url: server.url(), body: upload == nil ? Array("secret".utf8) : nil,
            retries: .soon, upload: upload))
      }
      #expect(error?.code == .redirect)
      #expect(error?.reason == "the redirect to another server is not allowed")
    }
    #expect(other.targets == [])
    #expect(server.targets.count == 2)
    // Without a body there is nothing to keep.
    _ = try await client.send(patient(method, url: server.url()))
    #expect(other.targets == ["/taken"])
    await client.shutdown()
  }

  @Test(arguments: [("/c", "#part"), ("/c#other", "#other"), ("/c#", "#")])
  func `A fragment is kept unless the redirect has its own`(
    location: String, fragment: String
  ) async throws {
    let server = try LoopbackServer { request in
      request.target == "/a" ? .redirect(to: location) : .ok("there")
    }
    defer { server.close() }
    let client = HTTPClient()
    let response = try await client.send(patient(url: server.url("/a#part")))
    #expect(server.targets == ["/a", "/c"])
    #expect(response.url == server.url("/c\(fragment)") || fragment == "#")
    #expect(!response.url.contains("part") || fragment == "#part")
    await client.shutdown()
  }

  @Test(arguments: [HTTPVersion.http1, .http2])
  func `The body of a redirect is not waited for`(version: HTTPVersion) async throws {
    let large = [UInt8](repeating: 120, count: 80_000)
    let hop = try LoopbackServer { request in
      let head = { (location: String) in
        Answer.head(302, ["Location: \(location)", "Content-Length: 900000000"])
      }
      return switch request.target {
      case "/large": .rawThenRepeat(head("/silent"), large)
      case "/silent": .rawThenStall(head("/cut"))
      case "/cut": .rawThenClose(head("/there") + [120])
      default: .ok("there")
      }
    }
    defer { hop.close() }
    let other = try HTTP2Server { request in
      request.number == 1
        ? [.status(302, [("location", "/there")]), .trickle] : HTTP2Step.ok(Array("there".utf8))
    }
    defer { other.close() }
    var configuration = HTTPClient.Configuration()
    configuration.httpVersion = version
    let client = HTTPClient(configuration: configuration)
    let url = version == .http1 ? hop.url("/large") : other.url()
    let response = try await client.send(patient(url: url, retries: .never))
    #expect(response.body.text == "there")
    #expect(version == .http2 || hop.targets == ["/large", "/silent", "/cut", "/there"])
    await client.shutdown()
  }

  @Test func `A redirect that is not followed is a response with its whole body`() async throws {
    let body = [UInt8](repeating: 120, count: 200_000)
    let server = try LoopbackServer { _ in .status(302, body, headers: ["Location: /there"]) }
    defer { server.close() }
    let client = HTTPClient()
    var request = patient(url: server.url())
    request.onRedirect = { _ in .stop }
    let response = try await client.send(request)
    #expect(response.status == 302)
    #expect(response.body.count == body.count)
    #expect(server.targets == ["/"])
    await client.shutdown()
  }
}
