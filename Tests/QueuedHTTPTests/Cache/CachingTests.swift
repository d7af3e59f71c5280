import Dispatch
import Foundation
import QueuedHTTP
import Synchronization
import TestSupport
import Testing

/// What a client asks of its cache and tells it, seen from its server.
@Suite struct CachingTests: CacheAsking {
  let clock = SetClock()

  @Test func `A response that is not to be kept takes the place of the one that was`()
    async throws
  {
    let (server, _) = try numbered(["Cache-Control: max-age=60"])
    defer { server.close() }
    let client = client(MemoryCache())
    #expect(try await ask(client, server.url("/a")) { $0.mayKeep = { _ in true } }.body.text == "1")
    #expect(try await ask(client, server.url("/a")).origin == .stored)
    let second = try await ask(client, server.url("/a")) { request in
      request.cachePolicy = .reload
      request.mayKeep = { $0.body.text != "2" }
    }
    #expect(second.body.text == "2")
    #expect(try await ask(client, server.url("/a")).body.text == "3")
    await client.shutdown()
  }

  @Test func `A fresh response answers without a transfer, and says how old it is`() async throws {
    let (server, _) = try numbered(["Cache-Control: max-age=60", "X: 1", "Set-Cookie: a=b"])
    defer { server.close() }
    let folder = try Folder()
    let client = client(DiskCache(folder: folder.path))
    let first = try await ask(client, server.url("/a?b"))
    #expect(first.origin == .network)
    #expect(!first.timings.fromCache)
    #expect(first.headers["Set-Cookie"] == "a=b")
    clock.pass(seconds: 59)
    let second = try await ask(client, server.url("/a?b#fragment"))
    #expect(second.origin == .stored)
    #expect(second.timings.fromCache)
    #expect(second.timings.attempts == 0)
    #expect(second.status == 200)
    #expect(second.body.text == "1")
    #expect(second.headers["X"] == "1")
    #expect(second.headers["Age"] == "59")
    #expect(second.headers["Set-Cookie"] == nil)
    #expect(server.targets == ["/a?b"])
    clock.pass(seconds: 2)
    #expect(try await ask(client, server.url("/a?b")).body.text == "2")
    #expect(client.counts.done == 3)
    #expect(client.counts.underWay == 0)
    let counts = client.cacheCounts
    #expect(counts.hits == 1)
    #expect(counts.misses == 2)
    #expect(counts.stored == 4)
    await client.shutdown()
  }

  @Test(arguments: [("/a", true, 1), ("/a?b", true, 2), ("/a", false, 2)])
  func `A lifetime is guessed for a URL without a query, where that is allowed`(
    path: String, guesses: Bool, requests: Int
  ) async throws {
    let (server, _) = try numbered(["Last-Modified: Fri, 19 Oct 2012 09:01:12 GMT"])
    defer { server.close() }
    let folder = try Folder()
    let client = client(DiskCache(folder: folder.path)) { $0.guessesCacheLifetimes = guesses }
    for _ in 0..<2 { _ = try await ask(client, server.url(path)) }
    #expect(server.targets.count == requests)
    await client.shutdown()
  }

  @Test func `A response that turned out to be of no use is asked for anew`() async throws {
    let (server, _) = try numbered(["Cache-Control: max-age=60", "ETag: \"e\""])
    defer { server.close() }
    let folder = try Folder()
    let client = client(DiskCache(folder: folder.path))
    let first = try await ask(client, server.url("/a?b"))
    #expect(try await ask(client, server.url("/c")).body.text == "2")
    client.removeCached(first)
    let second = try await ask(client, server.url("/a?b"))
    #expect(second.origin == .network && second.body.text == "3")
    // Others are kept.
    #expect(try await ask(client, server.url("/c")).origin == .stored)
    await client.shutdown()
    // Without a cache there is nothing to remove.
    let bare = HTTPClient()
    bare.removeCached(first)
    await bare.shutdown()
  }

  @Test func `Another client finds what the first one stored`() async throws {
    let (server, _) = try numbered(["Cache-Control: max-age=60"])
    defer { server.close() }
    let folder = try Folder()
    for _ in 0..<3 {
      let client = client(DiskCache(folder: folder.path))
      #expect(try await ask(client, server.url()).body.text == "1")
      await client.shutdown()
    }
    #expect(server.targets.count == 1)
  }

