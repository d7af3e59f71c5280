import Glibc
import QueuedHTTP
import TestSupport
import Testing

@Suite struct ProxyTests {
  private func client(
    proxy: String, _ change: (inout HTTPClient.Configuration) -> Void = { _ in }
  ) -> HTTPClient {
    var configuration = HTTPClient.Configuration()
    configuration.proxy = proxy
    configuration.noProxy = ""
    change(&configuration)
    return HTTPClient(configuration: configuration)
  }

  /// The error of a request, of which nothing may show a secret.
  private func error(
    _ client: HTTPClient, _ url: String, timeouts: Timeouts = .none
  ) async throws -> HTTPError {
    let error = await #expect(throws: HTTPError.self) {
      try await client.send(patient(url: url, timeouts: timeouts, retries: .never))
    }
    await client.shutdown()
    let found = try #require(error)
    #expect(!"\(found)".contains("secret"))
    #expect(!String(reflecting: found).contains("secret"))
    return found
  }

  @Test func `A proxy gets the whole URL and its own credentials`() async throws {
    let server = try LoopbackServer { _ in .ok("behind") }
    defer { server.close() }
    let proxy = try TestProxy.http(to: server.port)
    defer { proxy.close() }
    let client = client(proxy: "http://name:secret@127.0.0.1:\(proxy.port)")
    let response = try await client.send(
      patient(url: "http://host.invalid/path?query", headers: ["Authorization": "Bearer own"]))
    #expect(response.body.text == "behind")
    #expect(proxy.seen.value.asked == ["GET http://host.invalid/path?query"])
    // Basic, RFC 7617: `name:secret` in base 64.
    #expect(proxy.seen.value.credentials == ["Basic bmFtZTpzZWNyZXQ="])
    #expect(server.seen.requests.first?.header("Authorization") == "Bearer own")
    await client.shutdown()
  }

  @Test func `A server on this machine is reached past a proxy on another one`() async throws {
    let server = try LoopbackServer { _ in .ok("direct") }
    defer { server.close() }
    let client = client(proxy: "http://proxy.invalid:8080")
    let response = try await client.send(patient(url: "http://127.0.0.1:\(server.port)/"))
    #expect(response.body.text == "direct")
    await client.shutdown()
  }

  @Test(.enabled(if: TestCertificates.isPossible, "openssl is not installed"))
  func `A proxy gives a tunnel to a secure server, and sees nothing of what is in it`() async throws
  {
    let certificates = try TestCertificates()
    defer { certificates.remove() }
    let server = try LoopbackServer { _ in .ok("behind", headers: ["X-Found: 1"]) }
    defer { server.close() }
    let front = try TLSFront(to: server.port, certificates)
    defer { front.close() }
    let proxy = try TestProxy.http(to: front.port)
    defer { proxy.close() }
    let client = client(proxy: "http://name:secret@127.0.0.1:\(proxy.port)") {
      $0.caFile = certificates.folder["authority.pem"]
    }
    let response = try await client.send(
      patient(url: "https://localhost:4433/path", headers: ["Authorization": "Bearer own"]))
    #expect(response.body.text == "behind")
    #expect(response.headers["X-Found"] == "1")
    #expect(proxy.seen.value.asked == ["CONNECT localhost:4433"])
    #expect(proxy.seen.value.credentials == ["Basic bmFtZTpzZWNyZXQ="])
    let seen = try #require(server.seen.requests.first)
    #expect(seen.header("Authorization") == "Bearer own")
    #expect(seen.header("Proxy-Authorization") == nil)
    await client.shutdown()
  }

  @Test(.enabled(if: TestCertificates.isPossible, "openssl is not installed"))
  func `A proxy may be spoken to by TLS, and must then be trusted`() async throws {
    let certificates = try TestCertificates(["stranger"])
    defer { certificates.remove() }
    let server = try LoopbackServer { _ in .ok("behind") }
    defer { server.close() }
    let proxy = try TestProxy.http(to: server.port)
    defer { proxy.close() }
    let front = try TLSFront(to: proxy.port, certificates)
    defer { front.close() }
    let address = "https://name:secret@127.0.0.1:\(front.port)"
    let trusting = client(proxy: address) {
      $0.caFile = certificates.folder["authority.pem"]
    }
    let response = try await trusting.send(patient(url: "http://host.invalid/path"))
    #expect(response.body.text == "behind")
    #expect(proxy.seen.value.asked == ["GET http://host.invalid/path"])
    await trusting.shutdown()
    let strange = client(proxy: address) {
      $0.caFile = certificates.folder["stranger.pem"]
    }
    let error = try await error(strange, "http://host.invalid/path")
    #expect(error.code == .tls)
    #expect(
      error.reason
        == "the proxy 127.0.0.1:\(front.port): the proxy's certificate was issued by an authority "
        + "that is not trusted")
  }

  @Test func `A SOCKS proxy looks the name up itself`() async throws {
    let server = try LoopbackServer { _ in .ok("behind") }
    defer { server.close() }
    let proxy = try TestProxy.socks(to: server.port, credentials: "name:secret")
    defer { proxy.close() }
    let client = client(proxy: "socks5h://name:secret@127.0.0.1:\(proxy.port)")
    let response = try await client.send(patient(url: "http://host.invalid:8080/path"))
    #expect(response.body.text == "behind")
    #expect(proxy.seen.value.asked == ["SOCKS host.invalid:8080"])
    #expect(proxy.seen.value.credentials == ["name:secret"])
    #expect(server.targets == ["/path"])
    #expect(server.seen.requests.first?.header("Host") == "host.invalid:8080")
    await client.shutdown()
  }

  @Test(arguments: [
    ("127.0.0.1", true), ("other.invalid,127.0.0.1", true), ("*", true),
    ("other.invalid", false), ("27.0.0.1", false), ("", false),
  ])
  func `Hosts on the list bypass the proxy`(hosts: String, isDirect: Bool) async throws {
    let server = try LoopbackServer { _ in .ok() }
    defer { server.close() }
    let proxy = try TestProxy.http(to: server.port)
    defer { proxy.close() }
    let client = client(proxy: "http://127.0.0.1:\(proxy.port)") { $0.noProxy = hosts }
    _ = try await client.send(patient(url: server.url("/path")))
    #expect(proxy.seen.value.asked == (isDirect ? [] : ["GET \(server.url("/path"))"]))
    await client.shutdown()
  }

  // The environment is the whole process's, so this has one of its own.
  @Test func `By default the environment sets the proxy and the hosts that bypass it`()
    async
  {
    await #expect(processExitsWith: .success) {
      let server = try LoopbackServer { _ in .ok() }
      let proxy = try TestProxy.http(to: server.port)
      setenv("http_proxy", "http://name:secret@127.0.0.1:\(proxy.port)", 1)
      setenv("no_proxy", "127.0.0.1", 1)
      unsetenv("NO_PROXY")
      let client = HTTPClient()
      _ = try await client.send(patient(url: server.url("/direct")))
      precondition(proxy.seen.value.asked.isEmpty)
      _ = try await client.send(patient(url: "http://host.invalid/path"))
      precondition(proxy.seen.value.asked == ["GET http://host.invalid/path"])
      // What is said of a proxy counts before the environment.
      var configuration = HTTPClient.Configuration()
      configuration.proxy = "http://127.0.0.1:\(proxy.port)"
      configuration.noProxy = ""
      let other = HTTPClient(configuration: configuration)
      _ = try await other.send(patient(url: server.url("/by-proxy")))
      precondition(proxy.seen.value.asked.last == "GET \(server.url("/by-proxy"))")
      // An empty one is none, whatever the environment says.
      setenv("no_proxy", "", 1)
      configuration.proxy = ""
      let none = HTTPClient(configuration: configuration)
      let count = proxy.seen.value.asked.count
      _ = try await none.send(patient(url: server.url("/direct")))
      precondition(proxy.seen.value.asked.count == count)
      // One that refuses is named by its address alone.
      let refusing = try Listener.bound()
      setenv("http_proxy", "http://name:secret@127.0.0.1:\(refusing.port)", 1)
      do throws(HTTPError) {
        _ = try await client.send(patient(url: "http://host.invalid/", retries: .never))
        preconditionFailure("no proxy, and an answer")
      } catch {
        let words = "http://host.invalid/: the proxy 127.0.0.1:\(refusing.port): connection refused"
        precondition(error.description == words, error.description)
      }
      exit(0)
    }
  }

  @Test(arguments: ["http", "https", "socks5h", "socks5", "socks4a"], ["http", "https"])
  func `A proxy that refuses the connection is named, without its credentials`(
    kind: String, scheme: String
  ) async throws {
    let (socket, port) = try Listener.bound()
    defer { Wire(socket).close() }
    let client = client(proxy: "\(kind)://name:secret@127.0.0.1:\(port)")
    let error = try await error(client, "\(scheme)://127.0.0.1/path")
    #expect(error.code == .connection)
    #expect(error.reason == "the proxy 127.0.0.1:\(port): connection refused")
  }

  /// What is said once the time to connect is over, with its length as "so long".
  private func lateReason(
    _ kind: String, _ scheme: String, port: Int, hoping expected: String
  ) async throws -> String {
    var reason = ""
    // On a busy machine a short timeout may be over before the proxy was reached, or even called.
    for (wait, words) in [(150, "150 ms"), (4_000, "4 s"), (60_000, "60 s")] {
      let client = client(proxy: "\(kind)://name:secret@127.0.0.1:\(port)")
      let error = try await error(
        client, "\(scheme)://host.invalid/path",
        timeouts: Timeouts(connect: .milliseconds(wait), idle: nil, total: nil))
      #expect(error.code == .connectTimeout)
      reason = error.reason.replacing(words, with: "so long")
      if reason == expected { break }
    }
    return reason
  }

  @Test(arguments: ["http", "https", "socks5h"], ["http", "https"])
  func `A proxy that does not answer is named once the time to connect is over`(
    kind: String, scheme: String
  ) async throws {
    let listener = try FullBacklog()
    defer { listener.close() }
    let expected = "the proxy 127.0.0.1:\(listener.port): no connection after so long"
    let reason = try await lateReason(kind, scheme, port: listener.port, hoping: expected)
    #expect(reason == expected)
  }

  @Test(arguments: [("http", "https"), ("socks5h", "http"), ("socks5h", "https")])
  func `A proxy that makes no connection is named once the time to connect is over`(
    kind: String, scheme: String
  ) async throws {
    // It takes the connection and says nothing.
    let (socket, port) = try Listener.listen()
    defer { Wire(socket).close() }
    let expected = "the proxy 127.0.0.1:\(port) could not reach the server after so long"
    let reason = try await lateReason(kind, scheme, port: port, hoping: expected)
    #expect(reason == expected)
  }

  @Test func `A server that refuses the connection is not taken for a proxy`() async throws {
    let (socket, port) = try Listener.bound()
    defer { Wire(socket).close() }
    let client = client(proxy: "http://127.0.0.1:1") { $0.noProxy = "LocalHost,127.0.0.1" }
    for host in ["127.0.0.1", "LOCALHOST"] {
      let error = await #expect(throws: HTTPError.self) {
        try await client.send(patient(url: "http://\(host):\(port)/", retries: .never))
      }
      #expect(error?.reason == "connection refused", "\(host)")
    }
    await client.shutdown()
  }

  @Test(arguments: ["http", "socks5h"])
  func `A proxy without an address is named`(kind: String) async throws {
    let client = client(proxy: "\(kind)://name:secret@proxy.invalid:3128")
    let error = try await error(client, "http://host.invalid/")
    #expect(error.code == .nameLookup)
    #expect(error.reason.hasPrefix("the proxy proxy.invalid"))
    #expect(error.reason.hasSuffix(": its host name has no address"))
  }

  @Test(arguments: [
    (403, HTTPError.Code.proxy, "refused a tunnel (403)"),
    (407, .proxy, "requires credentials (407)"),
    (502, .connection, "could not reach the server (502)"),
  ])
  func `A tunnel that is refused names the proxy and the status`(
    status: Int, code: HTTPError.Code, words: String
  ) async throws {
    let proxy = try TestProxy.http(to: 1, refusal: status)
    defer { proxy.close() }
    let client = client(proxy: "http://name:secret@127.0.0.1:\(proxy.port)")
    let error = try await error(client, "https://host.invalid/path")
    #expect(error.code == code)
    #expect(error.reason == "the proxy 127.0.0.1:\(proxy.port) \(words)")
    #expect(proxy.seen.value.asked == ["CONNECT host.invalid:443"])
  }

  @Test(arguments: [
    (UInt8(2), HTTPError.Code.proxy, "refused our credentials or the server"),
    (5, .connection, "could not reach the server"),
    (4, .connection, "could not reach the server"),
    (7, .proxy, "broke the SOCKS protocol"),
  ])
  func `A SOCKS proxy that refuses is named`(
    reply: UInt8, code: HTTPError.Code, words: String
  ) async throws {
    let proxy = try TestProxy.socks(to: 1, reply: reply)
    defer { proxy.close() }
    let error = try await error(
      client(proxy: "socks5h://127.0.0.1:\(proxy.port)"), "http://host.invalid/")
    #expect(error.code == code)
    #expect(error.reason == "the proxy 127.0.0.1:\(proxy.port) \(words)")
  }

  @Test func `Wrong credentials for a SOCKS proxy are reported`() async throws {
    let proxy = try TestProxy.socks(to: 1, credentials: "name:other")
    defer { proxy.close() }
    let error = try await error(
      client(proxy: "socks5h://name:secret@127.0.0.1:\(proxy.port)"), "http://host.invalid/")
    #expect(error.code == .proxy)
    #expect(proxy.seen.value.asked.isEmpty)
  }

  @Test func `A proxy that hangs up, or is not a proxy, is named`() async throws {
    let closing = try LoopbackServer { _ in .close }
    defer { closing.close() }
    let babbling = try LoopbackServer { _ in .garbage }
    defer { babbling.close() }
    for port in [closing.port, babbling.port] {
      let error = try await error(
        client(proxy: "http://name:secret@127.0.0.1:\(port)"), "https://host.invalid/")
      #expect(error.code == .connection)
      #expect(error.reason == "the proxy 127.0.0.1:\(port) closed the connection")
    }
  }

  @Test(arguments: [
    ("nonsense://127.0.0.1:1", "libcurl does not support this kind of proxy"),
    ("http://a b:1", "the proxy's address is malformed"),
  ])
  func `An invalid proxy address is reported`(address: String, reason: String) async throws {
    let error = try await error(client(proxy: address), "http://host.invalid/")
    #expect(error.reason == reason)
  }
}
