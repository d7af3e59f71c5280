import Foundation
import QueuedHTTP
import Synchronization
import TestSupport
import Testing

@Suite struct StoredThenFreshTests {
  private let clock = SetClock()

  private func client(_ cache: any HTTPCache = MemoryCache()) -> HTTPClient {
    var configuration = HTTPClient.Configuration()
    configuration.cache = cache
    let clock = clock
    configuration.now = { clock.now }
    return HTTPClient(configuration: configuration)
  }

  private func all(
    _ client: HTTPClient, _ request: HTTPRequest
  ) async throws -> [String] {
    var seen: [String] = []
    for try await response in client.responses(for: request) {
      seen.append("\(response.origin) \(response.body.text)")
    }
    return seen
  }

  /// Answers with a number that changes when it is told to, and by it says whether it changed.
  private func server(_ number: Shared<Atomic<Int>>) throws -> LoopbackServer {
    try LoopbackServer { request in
      let tag = "\"\(number.value.load(ordering: .relaxed))\""
      let headers = ["ETag: \(tag)", "Cache-Control: max-age=60, must-revalidate"]
      return request.header("If-None-Match") == tag
        ? .raw(Answer.head(304, headers))
        : .ok("\(number.value.load(ordering: .relaxed))", headers: headers)
    }
  }

  @Test func `First what is stored, then what is new`() async throws {
    let number = Shared(Atomic<Int>(1))
    let server = try server(number)
    defer { server.close() }
    let client = client()
    let request = patient(url: server.url())
    #expect(try await all(client, request) == ["network 1"])
    #expect(try await all(client, request) == ["stored 1"])
    #expect(server.targets.count == 1)
    clock.pass(seconds: 61)
    // Unchanged: there is no second, and the first counts as fresh again.
    #expect(try await all(client, request) == ["stale 1"])
    #expect(server.targets.count == 2)
    #expect(try await all(client, request) == ["stored 1"])
    clock.pass(seconds: 61)
    number.value.store(2, ordering: .relaxed)
    #expect(try await all(client, request) == ["stale 1", "network 2"])
    #expect(try await all(client, request) == ["stored 2"])
    #expect(server.targets.count == 3)
    let counts = client.cacheCounts
    #expect((counts.hits, counts.misses, counts.revalidated) == (3, 2, 1))
    await client.shutdown()
  }

  @Test func `The fresh one loads while the stored one is looked at`() async throws {
    let number = Shared(Atomic<Int>(1))
    let server = try server(number)
    defer { server.close() }
    let client = client()
    _ = try await client.send(patient(url: server.url()))
    clock.pass(seconds: 61)
    number.value.store(2, ordering: .relaxed)
    var responses = client.responses(for: patient(url: server.url())).makeAsyncIterator()
    #expect(try await responses.next()?.body.text == "1")
    // Nobody has asked for the second yet.
    await server.arrived(2)
    #expect(try await responses.next()?.body.text == "2")
    #expect(try await responses.next()?.status == nil)
    await client.shutdown()
  }

  @Test(arguments: [
    (CachePolicy.reload, ["network 1"]), (.ignore, ["network 1"]), (.onlyCached, ["stale 1"]),
  ])
  func `A policy that wants one of the two gets that one`(
    policy: CachePolicy, seen: [String]
  ) async throws {
    let server = try server(Shared(Atomic<Int>(1)))
    defer { server.close() }
    let client = client()
    var request = patient(url: server.url())
    _ = try await client.send(request)
    clock.pass(seconds: 61)
    request.cachePolicy = policy
    #expect(try await all(client, request) == seen)
    await client.shutdown()
  }

  @Test func `What goes wrong after the first is thrown in the second's place`() async throws {
    let isDown = Shared(Atomic<Bool>(false))
    let server = try LoopbackServer { _ in
      isDown.value.load(ordering: .relaxed) ? .reset : .ok("1", headers: ["ETag: \"1\""])
    }
    defer { server.close() }
    let client = client()
    let request = patient(url: server.url(), retries: .never)
    _ = try await client.send(request)
    isDown.value.store(true, ordering: .relaxed)
    var responses = client.responses(for: request).makeAsyncIterator()
    #expect(try await responses.next()?.body.text == "1")
    let error = await #expect(throws: HTTPError.self) { try await responses.next() }
    #expect(error?.code == .connection)
    #expect(try await responses.next()?.status == nil)
    await client.shutdown()
  }

  @Test func `Canceling the task, or releasing the iterator, cancels the request`() async throws {
    let isSlow = Shared(Atomic<Bool>(false))
    let server = try LoopbackServer { _ in
      isSlow.value.load(ordering: .relaxed) ? .stall : .ok("1", headers: ["ETag: \"1\""])
    }
    defer { server.close() }
    let client = client()
    let request = patient(url: server.url())
    _ = try await client.send(request)
    isSlow.value.store(true, ordering: .relaxed)
    let first = AsyncStream<Void>.makeStream()
    let task = Task {
      for try await _ in client.responses(for: request) { first.continuation.finish() }
    }
    for await _ in first.stream {}
    await server.arrived(2)
    task.cancel()
    let error = await #expect(throws: HTTPError.self) { try await task.value }
    #expect(error?.code == .cancelled)
    do {
      var responses = client.responses(for: request).makeAsyncIterator()
      #expect(try await responses.next()?.origin == .stale)
      await server.arrived(3)
    }
    await server.isDeserted()
    #expect(client.counts.underWay == 0)
    #expect(client.counts.cancelled == 2)
    await client.shutdown()
  }

  @Test func `Without a cache there is the server's response alone`() async throws {
    let server = try server(Shared(Atomic<Int>(1)))
    defer { server.close() }
    let client = HTTPClient()
    #expect(try await all(client, patient(url: server.url())) == ["network 1"])
    #expect(
      try await all(client, patient(.post, url: server.url(), body: [1])) == ["network 1"])
    await client.shutdown()
    let error = await #expect(throws: HTTPError.self) {
      try await all(client, patient(url: server.url()))
    }
    #expect(error?.code == .shutDown)
  }
}
