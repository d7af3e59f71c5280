import Glibc
import QueuedHTTP
import Synchronization
import TestSupport
import Testing

/// The ways of a request that its caller chooses: redirects, Unix sockets and addresses of hosts.
@Suite struct RouteTests {
  @Test func `A closure decides about each redirect`() async throws {
    let server = try LoopbackServer { request in
      switch request.target {
      case "/a": .redirect(303, to: "/b")
      case "/b": .redirect(307, to: "/c")
      default: .ok("there")
      }
    }
    defer { server.close() }
    let client = HTTPClient()
    let seen = Shared(Mutex<[Redirect]>([]))
    var request = patient(.post, url: server.url("/a"))
    request.onRedirect = { redirect in
      seen.value.withLock { $0.append(redirect) }
      return .follow
    }
    #expect(try await client.send(request).body.text == "there")
    let redirects = seen.value.withLock { $0 }
    #expect(redirects.map(\.status) == [303, 307])
    #expect(redirects.map(\.method) == [.get, .get])
    #expect(redirects.map(\.url) == [server.url("/a"), server.url("/b")])
    #expect(redirects.map(\.target) == [server.url("/b"), server.url("/c")])
    #expect(redirects.map(\.count) == [1, 2])
    request.onRedirect = { $0.target.hasSuffix("/c") ? .stop : .follow }
    let stopped = try await client.send(request)
    #expect(stopped.status == 307)
    #expect(stopped.url == server.url("/b"))
    request.onRedirect = { _ in .refuse }
    let error = await #expect(throws: HTTPError.self) { try await client.send(request) }
    #expect(error?.code == .redirect)
    await client.shutdown()
  }

  @Test func `A host is reached at the addresses that were given for it`() async throws {
    let server = try LoopbackServer { .ok($0.header("Host") ?? "") }
    defer { server.close() }
    var configuration = HTTPClient.Configuration()
    configuration.proxy = ""
    configuration.nameOverrides = [
      NameOverride(host: "service.invalid", port: server.port, addresses: ["127.0.0.1"])
    ]
    let client = HTTPClient(configuration: configuration)
    let url = "http://service.invalid:\(server.port)/"
    for _ in 1...2 {
      let response = try await client.send(patient(url: url, retries: .never))
      #expect(response.body.text == "service.invalid:\(server.port)")
    }
    await client.shutdown()
  }

  @Test func `A Unix socket takes all requests`() async throws {
    let folder = try Folder()
    defer { folder.remove() }
    let socket = try UnixServer(folder["s"])
    defer { socket.close() }
    var configuration = HTTPClient.Configuration()
    configuration.proxy = ""
    configuration.unixSocket = folder["s"]
    let client = HTTPClient(configuration: configuration)
    let response = try await client.send(patient(url: "http://engine/info", retries: .never))
    #expect(response.body.text == "engine/info")
    await client.shutdown()
  }

  /// A server on a Unix socket that answers with the host and the target of each request.
  private final class UnixServer: Sendable {
    private let socket: Int32

    init(_ path: String) throws {
      socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      let bytes = path.utf8CString
      try #require(bytes.count <= MemoryLayout.size(ofValue: address.sun_path))
      withUnsafeMutableBytes(of: &address.sun_path) { room in
        bytes.withUnsafeBytes { room.copyMemory(from: $0) }
      }
      let isBound = withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
          bind(socket, pointer, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
        }
      }
      try #require(isBound && listen(socket, 8) == 0)
      Listener.thread { [socket] in
        while true {
          let connection = accept(socket, nil, nil)
          guard connection >= 0 else { break }
          let stream = ServerStream(connection)
          while let request = stream.nextRequest(),
            stream.perform(
              .ok((request.header("Host") ?? "") + request.target), answered: {})
          {}
          Glibc.close(connection)
        }
        Glibc.close(socket)
      }
    }

    func close() { shutdown(socket, Int32(SHUT_RDWR)) }
  }
}