  @Test(arguments: [
    (["ETag: \"v1\""], "If-None-Match", "\"v1\""),
    (["ETag: W/\"v1\""], "If-None-Match", "W/\"v1\""),
    (
      ["Last-Modified: Fri, 19 Oct 2012 09:01:12 GMT", "Cache-Control: max-age=0"],
      "If-Modified-Since", "Fri, 19 Oct 2012 09:01:12 GMT"
    ),
  ])
  func `A stale response is used when the server says that it is unchanged`(
    headers: [String], field: String, value: String
  ) async throws {
    let server = try LoopbackServer { request in
      request.header(field) == value
        ? .raw(
          Answer.head(
            304, headers.prefix(1) + ["X: new", "Content-Length: 99", "Cache-Control: max-age=9"]))
        : .ok("body", headers: headers + ["X: old", "Content-Type: a/b"])
    }
    defer { server.close() }
    let cache = MemoryCache()
    let client = client(cache)
    #expect(try await ask(client, server.url()).origin == .network)
    clock.pass(seconds: 5)
    let judged = Shared(Atomic<Int>(0))
    let response = try await ask(client, server.url()) { request in
      request.validations = [.contentType("a/b"), .status(200...200)]
      request.judge = { response, _ in
        if response.status == 200 { judged.value.add(1, ordering: .relaxed) }
        return .done
      }
    }
    #expect(response.origin == .revalidated)
    #expect(response.timings.fromCache)
    #expect(response.timings.attempts == 1)
    #expect(response.status == 200)
    #expect(response.body.text == "body")
    #expect(response.headers["X"] == "new")
    #expect(response.headers["Content-Type"] == "a/b")
    // Before the request, and on what the 304 made of it.
    #expect(judged.value.load(ordering: .relaxed) == 2)
    // What the 304 brought was kept: it is fresh again.
    clock.pass(seconds: 8)
    let third = try await ask(client, server.url())
    #expect(third.origin == .stored)
    #expect(third.headers["X"] == "new")
    #expect(server.targets.count == 2)
    #expect(client.cacheCounts.revalidated == 1)
    await client.shutdown()
  }

  @Test func `What changed takes the place of what was stored`() async throws {
    let (server, count) = try numbered(["ETag: \"v\""])
    defer { server.close() }
    let client = client(MemoryCache())
    for round in 1...3 {
      #expect(try await ask(client, server.url()).body.text == "\(round)")
    }
    #expect(count.value.load(ordering: .relaxed) == 3)
    #expect(client.cacheCounts.misses == 3)
    await client.shutdown()
  }

  @Test func `A 304 about another response is ignored, and the whole is requested`()
    async throws
  {
    let server = try LoopbackServer { request in
      request.header("If-None-Match") != nil
        ? .raw(Answer.head(304, ["ETag: \"other\""])) : .ok("body", headers: ["ETag: \"v1\""])
    }
    defer { server.close() }
    let client = client(MemoryCache(), concurrency: 1)
    _ = try await ask(client, server.url())
    let response = try await ask(client, server.url())
    #expect(response.origin == .network)
    #expect(response.body.text == "body")
    #expect(response.timings.attempts == 2)
    #expect(server.targets.count == 3)
    #expect(client.counts.underWay == 0)
    await client.shutdown()
  }

  @Test func `A stored response that vanishes during validation is requested as a whole`()
    async throws
  {
    let cache = MemoryCache()
    let server = try LoopbackServer { request in
      if request.header("If-None-Match") != nil {
        cache.removeAll()
        return .raw(Answer.head(304, ["ETag: \"v1\""]))
      }
      return .ok("body", headers: ["ETag: \"v1\""])
    }
    defer { server.close() }
    let client = client(cache)
    _ = try await ask(client, server.url())
    let response = try await ask(client, server.url())
    #expect(response.status == 200)
    #expect(response.body.text == "body")
    #expect(server.seen.requests.map { $0.header("If-None-Match") } == [nil, "\"v1\"", nil])
    await client.shutdown()
  }

