import QueuedHTTP
import Synchronization
import TestSupport
import Testing

/// Who takes part in the cache, and on which terms.
@Suite struct CachePolicyTests: CacheAsking {
  let clock = SetClock()

  @Test func `Each policy does what it says`() async throws {
    let (server, _) = try numbered(["Cache-Control: max-age=60"])
    defer { server.close() }
    let client = client(MemoryCache())
    func ask(_ policy: CachePolicy) async throws -> String {
      try await self.ask(client, server.url()) { $0.cachePolicy = policy }.body.text
    }
    let nothing = await #expect(throws: HTTPError.self) { try await ask(.onlyCached) }
    #expect(nothing?.code == .notCached)
    #expect(nothing?.address == server.url())
    #expect(try await ask(.ignore) == "1")
    #expect(try await ask(.useCache) == "2")
    #expect(try await ask(.useCache) == "2")
    #expect(try await ask(.ignore) == "3")
    #expect(try await ask(.useCache) == "2")
    #expect(try await ask(.reload) == "4")
    #expect(try await ask(.useCache) == "4")
    clock.pass(seconds: 100_000)
    let old = try await self.ask(client, server.url()) { $0.cachePolicy = .onlyCached }
    #expect(old.body.text == "4")
    #expect(old.origin == .stale)
    #expect(
      server.seen.requests.map { $0.header("Cache-Control") } == [nil, nil, nil, "no-cache"])
    await client.shutdown()
  }

  @Test func `Only requests for stored responses fail without a cache`()
    async throws
  {
    let (server, _) = try numbered(["Cache-Control: max-age=60"])
    defer { server.close() }
    let none = client(nil)
    let some = client(MemoryCache())
    let plain = await #expect(throws: HTTPError.self) {
      try await ask(none, server.url()) { $0.cachePolicy = .onlyCached }
    }
    #expect(plain?.code == .notCached)
    for change in [
      { $0.method = .post }, { $0.headers["Range"] = "bytes=0-1" },
    ] as [@Sendable (inout HTTPRequest) -> Void] {
      let error = await #expect(throws: HTTPError.self) {
        try await ask(some, server.url()) { request in
          request.cachePolicy = .onlyCached
          change(&request)
        }
      }
      #expect(error?.code == .notCached)
    }
    #expect(server.targets.isEmpty)
    await none.shutdown()
    await some.shutdown()
  }

  @Test func `Streams, files and parts pass the cache by`() async throws {
    let (server, _) = try numbered(["Cache-Control: max-age=60"])
    defer { server.close() }
    let folder = try Folder()
    let cache = MemoryCache()
    let client = client(cache)
    for _ in 0..<2 {
      for try await _ in try await client.stream(patient(url: server.url())).body {}
      _ = try await ask(client, server.url()) { $0.destination = .file(path: folder["file"]) }
      _ = try await ask(client, server.url(), ["Range": "bytes=0-"])
    }
    #expect(cache.responses.isEmpty)
    #expect(server.targets.count == 6)
    #expect(client.cacheCounts == CacheCounts())
    await client.shutdown()
  }

  @Test(arguments: [HTTPMethod.post, .put, .patch, .delete])
  func `A method that changes something forgets all answers of its address`(
    method: HTTPMethod
  ) async throws {
    let (server, _) = try numbered(["Cache-Control: max-age=60", "Vary: X"])
    defer { server.close() }
    let client = client(MemoryCache())
    let askers: [HTTPHeaders] = [[:], ["X": "1"], ["Authorization": "a"]]
    for headers in askers { _ = try await ask(client, server.url("/a"), headers) }
    _ = try await ask(client, server.url("/b"))
    _ = try await ask(client, server.url("/a")) { $0.method = method }
    #expect(try await ask(client, server.url("/b")).origin == .stored)
    for headers in askers {
      #expect(try await ask(client, server.url("/a"), headers).origin == .network)
    }
    await client.shutdown()
  }
}
