import QueuedHTTP
import Synchronization
import TestSupport
import Testing

@Suite struct UploadTests {
  private let body = (0..<700_000).map { UInt8(truncatingIfNeeded: $0 / 5) }

  private func pieces(_ body: [UInt8]) -> AsyncStream<[UInt8]> {
    AsyncStream { continuation in
      for start in stride(from: 0, to: body.count, by: 10_000) {
        continuation.yield(Array(body[start..<min(body.count, start + 10_000)]))
      }
      continuation.finish()
    }
  }

  @Test(arguments: ["POST", "PUT", "PATCH"])
  func `A file is uploaded completely, with its length`(method: String) async throws {
    let folder = try Folder()
    defer { folder.remove() }
    try folder.write(body, to: "file")
    let server = try LoopbackServer { _ in .ok() }
    defer { server.close() }
    let client = HTTPClient()
    _ = try await client.send(
      patient(
        HTTPMethod(rawValue: method), url: server.url(), upload: .file(folder["file"])))
    let seen = try #require(server.seen.requests.first)
    #expect(seen.method == method)
    #expect(seen.header("Content-Length") == "700000")
    #expect(seen.header("Content-Type") == nil)
    #expect(seen.header("Expect") == nil)
    #expect(seen.body == body)
    await client.shutdown()
  }

  @Test func `An empty file goes out as an empty body`() async throws {
    let folder = try Folder()
    defer { folder.remove() }
    try folder.write([], to: "file")
    let server = try LoopbackServer { _ in .ok() }
    defer { server.close() }
    let client = HTTPClient()
    _ = try await client.send(
      patient(.post, url: server.url(), upload: .file(folder["file"])))
    #expect(server.seen.requests.first?.header("Content-Length") == "0")
    await client.shutdown()
  }

