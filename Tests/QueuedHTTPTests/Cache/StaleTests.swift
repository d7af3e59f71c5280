import QueuedHTTP
import Synchronization
import Testing

/// What may be used after its time: `stale-while-revalidate` and `stale-if-error` (RFC 5861).
@Suite struct StaleTests: CacheAsking {
  let clock = SetClock()

  @Test func `A response answers for a while after its time, and the next one is fresh`()
    async throws
  {
    let (server, _) = try numbered(["Cache-Control: max-age=10, stale-while-revalidate=30"])
    defer { server.close() }
    let client = client(MemoryCache())
    #expect(try await ask(client, server.url()).body.text == "1")
    clock.pass(seconds: 39)
    let stale = try await ask(client, server.url())
    #expect(stale.body.text == "1")
    #expect(stale.origin == .stale)
    #expect(stale.headers["Age"] == "39")
    await server.arrived(2)
    while client.counts.underWay > 0 { await Task.yield() }
    let fresh = try await ask(client, server.url())
    #expect(fresh.body.text == "2")
    #expect(fresh.origin == .stored)
    clock.pass(seconds: 41)
    #expect(try await ask(client, server.url()).body.text == "3")
    #expect(server.targets.count == 3)
    await client.shutdown()
  }

  @Test func `Stored then fresh asks the server although the stored one would do for a while`()
    async throws
  {
    let (server, _) = try numbered(["Cache-Control: max-age=10, stale-while-revalidate=30"])
    defer { server.close() }
    let client = client(MemoryCache())
    #expect(try await ask(client, server.url()).body.text == "1")
    clock.pass(seconds: 20)
    var texts: [String] = []
    for try await response in client.responses(for: patient(url: server.url())) {
      texts.append(response.body.text)
    }
    #expect(texts == ["1", "2"])
    await client.shutdown()
  }

  @Test(arguments: ["stale-if-error=30", "stale-if-error=30, must-revalidate", "no-transform"])
  func `A stored response replaces an error if it allows that`(term: String) async throws {
    let isFailing = Shared(Atomic<Bool>(false))
    let server = try LoopbackServer { request in
      guard isFailing.value.load(ordering: .relaxed) else {
        return .ok("good", headers: ["Cache-Control: max-age=10, \(term)"])
      }
      return request.target == "/reset" ? .reset : .status(503)
    }
    defer { server.close() }
    let client = client(MemoryCache())
    for path in ["/status", "/reset"] {
      isFailing.value.store(false, ordering: .relaxed)
      let request = patient(url: server.url(path), retries: .never)
      #expect(try await client.send(request).body.text == "good")
      isFailing.value.store(true, ordering: .relaxed)
      clock.pass(seconds: 39)
      if term == "stale-if-error=30" {
        let stale = try await client.send(request)
        #expect(stale.body.text == "good")
        #expect(stale.origin == .stale)
        clock.pass(seconds: 2)
      }
      let end = await Result { () async throws in try await client.send(request).status }
      if path == "/status" {
        #expect(try end.get() == 503)
      } else {
        #expect(throws: HTTPError.self) { try end.get() }
      }
    }
    await client.shutdown()
  }
}

extension Result where Failure == any Error {
  fileprivate init(_ body: () async throws -> Success) async {
    do { self = .success(try await body()) } catch { self = .failure(error) }
  }
}
