import FoundationEssentials
import QueuedHTTP
import Synchronization
import TestSupport
import Testing

/// The code of the documentation's guides, as it stands there, run against a server.
@Suite struct GuideTests {
  private struct Post: Codable {
    var title: String
  }

  private func server() throws -> LoopbackServer {
    try LoopbackServer { request in
      let headers = ["Content-Type: application/json", "ETag: \"a\""]
      return request.method == "POST" && request.header("Content-Type") == "application/json"
        ? .status(200, request.body, headers: headers)
        : .ok(#"{"title": "hello"}"#, headers: headers)
    }
  }

  @Test func `Getting started`() async throws {
    let server = try server()
    defer { server.close() }
    let folder = try Folder()
    defer { folder.remove() }
    let path = folder["photo.jpeg"]
    try folder.write([1, 2, 3], to: "photo.jpeg")
    let url = server.url()
    let token = "token"
    var shown: [String] = []
    func show(_ text: String) { shown.append(text) }
    let client = HTTPClient()
    let response = try await client.send(HTTPRequest(url: url))
    if response.isSuccess { show(response.body.text) }
    let post = try await client.send(HTTPRequest(url: url), decoding: Post.self)
    show(post.title)
    var request = HTTPRequest(.post, url: url)
    request.setBearerToken(token)
    try request.setBody(encoding: Post(title: "hello"))
    let created = try await client.send(request).decode(Post.self)
    show(created.title)
    var form = MultipartForm()
    form.append("title", "holiday")
    form.append("photo", file: path, contentType: "image/jpeg")
    try request.setForm(form)
    _ = try await client.send(request)
    #expect(shown == [#"{"title": "hello"}"#, "hello", "hello"])
    await client.shutdown()
  }

  @Test func `Errors`() async throws {
    let server = try LoopbackServer { _ in .status(404, Array("gone".utf8)) }
    defer { server.close() }
    let url = server.url()
    var shown: [String] = []
    func show(_ text: String) { shown.append(text) }
    func askAgainLater() { shown.append("later") }
    let client = HTTPClient()
    do throws(HTTPError) {
      let request = HTTPRequest(url: url, validations: [.status()])
      show(try await client.send(request).body.text)
    } catch {
      switch error.code {
      case .unacceptable: show(error.response?.body.text ?? "")
      case .connection, .nameLookup, .connectTimeout: askAgainLater()
      case _: show(error.description)
      }
    }
    #expect(shown == ["gone"])
    await client.shutdown()
  }

  @Test func `Downloads and resume`() async throws {
    let server = try server()
    defer { server.close() }
    let folder = try Folder()
    defer { folder.remove() }
    let path = folder["file"]
    let url = server.url()
    let drawn = Shared(Atomic<Int>(0))
    @Sendable func draw(_ percent: Double) { drawn.value.add(1, ordering: .relaxed) }
    let client = HTTPClient()
    let request = HTTPRequest(url: url, destination: .file(path: path, resumes: true))
    let response = try await client.send(request) { progress in draw(progress.percent ?? 0) }
    let operation = client.operation(request)
    let progress = operation.progress
    operation.start()
    for await step in progress { draw(step.percent ?? 0) }
    let again = try await operation.value
    #expect(response.status == 200)
    #expect(again.status == 200)
    #expect(drawn.value.load(ordering: .relaxed) > 1)
    await client.shutdown()
  }

  @Test func `Streams`() async throws {
    let server = try LoopbackServer { _ in .ok("data: one\n\ndata: two\n\n") }
    defer { server.close() }
    let url = server.url()
    var shown: [String] = []
    func show(_ text: Substring) { shown.append(String(text)) }
    let client = HTTPClient()
    let response = try await client.stream(HTTPRequest(url: url))
    for try await line in response.lines where line.hasPrefix("data: ") {
      show(line.dropFirst(6))
    }
    let other = try await client.stream(HTTPRequest(url: url))
    let body = try await other.body.collect(upTo: 1 << 20)
    show(Substring(body.text.prefix(4)))
    #expect(shown == ["one", "two", "data"])
    await client.shutdown()
  }

  @Test func `Retries and timeouts`() async throws {
    let answers = Shared(Mutex<[Answer]>([.status(503), .ok()]))
    let server = try LoopbackServer { _ in answers.value.withLock { $0.removeFirst() } }
    defer { server.close() }
    let client = HTTPClient()
    let url = server.url()
    let order = Array("{}".utf8)
    var request = HTTPRequest(.post, url: url, body: order, deadline: .seconds(30))
    request.timeouts.connect = .seconds(5)
    request.retries.limit = 4
    request.retries.methods.insert(.post)
    request.headers["Idempotency-Key"] = "4711"
    let response = try await client.send(request)
    #expect(response.timings.attempts == 2)
    await client.shutdown()
  }

  @Test func `Cookies, observers and equal requests`() async throws {
    let server = try server()
    defer { server.close() }
    let url = server.url()
    struct Watch: RequestObserver {
      func finished(_ request: ObservedRequest, with result: Result<HTTPResponse, HTTPError>) {
        #expect(request.id == 1)
      }
    }
    let home = "/home"
    do {
      var configuration = HTTPClient.Configuration()
      configuration.joinsEqualRequests = true
      _ = configuration
    }
    var configuration = HTTPClient.Configuration()
    configuration.cookies = CookieStore()
    configuration.observer = Watch()
    let client = HTTPClient(configuration: configuration)
    var request = HTTPRequest(url: url)
    request.onRedirect = { redirect in redirect.target.hasSuffix(home) ? .stop : .follow }
    #expect(try await client.send(request).status == 200)
    await client.shutdown()
  }
}