  @Test func `A file that cannot be read is an error of its own`() async throws {
    let client = HTTPClient()
    let error = await #expect(throws: HTTPError.self) {
      try await client.send(
        patient(.put, url: "http://127.0.0.1:9/", upload: .file("/no/such/file")))
    }
    #expect(error?.code == .file)
    #expect(error?.reason == "/no/such/file: cannot be read: No such file or directory")
    await client.shutdown()
  }

  @Test(arguments: [nil, 700_000])
  func `A stream goes out as it is produced`(length: Int?) async throws {
    let server = try LoopbackServer { _ in .ok() }
    defer { server.close() }
    let client = HTTPClient()
    let body = body
    _ = try await client.send(
      patient(.post, url: server.url(), upload: .stream(length: length) { pieces(body) }))
    let seen = try #require(server.seen.requests.first)
    #expect(seen.body == body)
    #expect(seen.header("Transfer-Encoding") == (length == nil ? "chunked" : nil))
    #expect(seen.header("Content-Length") == length.map { "\($0)" })
    await client.shutdown()
  }

  @Test func `A producer runs no faster than the body is sent`() async throws {
    let server = try LoopbackServer { _ in .ok() }
    defer { server.close() }
    let client = HTTPClient()
    let produced = Shared(Atomic<Int>(0))
    // Nothing listens behind this proxy, so nothing of the body can leave.
    let backlog = try FullBacklog()
    defer { backlog.close() }
    let endless = AsyncStream<[UInt8]> {
      produced.value.add(1 << 16, ordering: .relaxed)
      return [UInt8](repeating: 120, count: 1 << 16)
    }
    let ends = Ends()
    let operation = client.enqueue(
      patient(
        .put, url: "http://127.0.0.1:\(backlog.port)/", upload: .stream { endless }),
      on: ends.queue, completion: ends.take)
    while produced.value.load(ordering: .relaxed) < 1 << 18, ends.results.isEmpty {
      await Task.yield()
    }
    #expect(ends.results.isEmpty)
    for _ in 0..<100 { _ = try await client.send(patient(url: server.url())) }
    #expect(produced.value.load(ordering: .relaxed) <= 1 << 19)
    operation.cancel()
    await ends.reached(1)
    await client.shutdown()
  }

  private struct Failed: Error, CustomStringConvertible { var description: String { "no more" } }

  @Test func `A body stream that fails or ends early ends the request`() async throws {
    let server = try LoopbackServer { _ in .ok() }
    defer { server.close() }
    let client = HTTPClient()
    let failing = AsyncThrowingStream<[UInt8], any Error> { continuation in
      continuation.yield([120])
      continuation.finish(throwing: Failed())
    }
    let failed = await #expect(throws: HTTPError.self) {
      try await client.send(patient(.put, url: server.url(), upload: .stream { failing }))
    }
    #expect(failed?.code == .requestBody)
    #expect(failed?.reason == "no more")
    let short = await #expect(throws: HTTPError.self) {
      try await client.send(
        patient(.put, url: server.url(), upload: .stream(length: 10) { pieces([1, 2]) }))
    }
    #expect(short?.code == .requestBody)
    #expect(short?.reason == "the body ended after 2 of 10 bytes")
    await client.shutdown()
  }

  @Test(arguments: [1, 500_000, 699_999])
  func `A body stream that is longer than stated ends the request, and no server has all of it`(
    length: Int
  ) async throws {
    let server = try LoopbackServer { _ in .ok() }
    defer { server.close() }
    let client = HTTPClient()
    let body = body
    let error = await #expect(throws: HTTPError.self) {
      try await client.send(
        patient(.put, url: server.url(), upload: .stream(length: length) { pieces(body) }))
    }
    #expect(error?.code == .requestBody)
    #expect(error?.reason == "the body is longer than \(length) bytes")
    #expect(server.targets == [])
    await client.shutdown()
  }

  @Test func `No server has all of a body before its end is known`() async throws {
    let server = try LoopbackServer { _ in .ok() }
    defer { server.close() }
    let client = HTTPClient()
    let (body, producer) = AsyncThrowingStream<[UInt8], any Error>.makeStream()
    producer.yield([1, 2, 3])
    let request = patient(.put, url: server.url(), upload: .stream(length: 3) { body })
    let sending = Task { try await client.send(request) }
    // The time in which a server would have answered a whole body.
    for _ in 0..<20 where server.targets.isEmpty { try await Task.sleep(for: .milliseconds(10)) }
    #expect(server.targets == [])
    producer.yield([4])
    producer.finish()
    let error = await #expect(throws: HTTPError.self) { try await sending.value }
    #expect(error?.reason == "the body is longer than 3 bytes")
    await client.shutdown()
  }

  @Test func `A negative length makes the request bad`() async throws {
    let client = HTTPClient()
    let error = await #expect(throws: HTTPError.self) {
      try await client.send(
        patient(.put, url: "http://127.0.0.1:9/", upload: .stream(length: -1) { pieces([]) }))
    }
    #expect(error?.code == .badRequest)
    #expect(error?.reason == "the length of the body is negative")
    await client.shutdown()
  }

  @Test func `A producer that stalls ends by the idle timeout`() async throws {
    let server = try LoopbackServer { _ in .ok() }
    defer { server.close() }
    let client = HTTPClient()
    let (stream, continuation) = AsyncStream.makeStream(of: [UInt8].self)
    continuation.yield([1, 2, 3])
    let error = await #expect(throws: HTTPError.self) {
      try await client.send(
        patient(
          .put, url: server.url(),
          timeouts: Timeouts(connect: nil, idle: .milliseconds(150), total: nil), retries: .soon,
          upload: .stream { stream }))
    }
    #expect(error?.code == .idleTimeout)
    #expect(error?.reason == "the body stream produced nothing for 150 ms")
    continuation.finish()
    await client.shutdown()
  }

  @Test(arguments: ["POST", "PUT"], [true, false])
  func `A request whose Expect fails is sent once more without it`(
    method: String, isUpload: Bool
  ) async throws {
    let server = try LoopbackServer { request in
      request.header("Expect") != nil || request.target == "/never"
        ? .rawThenClose(Answer.head(417, ["Content-Length: 0"])) : .ok("\(request.body.count)")
    }
    defer { server.close() }
    let client = HTTPClient()
    let body = body
    for path in ["/", "/never"] {
      let response = try await client.send(
        patient(
          HTTPMethod(rawValue: method), url: server.url(path),
          headers: ["Expect": "100-continue"], body: isUpload ? nil : body, retries: .soon,
          upload: isUpload ? .stream(length: body.count) { pieces(body) } : nil))
      #expect(response.status == (path == "/" ? 200 : 417))
      #expect(path != "/" || response.body.text == "700000")
      #expect(response.timings.attempts == 2)
    }
    #expect(server.targets == ["/", "/", "/never", "/never"])
    await client.shutdown()
  }

  @Test func `A retry, and a redirect that keeps the body, send it again`()
    async throws
  {
    let folder = try Folder()
    defer { folder.remove() }
    try folder.write(body, to: "file")
    let busy = Shared(Atomic<Bool>(true))
    let server = try LoopbackServer { request in
      switch request.target {
      case "/busy": busy.value.exchange(false, ordering: .relaxed) ? .status(503) : .ok()
      case "/there": .redirect(307, to: "/busy")
      case "/form": .redirect(303, to: "/got")
      default: .ok()
      }
    }
    defer { server.close() }
    let client = HTTPClient()
    let body = body
    for upload in [UploadBody.file(folder["file"]), .stream { pieces(body) }] {
      busy.value.store(true, ordering: .relaxed)
      let seen = server.seen.requests.count
      _ = try await client.send(
        patient(.put, url: server.url("/there"), retries: .soon, upload: upload))
      let requests = server.seen.requests[seen...]
      #expect(requests.map(\.target) == ["/there", "/busy", "/there", "/busy"])
      #expect(requests.allSatisfy { $0.body == body })
    }
    _ = try await client.send(
      patient(.post, url: server.url("/form"), upload: .stream { pieces([1]) }))
    let last = try #require(server.seen.requests.last)
    #expect(last.method == "GET" && last.body.isEmpty)
    await client.shutdown()
  }

  @Test(arguments: [true, false])
  func `Sending is reported as progress`(isInMemory: Bool) async throws {
    let server = try LoopbackServer { _ in .ok("received") }
    defer { server.close() }
    let client = HTTPClient()
    let ends = Ends()
    let told = Shared(Mutex<[TransferProgress]>([]))
    let body = body
    client.enqueue(
      patient(
        .put, url: server.url(), body: isInMemory ? body : nil,
        upload: isInMemory ? nil : .stream(length: body.count) { pieces(body) }),
      progress: { progress in told.value.withLock { $0.append(progress) } }, on: ends.queue,
      completion: ends.take)
    await ends.reached(1)
    let steps = told.value.withLock { $0 }
    #expect(steps.map(\.sent) == steps.map(\.sent).sorted())
    #expect(steps.last?.sent == body.count)
    #expect(steps.last?.sentPercent == 100)
    #expect(steps.count { $0.sentPercent == 100 } == 1)
    await client.shutdown()
  }

  @Test(arguments: [(64 << 10, false), ((64 << 10) + 1, true)])
  func `The response to an upload is progress only if it is large`(
    size: Int, isReported: Bool
  ) async throws {
    let server = try LoopbackServer { _ in .status(200, [UInt8](repeating: 120, count: size)) }
    defer { server.close() }
    let client = HTTPClient()
    let told = Shared(Mutex<[TransferProgress]>([]))
    let response = try await client.send(patient(.put, url: server.url(), body: body)) { progress in
      told.value.withLock { $0.append(progress) }
    }
    #expect(response.body.count == size)
    let steps = told.value.withLock { $0 }
    #expect((steps.last?.received == size) == isReported)
    #expect(steps.last?.sentPercent == 100)
    await client.shutdown()
  }

  @Test func `A form and a query are written by the rules`() async throws {
    let server = try LoopbackServer { _ in .ok() }
    defer { server.close() }
    let client = HTTPClient()
    var request = patient(.post, url: server.url("/p?x=1#part"))
    request.addQuery([("q", "#ä b&c~-._"), ("n", "")])
    request.setForm([("user", "a=b"), ("text", "1 + 1")])
    _ = try await client.send(request)
    let seen = try #require(server.seen.requests.first)
    #expect(seen.target == "/p?x=1&q=%23%C3%A4%20b%26c~-._&n=")
    #expect(seen.header("Content-Type") == "application/x-www-form-urlencoded")
    #expect(String(decoding: seen.body, as: UTF8.self) == "user=a%3Db&text=1%20%2B%201")
    #expect(PercentEncoding.adding([("a", "b")], to: "http://h/?") == "http://h/?a=b")
    #expect(PercentEncoding.adding([], to: "http://h/") == "http://h/")
    await client.shutdown()
  }
}
