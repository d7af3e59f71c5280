import FoundationEssentials
import QueuedHTTP
import Testing

@Suite struct CookieTests {
  private func client(_ store: CookieStore?) -> HTTPClient {
    var configuration = HTTPClient.Configuration()
    configuration.cookies = store
    return HTTPClient(configuration: configuration)
  }

  private func server() throws -> LoopbackServer {
    try LoopbackServer { request in
      switch request.target {
      case "/login":
        .status(
          302, headers: ["Set-Cookie: session=abc; Path=/in; HttpOnly", "Location: /in/home"])
      case "/out": .ok(headers: ["Set-Cookie: session=; Path=/in; Max-Age=0"])
      default: .ok(request.header("Cookie") ?? "none")
      }
    }
  }

  @Test func `Cookies are kept and sent where they belong, even after redirects`() async throws {
    let server = try server()
    defer { server.close() }
    let store = CookieStore()
    let client = client(store)
    let other = self.client(store)
    func text(_ path: String, of client: HTTPClient) async throws -> String {
      try await client.send(patient(url: server.url(path))).body.text
    }
    #expect(try await text("/in", of: client) == "none")
    #expect(try await text("/login", of: client) == "session=abc")
    #expect(try await text("/in/deep", of: client) == "session=abc")
    #expect(try await text("/elsewhere", of: client) == "none")
    #expect(try await text("/in", of: other) == "session=abc")
    let cookie = Cookie(
      name: "session", value: "abc", domain: "127.0.0.1", path: "/in", isHTTPOnly: true)
    #expect(store.cookies == [cookie])
    #expect(try await text("/out", of: client) == "")
    #expect(try await text("/in", of: client) == "none")
    #expect(store.cookies == [])
    await client.shutdown()
    await other.shutdown()
  }

  @Test func `Without a store no cookie is kept`() async throws {
    let server = try server()
    defer { server.close() }
    let client = client(nil)
    #expect(try await client.send(patient(url: server.url("/login"))).body.text == "none")
    await client.shutdown()
  }

  @Test func `A store is filled and emptied by hand, and outlives its clients`() async throws {
    let server = try server()
    defer { server.close() }
    let store = CookieStore()
    let cookie = Cookie(
      name: "a", value: "b", domain: "127.0.0.1",
      expires: Date(timeIntervalSince1970: 4_000_000_000))
    try store.set(cookie)
    #expect(store.cookies == [cookie])
    let client = client(store)
    #expect(try await client.send(patient(url: server.url())).body.text == "a=b")
    let own = patient(url: server.url(), headers: ["Cookie": "own=1"])
    #expect(try await client.send(own).body.text == "own=1")
    #expect(try await client.send(patient(url: server.url())).body.text == "a=b")
    try store.set(
      Cookie(name: "old", value: "x", domain: "127.0.0.1", expires: Date(timeIntervalSince1970: 1)))
    #expect(store.cookies == [cookie])
    let error = #expect(throws: HTTPError.self) {
      try store.set(Cookie(name: "a", value: "b\tc", domain: "127.0.0.1"))
    }
    #expect(error?.code == .badRequest)
    await client.shutdown()
    try store.removeAll()
    #expect(store.cookies == [])
  }

  @Test func `The cache serves no account what another one's cookies fetched`() async throws {
    let server = try LoopbackServer { request in
      .ok(request.header("Cookie") ?? "none", headers: ["Cache-Control: max-age=1000"])
    }
    defer { server.close() }
    var configuration = HTTPClient.Configuration()
    let store = CookieStore()
    configuration.cookies = store
    configuration.cache = MemoryCache()
    let client = HTTPClient(configuration: configuration)
    for name in ["one", "two", "one"] {
      try store.removeAll()
      try store.set(Cookie(name: "user", value: name, domain: "127.0.0.1"))
      let response = try await client.send(patient(url: server.url()))
      #expect(response.body.text == "user=\(name)")
    }
    await client.shutdown()
  }

  @Test(arguments: [
    ("a;b", "x", "/"), ("a", "x;y", "/"), ("a=b", "x", "/"), ("a b", "x", "/"), ("a", "x", "/;c"),
    ("a", "x\ny", "/"),
  ])
  func `A cookie that would be read as something else is refused`(
    name: String, value: String, path: String
  ) throws {
    let store = CookieStore()
    let error = #expect(throws: HTTPError.self) {
      try store.set(Cookie(name: name, value: value, domain: "127.0.0.1", path: path))
    }
    #expect(error?.code == .badRequest)
    #expect(store.cookies == [])
  }
}
