import QueuedHTTP
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
      case _: .redirect(to: other.url("/third"))
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
}
