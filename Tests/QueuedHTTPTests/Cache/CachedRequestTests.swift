import Dispatch
import Glibc
import QueuedHTTP
import Synchronization
import TestSupport
import Testing

/// What becomes of requests, slots and threads where there is a cache.
@Suite struct CachedRequestTests {
  private func client(
    _ cache: any HTTPCache, concurrency: Int = 4,
    capacity: QueueCapacity = .unbounded
  ) -> HTTPClient {
    var configuration = HTTPClient.Configuration()
    configuration.cache = cache
    configuration.concurrency = concurrency
    configuration.perLane = concurrency
    configuration.capacity = capacity
    return HTTPClient(configuration: configuration)
  }

  private func ignoring(_ url: String) -> HTTPRequest {
    var request = patient(url: url)
    request.cachePolicy = .ignore
    return request
  }

  private let fresh = ["Cache-Control: max-age=3600"]

  @Test func `A fresh answer takes no slot`() async throws {
    let fresh = fresh
    let server = try LoopbackServer { $0.target == "/stall" ? .stall : .ok("a", headers: fresh) }
    defer { server.close() }
    let client = client(MemoryCache(), concurrency: 1)
    _ = try await client.send(patient(url: server.url()))
    let ends = Ends()
    client.enqueue(patient(url: server.url("/stall")), on: ends.queue, completion: ends.take)
    await server.arrived(2)
    #expect(client.counts.running == 1)
    let response = try await client.send(patient(url: server.url()))
    #expect(response.origin == .stored)
    #expect(client.counts.running == 1)
    await client.shutdown()
    await ends.reached(1)
  }

  @Test func `The cache is used neither on the worker thread nor inside the lock`() async throws {
    let fresh = fresh
    let server = try LoopbackServer { _ in .ok("a", headers: fresh) }
    defer { server.close() }
    let clients = Shared(Mutex<HTTPClient?>(nil))
    let onWorker = Shared(Atomic<Int>(0))
    let cache = MemoryCache {
      let isWorker = OpenResources.isWorker()
      if isWorker { onWorker.value.add(1, ordering: .relaxed) }
      // Would wait for ever if the lock were held.
      _ = clients.value.withLock { $0 }?.counts
    }
    let client = client(cache)
    clients.value.withLock { $0 = client }
    for policy in [CachePolicy.useCache, .useCache, .reload] {
      var request = patient(url: server.url())
      request.cachePolicy = policy
      #expect(try await client.send(request).body.text == "a")
    }
    #expect(onWorker.value.load(ordering: .relaxed) == 0)
    clients.value.withLock { $0 = nil }
    await client.shutdown()
  }

  @Test
  func `A cache that hangs blocks no transfer, and requests that wait for it can be canceled`()
    async throws
  {
    let server = try LoopbackServer { _ in .ok("a") }
    defer { server.close() }
    let asked = Gate()
    let gate = Gate()
    let client = client(
      MemoryCache {
        asked.open(1)
        gate.pass()
      }, capacity: .wait(above: 2))
    let ends = Ends()
    let group = RequestGroup(rawValue: "g")
    let operations = (0..<4).map { index in
      client.enqueue(
        patient(url: server.url("/\(index)"), group: index == 1 ? group : nil), on: ends.queue,
        completion: ends.take)
    }
    await Task.detached { asked.pass() }.value
    #expect(client.counts.queued == 4)
    #expect(operations.map(\.state) == [.queued, .queued, .queued, .queued])
    #expect(try await client.send(ignoring(server.url("/other"))).status == 200)
    operations[0].cancel()
    client.cancel(group: group)
    await ends.reached(2)
    #expect(ends.codes == [.cancelled, .cancelled])
    #expect(client.counts.queued == 2)
    await client.cancelAll()
    await ends.reached(4)
    #expect(client.counts.underWay == 0)
    gate.open()
    await client.shutdown()
    #expect(ends.codes == [.cancelled, .cancelled, .cancelled, .cancelled])
    #expect(server.targets == ["/other"])
  }

  @Test func `A class that changes during the lookup is the one that counts`() async throws {
    let server = try LoopbackServer { $0.target == "/stall" ? .stall : .ok("a") }
    defer { server.close() }
    let gate = Gate()
    let client = client(MemoryCache { gate.pass() }, concurrency: 1)
    let ends = Ends()
    let stalled = client.enqueue(
      ignoring(server.url("/stall")), on: ends.queue, completion: ends.take)
    await server.arrived(1)
    let low = client.enqueue(
      patient(url: server.url("/low")), on: ends.queue, completion: ends.take)
    let high = client.enqueue(
      patient(url: server.url("/high")), on: ends.queue, completion: ends.take)
    low.priority = .veryLow
    high.priority = .veryHigh
    gate.open()
    // Both are through when one behind them is.
    var last = patient(url: server.url("/last"))
    last.cachePolicy = .onlyCached
    await #expect(throws: HTTPError.self) { try await client.send(last) }
    stalled.cancel()
    await ends.reached(3)
    #expect(server.targets == ["/stall", "/high", "/low"])
    await client.shutdown()
  }