  @Test func `Conditions do not follow a redirect, and its end is not stored`() async throws {
    let isMoved = Shared(Atomic<Bool>(false))
    let server = try LoopbackServer { request in
      switch request.target {
      case "/" where isMoved.value.load(ordering: .relaxed): .redirect(to: "/new")
      case "/": .ok("old", headers: ["ETag: \"v1\""])
      default:
        request.header("If-None-Match") == nil
          ? .ok("new", headers: ["ETag: \"v1\"", "Cache-Control: max-age=60"])
          : .raw(Answer.head(304, []))
      }
    }
    defer { server.close() }
    let client = client(MemoryCache())
    #expect(try await ask(client, server.url()).body.text == "old")
    isMoved.value.store(true, ordering: .relaxed)
    for _ in 0..<2 {
      let response = try await ask(client, server.url())
      #expect(response.body.text == "new")
      #expect(response.url == server.url("/new"))
    }
    // The old one was superseded, so that the second time nothing was asked with.
    #expect(
      server.seen.requests.map { $0.header("If-None-Match") } == [nil, "\"v1\"", nil, nil, nil])
    await client.shutdown()
  }

  @Test func `Each variant is found by the fields that the server named`() async throws {
    let server = try LoopbackServer { request in
      .ok(
        request.header("Accept-Language") ?? "none",
        headers: ["Cache-Control: max-age=60", "Vary: Accept-Language, accept-encoding"])
    }
    defer { server.close() }
    let client = client(MemoryCache())
    let wishes: [HTTPHeaders] = [
      [:], ["Accept-Language": "de"], ["accept-language": "en"],
      ["Accept-Language": "de", "X": "1"],
    ]
    for round in 0..<2 {
      for (index, wish) in wishes.enumerated() {
        let response = try await ask(client, server.url(), wish)
        #expect(response.body.text == wish["Accept-Language"] ?? "none")
        #expect(response.origin == (round == 0 && index < 3 ? .network : .stored))
      }
    }
    #expect(server.targets.count == 3)
    await client.shutdown()
  }

  @Test(arguments: [
    ["Cache-Control: no-store, max-age=60"], ["Cache-Control: max-age=60", "Vary: *"],
  ])
  func `A response that must not be stored removes the stored one`(
    headers: [String]
  ) async throws {
    let count = Shared(Atomic<Int>(0))
    let server = try LoopbackServer { _ in
      let number = count.value.add(1, ordering: .relaxed).newValue
      return .ok("\(number)", headers: number == 1 ? ["Cache-Control: max-age=60"] : headers)
    }
    defer { server.close() }
    let cache = MemoryCache()
    let client = client(cache)
    _ = try await ask(client, server.url())
    #expect(cache.responses.count == 1)
    _ = try await ask(client, server.url()) { $0.cachePolicy = .reload }
    #expect(cache.responses.isEmpty)
    #expect(try await ask(client, server.url()).body.text == "3")
    await client.shutdown()
  }

  @Test func `No account is served another's answer`() async throws {
    let server = try LoopbackServer { request in
      let names = ["Authorization", "Cookie", "X-Key"]
      let account = names.compactMap { request.header($0) }.joined(separator: "+")
      return .ok("for \(account)", headers: ["Cache-Control: max-age=60"])
    }
    defer { server.close() }
    let folder = try Folder()
    let client = client(DiskCache(folder: folder.path))
    let accounts: [HTTPHeaders] = [
      [:], ["Authorization": "Bearer secret-1"], ["Authorization": "Bearer secret-2"],
      ["Cookie": "secret-3"], ["X-Key": "secret-4"], ["X-Key": "secret-5"],
    ]
    for round in 0..<2 {
      for account in accounts {
        let response = try await ask(client, server.url(), account) {
          $0.secretHeaders = ["x-key"]
        }
        #expect(response.body.text == "for \(account.fields.first?.value ?? "")")
        #expect(response.origin == (round == 0 ? .network : .stored))
      }
    }
    await client.shutdown()
  }

  @Test func `No part of a request is written to the disk`() async throws {
    let server = try LoopbackServer { _ in
      .ok("body", headers: ["Vary: X-Key, X-Wish", "ETag: \"v\"", "Set-Cookie: sid=secret-6"])
    }
    defer { server.close() }
    let folder = try Folder()
    let client = client(DiskCache(folder: folder.path))
    for _ in 0..<2 {
      let url = server.url("/private-path?key=secret-1").replacing("//", with: "//me:secret-2@")
      _ = try await ask(
        client, url,
        [
          "Authorization": "Bearer secret-3", "X-Key": "secret-4", "Cookie": "secret-5",
          "X-Wish": "secret-7",
        ]
      ) { $0.secretHeaders = ["X-Key"] }
    }
    await client.shutdown()
    let names = try folder.names
    #expect(names.count == 3)
    for name in names {
      let bytes = Array(try Data(contentsOf: URL(filePath: folder[name])))
      for word in ["secret", "private-path", "127.0.0.1"] {
        #expect(bytes.firstRange(of: Array(word.utf8)) == nil, "\(name): \(word)")
      }
    }
  }

  @Test(arguments: [0.0002, 0.0005, 0.0007, 0.9998])
  func `A response that was just stored on disk is fresh`(part: Double) async throws {
    clock.pass(seconds: part)
    let folder = try Folder()
    defer { folder.remove() }
    let (server, count) = try numbered(["Cache-Control: max-age=60"])
    defer { server.close() }
    let client = client(DiskCache(folder: folder["cache"]))
    for _ in 0..<3 { _ = try await ask(client, server.url()) }
    // A clock that a time server sets back a little.
    clock.pass(seconds: -0.01)
    #expect(try await ask(client, server.url()).origin == .stored)
    #expect(count.value.load(ordering: .relaxed) == 1)
    // One that was set back by hand says nothing about the age.
    clock.pass(seconds: -100)
    #expect(try await ask(client, server.url()).origin == .network)
    await client.shutdown()
  }
}
