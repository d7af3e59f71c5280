import Dispatch
import Foundation
import QueuedHTTP
import Synchronization
import Testing

/// The code of the documentation, as it stands there, run against a server.
@Suite struct DocumentationTests {
  private let queue = DispatchQueue(label: "tests.documentation")
  private let ends = Ends()

  private func server() throws -> LoopbackServer {
    try LoopbackServer { _ in .ok("{}", headers: ["Content-Type: application/json"]) }
  }

  @Test func `One client, one operation queue`() async throws {
    let server = try server()
    defer { server.close() }
    let base = server.url("")
    let tags = ["#swift", "a b"]
    let searches = RequestGroup(rawValue: "searches")
    let ended = Ends()
    @Sendable func show(_ tag: String, _ body: HTTPBody) {
      ended.take(.success(HTTPResponse(status: 200, body: body)))
    }
    @Sendable func complain(_ tag: String, _ error: HTTPError) { ended.take(.failure(error)) }
    let client = HTTPClient()
    client.setConcurrency(2)
    for tag in tags {
      var request = HTTPRequest(url: "\(base)/search.json", group: searches)
      request.addQuery([("q", tag), ("rpp", "20"), ("include_entities", "true")])
      client.enqueue(request, priority: .high, on: queue) { result in
        switch result {
        case .success(let response): show(tag, response.body)
        case .failure(let error): complain(tag, error)
        }
      }
    }
    client.cancel(group: searches)
    await client.cancelAll()
    await ended.reached(2)
    #expect(ended.results.count == 2)
    let url = server.url()
    let tag = tags[0]
    for try await response in client.responses(for: HTTPRequest(url: url)) {
      show(tag, response.body)
    }
    #expect(ended.results.count == 3)
    await client.shutdown()
  }

  @Test func `Send, with a completion on a queue of your choice`() async throws {
    let server = try server()
    defer { server.close() }
    let client = HTTPClient()
    let url = server.url()
    let cancels = Shared(Atomic<Int>(0))
    @Sendable func noteCancel() { cancels.value.add(1, ordering: .relaxed) }
    let operation = client.enqueue(HTTPRequest(url: url), on: queue) { result in
      if case .failure(let error) = result, error.code == .cancelled { noteCancel() }
    }
    operation.cancel()
    let response = try await client.send(HTTPRequest(url: url))
    #expect(response.status == 200)
    await client.shutdown()
    queue.sync {}
    #expect(cancels.value.load(ordering: .relaxed) <= 1)
  }

  @Test func `Closures released where they were called`() async throws {
    let server = try server()
    defer { server.close() }
    let client = HTTPClient()
    let url = server.url()
    let path = "/tmp/file"
    @Sendable func parse(_ body: HTTPBody) throws { #expect(body.text == "{}") }
    @Sendable func finish(_ result: Result<HTTPResponse, HTTPError>) { ends.take(result) }
    var request = HTTPRequest(.post, url: url)
    request.setForm([("user", "a"), ("text", "b & c")])
    request.headers["Accept"] = "application/json"
    request.validations = [
      .status(200...299), .contentType("application/json"),
      ResponseValidation { response in try parse(response.body) },
    ]
    client.enqueue(request, on: queue) { result in finish(result) }
    let download = HTTPRequest(url: url, destination: .file(path: path, resumes: true))
    await ends.reached(1)
    #expect(ends.statuses == [200])
    #expect(download.destination == .file(path: path, resumes: true))
    await client.shutdown()
  }

  @Test func `Made, started, stopped, with progress`() async throws {
    let server = try server()
    defer { server.close() }
    let client = HTTPClient()
    let url = server.url()
    @Sendable func show(_ percent: Double?, _ received: Int) { #expect(received > 0) }
    @Sendable func finish(_ result: Result<HTTPResponse, HTTPError>) { ends.take(result) }
    let operation = client.operation(
      HTTPRequest(url: url, validations: [.status()]), progressThreshold: 5,
      progress: { progress in show(progress.percent, progress.received) }, on: queue
    ) { result in finish(result) }
    operation.priority = .low
    operation.start()
    operation.cancel()
    await ends.reached(1)
    #expect(operation.state == .cancelled || operation.state == .finished)
    await client.shutdown()
  }

  @Test func `Any method, to any address, many at once`() async throws {
    let server = try server()
    defer { server.close() }
    let folder = try ScratchFolder()
    defer { folder.remove() }
    try folder.write([1, 2, 3], to: "file")
    let client = HTTPClient()
    let base = server.url("")
    let url = server.url()
    let path = folder.file("file")
    let records = (0..<10).map { Array("{\($0)}".utf8) }
    var count = 0
    @Sendable func finish(_ result: Result<HTTPResponse, HTTPError>) { ends.take(result) }
    for (index, record) in records.enumerated() {
      var request = HTTPRequest(.put, url: "\(base)/records/\(index)", body: record)
      request.headers["Content-Type"] = "application/json"
      client.enqueue(request, on: queue) { result in finish(result) }
    }
    let upload = HTTPRequest(.post, url: url, upload: .file(path))
    let answer = try await client.stream(upload)
    for try await piece in answer.body { count += piece.count }
    await ends.reached(10)
    #expect(ends.statuses.count == 10)
    #expect(count == 2)
    await client.shutdown()
  }

  @Test func `What we have now, and the fresh one when it comes`() async throws {
    let server = try server()
    defer { server.close() }
    let scratch = try ScratchFolder()
    defer { scratch.remove() }
    let folder = scratch.file("cache")
    let url = server.url()
    var shown: [String] = []
    func show(_ response: HTTPResponse) { shown.append("fresh \(response.body.text)") }
    func showForNow(_ response: HTTPResponse) { shown.append("old \(response.body.text)") }
    for round in 1...2 {
      var configuration = HTTPClient.Configuration()
      configuration.cache = DiskCache(folder: folder, bytes: 64 << 20)
      let client = HTTPClient(configuration: configuration)
      for try await response in client.responses(for: HTTPRequest(url: url)) {
        switch response.origin {
        case .stored, .network: show(response)
        case .stale, .revalidated: showForNow(response)
        }
      }
      #expect(shown == (round == 1 ? ["fresh {}"] : ["fresh {}", "old {}", "fresh {}"]))
      var request = HTTPRequest(url: url)
      request.cachePolicy = .reload
      let newest = try await client.send(request)
      request.cachePolicy = .onlyCached
      let kept = try await client.send(request)
      #expect(newest.origin == .network)
      #expect(kept.body.text == newest.body.text)
      await client.shutdown()
    }
  }

  @Test func `The code in the documentation is the code that is tested`() throws {
    let tests = URL(filePath: #filePath)
    let root = tests.deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let folder = root.appending(path: "Sources/QueuedHTTP/QueuedHTTP.docc")
    let pages = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    // The layout may differ, the code may not.
    let plain = { (text: String) in text.split { " \n".contains($0) }.joined(separator: " ") }
    let code = plain(try String(contentsOf: tests, encoding: .utf8))
    var count = 0
    for page in pages where page.hasSuffix(".md") {
      let text = try String(contentsOf: folder.appending(path: page), encoding: .utf8)
      for block in text.components(separatedBy: "```swift\n").dropFirst() {
        count += 1
        let snippet = plain(block.components(separatedBy: "```")[0])
        #expect(code.contains(snippet), "\(page)")
      }
    }
    #expect(pages.count == 7)
    #expect(count >= 8)
  }
}