  @Test func `A response that the judge would retry is neither stored nor used`() async throws {
    let fresh = fresh
    let count = Shared(Atomic<Int>(0))
    let server = try LoopbackServer { _ in
      .ok("\(count.value.add(1, ordering: .relaxed).newValue)", headers: fresh)
    }
    defer { server.close() }
    let cache = MemoryCache()
    let client = client(cache)
    let refuse: Judge = { _, _ in .retry }
    let spent = try await client.send(
      patient(url: server.url(), retries: .never, judge: refuse))
    #expect(spent.body.text == "1")
    #expect(cache.responses.isEmpty)
    let good = try await client.send(
      patient(url: server.url(), judge: { _, now in .doneThenCoolDown(until: now) }))
    #expect(good.body.text == "2")
    #expect(cache.responses.count == 1)
    // Another one's judge, or its checks, may think otherwise.
    let judged = try await client.send(
      patient(url: server.url(), retries: .never, judge: refuse))
    #expect(judged.body.text == "3")
    let checked = try await client.send(
      patient(
        url: server.url(),
        validations: [
          ResponseValidation { if $0.body.text == "2" { throw CancellationError() } }
        ]))
    #expect(checked.body.text == "4")
    #expect(try await client.send(patient(url: server.url())).body.text == "4")
    await client.shutdown()
  }

  @Test func `A response that fails a check is not stored`() async throws {
    let fresh = fresh
    let server = try LoopbackServer { _ in .ok("a", headers: fresh) }
    defer { server.close() }
    let cache = MemoryCache()
    let client = client(cache)
    await #expect(throws: HTTPError.self) {
      try await client.send(patient(url: server.url(), validations: [.status(204...204)]))
    }
    #expect(cache.responses.isEmpty)
    await client.shutdown()
  }

  @Test func `A body above a request's bound is not taken from the cache either`() async throws {
    let fresh = fresh
    let server = try LoopbackServer { _ in .ok("0123456789", headers: fresh) }
    defer { server.close() }
    let client = client(MemoryCache())
    _ = try await client.send(patient(url: server.url()))
    let error = await #expect(throws: HTTPError.self) {
      try await client.send(
        patient(url: server.url(), bounds: ResponseBounds(bodyBytes: 9)))
    }
    #expect(error?.code == .tooLarge)
    await client.shutdown()
  }

  @Test func `A server error leaves the stored response`() async throws {
    let isDown = Shared(Atomic<Bool>(false))
    let server = try LoopbackServer { _ in
      isDown.value.load(ordering: .relaxed)
        ? .status(503) : .ok("a", headers: ["ETag: \"v\"", "Cache-Control: max-age=0"])
    }
    defer { server.close() }
    let cache = MemoryCache()
    let client = client(cache)
    _ = try await client.send(patient(url: server.url()))
    isDown.value.store(true, ordering: .relaxed)
    let response = try await client.send(patient(url: server.url(), retries: .never))
    #expect(response.status == 503)
    #expect(cache.responses.count == 1)
    await client.shutdown()
  }

  @Test func `A cache that cannot be used costs no request`() async throws {
    let fresh = fresh
    let server = try LoopbackServer { _ in .ok("a", headers: fresh) }
    defer { server.close() }
    let folder = try Folder()
    let path = try folder.write("no folder", to: "file")
    let client = client(DiskCache(folder: path))
    for _ in 0..<2 {
      #expect(try await client.send(patient(url: server.url())).origin == .network)
    }
    #expect(client.cacheCounts.failed > 0)
    #expect(client.cacheCounts.misses == 2)
    await client.shutdown()
  }

  @Test func `After the shutdown nothing is written any more, and nothing half written is left`()
    async throws
  {
    let fresh = fresh
    let body = String(repeating: "x", count: 100_000)
    let server = try LoopbackServer { _ in .ok(body, headers: fresh) }
    defer { server.close() }
    for round in 0..<20 {
      let folder = try Folder()
      let client = client(DiskCache(folder: folder.path), concurrency: 16)
      let ends = Ends()
      for index in 0..<32 {
        client.enqueue(
          patient(url: server.url("/\(round)/\(index)")), on: ends.queue, completion: ends.take)
      }
      await ends.reached(round)
      await client.shutdown()
      let names = try folder.names
      #expect(names.allSatisfy { $0 == "key" || $0.hasSuffix(".entry") }, "\(names)")
      await ends.reached(32)
      #expect(try folder.names == names)
    }
  }
}
