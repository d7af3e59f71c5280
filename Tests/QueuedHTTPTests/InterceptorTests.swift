import QueuedHTTP
import Synchronization
import TestSupport
import Testing

@Suite struct InterceptorTests {
  /// An interceptor of two closures.
  private struct Hooks: RequestInterceptor {
    var adapt: @Sendable (HTTPRequest, InterceptedAttempt) async throws -> HTTPRequest = {
      request, _ in request
    }
    var shouldRepeat:
      @Sendable (Result<HTTPResponse, HTTPError>, InterceptedAttempt) async throws -> Bool = {
        _, _ in false
      }

    func adapt(
      _ request: HTTPRequest, for attempt: InterceptedAttempt
    ) async throws -> HTTPRequest { try await adapt(request, attempt) }

    func shouldRepeat(
      _ request: HTTPRequest, after result: Result<HTTPResponse, HTTPError>,
      of attempt: InterceptedAttempt
    ) async throws -> Bool { try await shouldRepeat(result, attempt) }
  }

  private struct Failed: Error, CustomStringConvertible { var description: String { "no key" } }

  private func client(
    _ interceptor: any RequestInterceptor, _ change: (inout ClientConfiguration) -> Void = { _ in }
  ) -> HTTPClient {
    var configuration = ClientConfiguration()
    configuration.proxy = ""
    configuration.interceptor = interceptor
    change(&configuration)
    return HTTPClient(configuration: configuration)
  }

  @Test func `An attempt that the interceptor repeats does not count as a retry`() async throws {
    let answers = Shared(Mutex<[Answer]>([.status(401), .status(503), .ok()]))
    let server = try LoopbackServer { _ in answers.value.withLock { $0.removeFirst() } }
    defer { server.close() }
    let client = client(
      Hooks(shouldRepeat: { result, _ in (try? result.get())?.status == 401 }))
    var retries = RetryPolicy.soon
    retries.limit = 1
    let response = try await client.send(patient(url: server.url(), retries: retries))
    #expect(response.status == 200)
    #expect(response.timings.attempts == 3)
    await client.shutdown()
  }

