import Dispatch
import Foundation
import QueuedHTTP
import Synchronization
import TestSupport
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
    let server = try LoopbackServer { $0.target == "/unanswered" ? .stall : .ok("{}") }
    defer { server.close() }
    let client = HTTPClient()
    let cancels = Shared(Atomic<Int>(0))
    @Sendable func noteCancel() { cancels.value.add(1, ordering: .relaxed) }
    do {
      let url = server.url("/unanswered")
      let operation = client.enqueue(HTTPRequest(url: url), on: queue) { result in
        if case .failure(let error) = result, error.code == .cancelled { noteCancel() }
      }
      operation.cancel()
    }
    let url = server.url()
    let response = try await client.send(HTTPRequest(url: url))
    #expect(response.status == 200)
    await client.shutdown()
    queue.sync {}
    #expect(cancels.value.load(ordering: .relaxed) == 1)
  }

  @Test func `Closures released where they are called`() async throws {
    let server = try server()
    defer { server.close() }
    let client = HTTPClient()
    let url = server.url()
    let path = "/tmp/file"
    let parsed = Shared(Atomic<Int>(0))
    @Sendable func parse(_ body: HTTPBody) throws {
      #expect(body.text == "{}")
      parsed.value.add(1, ordering: .relaxed)
    }
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
    #expect(parsed.value.load(ordering: .relaxed) == 1)
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
    let folder = try Folder()
    defer { folder.remove() }
    try folder.write([1, 2, 3], to: "file")
    let client = HTTPClient()
    let base = server.url("")
    let url = server.url()
    let path = folder["file"]
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
    let scratch = try Folder()
    defer { scratch.remove() }
    let folder = scratch["cache"]
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

  @Test func `Limits, pace and cool-down`() async throws {
    let server = try LoopbackServer { _ in
      .ok("{}", headers: ["X-RateLimit-Remaining: 0", "X-RateLimit-Reset: 3600"])
    }
    defer { server.close() }
    let url = server.url()
    var shown = 0
    var postponed: [Date] = []
    func show(_ response: HTTPResponse) { shown += 1 }
    func postpone(_ moment: Date) { postponed.append(moment) }
    var configuration = HTTPClient.Configuration()
    configuration.concurrency = 32
    configuration.perLane = 6
    configuration.capacity = .refuse(above: 10_000)
    let client = HTTPClient(configuration: configuration)
    let search = Lane(rawValue: "search")
    client.setLimit(2, for: search)
    client.setPace(Pace(requests: 180, per: .seconds(15 * 60)), for: search)
    var request = HTTPRequest(url: url, lane: search)
    request.judge = { response, now in
      let quota = RateLimit(response.headers, now: now)
      if quota.isSpent, let moment = quota.retryMoment {
        return response.status == 200 ? .doneThenCoolDown(until: moment) : .coolDown(until: moment)
      }
      return response.status >= 500 ? .retry : .done
    }
    for _ in 1...2 {
      do throws(HTTPError) {
        show(try await client.send(request))
      } catch {
        if error.code == .coolingDown, let moment = error.retryMoment { postpone(moment) }
      }
    }
    #expect(shown == 1)
    #expect(postponed.count == 1)
    #expect(server.targets.count == 1)
    await client.shutdown()
  }

  @Test func `Callbacks and counts`() async throws {
    let server = try server()
    defer { server.close() }
    let client = HTTPClient()
    let url = server.url()
    let executor = QueueExecutor(queue)
    var drawn: [(Double, Int, Int)] = []
    func draw(_ fraction: Double, _ underWay: Int, _ bytes: Int) {
      drawn.append((fraction, underWay, bytes))
    }
    @Sendable func show(_ percent: Double) { #expect(percent == 100) }
    @Sendable func finish(_ result: Result<HTTPResponse, HTTPError>) { ends.take(result) }
    client.enqueue(
      HTTPRequest(url: url), progressThreshold: 10,
      progress: { progress in show(progress.percent ?? 0) }, on: executor
    ) { result in finish(result) }
    await ends.reached(1)
    #expect(ends.statuses == [200])
    await client.shutdown()
    for await progress in client.progress {
      draw(progress.fractionEnded, progress.counts.underWay, progress.bytesReceived)
    }
    #expect(drawn.map(\.0) == [1])
    #expect(drawn.map(\.1) == [0])
    #expect(drawn.map(\.2) == [2])
  }

  @Test func `Proxies, versions and trust`() async throws {
    let target = try server()
    defer { target.close() }
    let server = try LoopbackServer { _ in .redirect(to: target.url()) }
    defer { server.close() }
    let url = server.url()
    let key = "secret"
    var configuration = HTTPClient.Configuration()
    configuration.proxy = "socks5h://127.0.0.1:9050"
    configuration.noProxy = "localhost,127.0.0.1,example.org"
    configuration.httpVersion = .http1
    configuration.caFile = "/etc/ssl/ours.pem"
    let client = HTTPClient(configuration: configuration)
    var request = HTTPRequest(url: url)
    request.headers["X-Api-Key"] = key
    request.secretHeaders = ["X-Api-Key"]
    request.allowsDowngrade = true
    #expect(try await client.send(request).status == 200)
    #expect(server.seen.requests.first?.header("X-Api-Key") == key)
    #expect(target.seen.requests.first?.header("X-Api-Key") == nil)
    await client.shutdown()
    var local = HTTPClient.Configuration()
    local.nameOverrides = [
      NameOverride(host: "api.example.org", port: 443, addresses: ["192.0.2.10"])
    ]
    local.unixSocket = "/run/service.sock"
    #expect(local.nameOverrides.map(\.host) == ["api.example.org"])
    let (authorityPEM, certificatePEM, keyPEM) = ("authority", "certificate", "key")
    var strict = HTTPClient.Configuration()
    strict.caCertificates = authorityPEM
    strict.clientCertificate = ClientCertificate(certificatePEM: certificatePEM, keyPEM: keyPEM)
    strict.pinnedPublicKeys = ["r/mIkG3eEpVdm+u/ko/cwxzOMo1bk4TyHIlByibiA5E="]
    strict.minimumTLSVersion = .tls1_3
    #expect(strict.clientCertificate?.source == .pem(certificate: "certificate", key: "key"))
  }

  /// The folder of the library's sources.
  private var sources: URL {
    URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Sources/QueuedHTTP").resolvingSymlinksInPath()
  }

  @Test func `The first page names every public type and every other page`() throws {
    let folder = sources.appending(path: "QueuedHTTP.docc")
    let first = try String(
      contentsOf: folder.appending(path: "QueuedHTTP.md"), encoding: .utf8)
    let files = try FileManager.default.subpathsOfDirectory(atPath: sources.path)
    let type =
      /^public (?:final |indirect )*(?:struct|enum|class|actor|protocol|typealias) (\w+)/
      .anchorsMatchLineEndings()
    var count = 0
    for file in files where file.hasSuffix(".swift") {
      let text = try String(contentsOf: sources.appending(path: file), encoding: .utf8)
      for match in text.matches(of: type) {
        count += 1
        #expect(first.contains("\n- ``\(match.1)``\n"), "\(match.1)")
      }
    }
    #expect(count > 30)
    for page in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      let name = page.replacing(".md", with: "")
      #expect(name == "QueuedHTTP" || first.contains("\n- <doc:\(name)>\n"))
    }
  }

  @Test func `The code in the documentation is the code that is tested`() throws {
    let tests = URL(filePath: #filePath).deletingLastPathComponent()
    let folder = sources.appending(path: "QueuedHTTP.docc")
    let pages = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    // The layout may differ, the code may not.
    let plain = { (text: String) in text.split { " \n".contains($0) }.joined(separator: " ") }
    let code = try ["DocumentationTests.swift", "GuideTests.swift"].map { name in
      plain(try String(contentsOf: tests.appending(path: name), encoding: .utf8))
    }.joined()
    var count = 0
    for page in pages where page.hasSuffix(".md") {
      let text = try String(contentsOf: folder.appending(path: page), encoding: .utf8)
      for block in text.components(separatedBy: "```swift\n").dropFirst() {
        count += 1
        let snippet = plain(block.components(separatedBy: "```")[0])
        #expect(code.contains(snippet), "\(page)")
      }
    }
    #expect(pages.count == 15)
    #expect(count >= 25)
  }

  @Test func `Every public symbol has a comment`() throws {
    let files = try FileManager.default.subpathsOfDirectory(atPath: sources.path)
    var bare: [String] = []
    var count = 0
    for file in files where file.hasSuffix(".swift") {
      let text = try String(contentsOf: sources.appending(path: file), encoding: .utf8)
      var last = ""
      for line in text.split(separator: "\n").map({ $0.trimmingPrefix(while: \.isWhitespace) }) {
        if line.hasPrefix("public "), !line.hasPrefix("public import") {
          count += 1
          if !last.hasPrefix("///") && !line.hasPrefix("public extension") {
            bare.append("\(file): \(line)")
          }
        }
        // What stands between a comment and its symbol.
        if !line.hasPrefix("@") { last = String(line) }
      }
    }
    #expect(bare == [])
    #expect(count > 200)
  }
}