  @Test func `Each attempt is adapted anew, from the request as it was submitted`() async throws {
    let answers = Shared(Mutex<[Answer]>([.status(503), .status(403), .ok()]))
    let server = try LoopbackServer { _ in answers.value.withLock { $0.removeFirst() } }
    defer { server.close() }
    let client = client(
      Hooks(
        adapt: { request, attempt in
          await Task.yield()
          var request = request
          request.headers.append("X-Signature", "\(attempt.number)-\(attempt.repeats)")
          return request
        },
        shouldRepeat: { result, _ in
          guard case .success(let response) = result else { return false }
          return response.status == 403
        }))
    let response = try await client.send(patient(url: server.url(), retries: .soon))
    #expect(response.status == 200)
    #expect(response.timings.attempts == 3)
    let signatures = server.seen.requests.map { $0.header("X-Signature") ?? "" }
    #expect(signatures == ["1-0", "2-0", "3-1"])
    #expect(
      server.seen.requests.allSatisfy { request in
        request.headers.count { $0.name == "X-Signature" } == 1
      })
    await client.shutdown()
  }

  @Test func `Method, URL, fields and body can be changed, and nothing else`() async throws {
    let server = try LoopbackServer { _ in .ok() }
    defer { server.close() }
    let url = server.url("/changed")
    let client = client(
      Hooks(adapt: { request, _ in
        HTTPRequest(.put, url: url, headers: ["X-A": "1"], body: [1, 2], deadline: .zero)
      }))
    _ = try await client.send(patient(url: server.url("/"), validations: [.status()]))
    let seen = try #require(server.seen.requests.first)
    #expect(seen.method == "PUT")
    #expect(seen.target == "/changed")
    #expect(seen.header("X-A") == "1")
    #expect(seen.body == [1, 2])
    await client.shutdown()
  }

  @Test func `An interceptor that fails ends the request, and says why`() async throws {
    let server = try LoopbackServer { _ in .status(401, Array("who?".utf8)) }
    defer { server.close() }
    let failing = client(Hooks(adapt: { _, _ in throw Failed() }))
    let unsent = await #expect(throws: HTTPError.self) {
      try await failing.send(patient(url: server.url()))
    }
    #expect(unsent?.code == .interceptor)
    #expect(unsent?.reason == "the interceptor failed: no key")
    #expect(unsent?.underlyingError is Failed)
    #expect(server.targets == [])
    let asked = client(Hooks(shouldRepeat: { _, _ in throw Failed() }))
    let refused = await #expect(throws: HTTPError.self) {
      try await asked.send(patient(url: server.url()))
    }
    #expect(refused?.code == .interceptor)
    #expect(refused?.response?.body.text == "who?")
    let malformed = client(Hooks(adapt: { _, _ in HTTPRequest(url: "no URL") }))
    let unusable = await #expect(throws: HTTPError.self) {
      try await malformed.send(patient(url: server.url()))
    }
    #expect(unusable?.code == .interceptor)
    #expect((unusable?.underlyingError as? HTTPError)?.code == .badRequest)
    #expect(failing.counts.underWay + asked.counts.underWay + malformed.counts.underWay == 0)
    for client in [failing, asked, malformed] { await client.shutdown() }
  }

  @Test func `A request is repeated only so many times, and then the refusal is its response`()
    async throws
  {
    let server = try LoopbackServer { _ in .status(401) }
    defer { server.close() }
    for limit in [0, 2] {
      let asked = Shared(Atomic<Int>(0))
      let client = client(
        Hooks(shouldRepeat: { _, attempt in
          #expect(attempt.repeats == asked.value.wrappingAdd(1, ordering: .relaxed).oldValue)
          return true
        })
      ) { $0.interceptorRepeats = limit }
      let response = try await client.send(patient(url: server.url()))
      #expect(response.status == 401)
      #expect(response.timings.attempts == limit + 1)
      #expect(asked.value.load(ordering: .relaxed) == limit)
      await client.shutdown()
    }
  }

  @Test(arguments: [true, false])
  func `A canceled request leaves at once, while the interceptor still works for it`(
    isAdapting: Bool
  ) async throws {
    let server = try LoopbackServer { _ in .status(401) }
    defer { server.close() }
    let (entered, noteEntry) = AsyncStream.makeStream(of: Void.self)
    let (ended, noteEnd) = AsyncStream.makeStream(of: Bool.self)
    let gate = Shared(Mutex<CheckedContinuation<Void, Never>?>(nil))
    // It ignores its cancellation until the gate is opened.
    @Sendable func stall() async {
      await withCheckedContinuation { waiter in
        gate.value.withLock { $0 = waiter }
        noteEntry.yield()
      }
      noteEnd.yield(Task.isCancelled)
    }
    let client = client(
      Hooks(
        adapt: { request, _ in
          if isAdapting { await stall() }
          return request
        },
        shouldRepeat: { _, _ in
          await stall()
          return true
        })
    ) { $0.concurrency = 1 }
    let ends = Ends()
    let operation = client.enqueue(
      patient(url: server.url()), on: ends.queue, completion: ends.take)
    for await _ in entered { break }
    #expect(client.counts.running == 1)
    operation.cancel()
    await ends.reached(1)
    #expect(ends.codes == [.cancelled])
    #expect(client.counts.underWay == 0)
    gate.value.withLock { $0.take() }?.resume()
    for await wasCanceled in ended {
      #expect(wasCanceled)
      break
    }
    #expect(server.targets.count == (isAdapting ? 0 : 1))
    await client.shutdown()
    #expect(client.counts.cancelled == 1)
  }

  @Test func `A deadline covers the interceptor`() async throws {
    let client = client(
      Hooks(adapt: { request, _ in
        try await Task.sleep(for: .hours)
        return request
      }))
    let error = await #expect(throws: HTTPError.self) {
      try await client.send(
        HTTPRequest(url: "http://127.0.0.1:9/", deadline: .milliseconds(20)))
    }
    #expect(error?.code == .deadline)
    await client.shutdown()
  }

  @Test func `It runs on no thread of the client, even for its own tasks`() async throws {
    let answers = Shared(Mutex<[Answer]>([.status(401), .ok(), .ok(), .ok(), .ok()]))
    let server = try LoopbackServer { _ in answers.value.withLock { $0.removeFirst() } }
    defer { server.close() }
    let names = Shared(Mutex<Set<String>>([]))
    @Sendable func note() { names.value.withLock { _ = $0.insert(ThreadName.current) } }
    let client = client(
      Hooks(
        adapt: { request, _ in
          note()
          return request
        },
        shouldRepeat: { _, _ in
          note()
          return true
        })
    ) { $0.concurrency = 1 }
    // The second starts when the first ends, which the worker finds out.
    try await withTaskExecutorPreference(client.taskExecutor) {
      #expect(ThreadName.current == "QueuedHTTP")
      async let one = client.send(patient(url: server.url()))
      async let other = client.send(patient(url: server.url()))
      _ = try await [one, other]
    }
    #expect(!names.value.withLock { $0 }.contains("QueuedHTTP"))
    #expect(!names.value.withLock { $0 }.isEmpty)
    await client.shutdown()
  }

  @Test func `An upload is sent whole again, and a stream that has begun is not repeated`()
    async throws
  {
    let server = try LoopbackServer { request in
      request.target == "/cut"
        ? .cut(said: 10, sent: 5) : request.header("X-Repeat") == nil ? .status(401) : .ok("done")
    }
    defer { server.close() }
    let asked = Shared(Atomic<Int>(0))
    let client = client(
      Hooks(
        adapt: { request, attempt in
          var request = request
          if attempt.repeats > 0 { request.headers["X-Repeat"] = "1" }
          return request
        },
        shouldRepeat: { _, _ in
          asked.value.add(1, ordering: .relaxed)
          return true
        }))
    let pieces: [[UInt8]] = [[1, 2], [3]]
    let upload = UploadBody.stream(length: 3) {
      AsyncStream { continuation in
        for piece in pieces { continuation.yield(piece) }
        continuation.finish()
      }
    }
    _ = try await client.send(patient(.post, url: server.url(), upload: upload))
    #expect(server.seen.requests.map(\.body) == [[1, 2, 3], [1, 2, 3]])
    // One that can be read only once ends with an error, never with a part of it.
    let once = AsyncStream<[UInt8]> { continuation in
      continuation.yield([1, 2, 3])
      continuation.finish()
    }
    let spent = await #expect(throws: HTTPError.self) {
      try await client.send(
        patient(.post, url: server.url(), upload: .stream(length: 3) { once }))
    }
    #expect(spent?.code == .requestBody)
    // The head of a refusal is not handed out, so a stream can still be repeated then.
    let streamed = try await client.stream(patient(url: server.url()))
    #expect(try await streamed.body.collect(upTo: 100).text == "done")
    asked.value.store(0, ordering: .relaxed)
    let cut = try await client.stream(patient(url: server.url("/cut")))
    await #expect(throws: HTTPError.self) { try await cut.body.collect(upTo: 100) }
    #expect(asked.value.load(ordering: .relaxed) == 0)
    await client.shutdown()
  }

  @Test func `A cache keeps apart what came with different credentials`() async throws {
    let server = try LoopbackServer { request in
      .ok(request.header("Authorization") ?? "nobody", headers: ["Cache-Control: max-age=9999"])
    }
    defer { server.close() }
    let cache = MemoryCache()
    for name in ["ann", "bob", "ann"] {
      let client = client(
        Hooks(adapt: { request, _ in
          var request = request
          request.setBearerToken(name)
          return request
        })
      ) { $0.cache = cache }
      let response = try await client.send(patient(url: server.url()))
      #expect(response.body.text == "Bearer \(name)")
      for try await response in client.responses(for: patient(url: server.url())) {
        #expect(response.body.text == "Bearer \(name)")
        #expect(response.origin == .stored)
      }
      await client.shutdown()
    }
    #expect(server.targets.count == 2)
  }

  @Test func `A redirect is not adapted, and takes no credentials along`() async throws {
    let target = try LoopbackServer { _ in .ok() }
    defer { target.close() }
    let server = try LoopbackServer { _ in .redirect(to: target.url()) }
    defer { server.close() }
    let calls = Shared(Atomic<Int>(0))
    let client = client(
      Hooks(adapt: { request, _ in
        calls.value.add(1, ordering: .relaxed)
        var request = request
        request.setBearerToken("secret")
        request.headers["X-Key"] = "secret"
        request.headers["X-Own"] = "secret"
        request.headers["X-Other"] = "kept"
        request.secretHeaders = ["X-Key"]
        return request
      }))
    let request = patient(url: server.url(), secretHeaders: ["X-Own"])
    #expect(try await client.send(request).status == 200)
    let (first, second) = (server.seen.requests.first, target.seen.requests.first)
    #expect(second?.header("X-Other") == "kept")
    for name in ["Authorization", "X-Key", "X-Own"] {
      #expect(first?.header(name)?.hasSuffix("secret") == true, "\(name)")
      #expect(second?.header(name) == nil, "\(name)")
    }
    #expect(calls.value.load(ordering: .relaxed) == 1)
    await client.shutdown()
  }

  @Test func `Everything is canceled while interceptors work, and each request ends once`()
    async throws
  {
    let client = client(
      Hooks(adapt: { request, _ in
        try await Task.sleep(for: .hours)
        return request
      })
    ) { $0.concurrency = 64 }
    let ends = Ends()
    for number in 0..<200 {
      client.enqueue(
        patient(url: "http://127.0.0.1:9/\(number)"), on: ends.queue, completion: ends.take)
    }
    await client.cancelAll()
    await ends.reached(200)
    #expect(ends.codes.allSatisfy { $0 == .cancelled })
    await client.shutdown()
    #expect(client.counts.cancelled == 200)
  }
}
