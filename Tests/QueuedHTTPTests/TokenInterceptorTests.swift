import Synchronization
import TestSupport
import Testing

@testable import QueuedHTTP

@Suite struct TokenInterceptorTests {
  /// A server that knows one token at a time.
  private func server(accepting token: String) throws -> LoopbackServer {
    try LoopbackServer { request in
      if request.target == "/token" { return .ok(token) }
      return request.header("Authorization") == "Bearer \(token)" ? .ok() : .status(401)
    }
  }

  private func client(_ interceptor: any RequestInterceptor, atOnce: Int = 16) -> HTTPClient {
    var configuration = ClientConfiguration()
    configuration.proxy = ""
    configuration.concurrency = atOnce
    configuration.perLane = atOnce
    configuration.interceptor = interceptor
    return HTTPClient(configuration: configuration)
  }

  @Test(arguments: [1, 100], ["old", nil])
  func `A hundred requests need one refresh, which may use the same client`(
    atOnce: Int, first: String?
  ) async throws {
    let server = try server(accepting: "new")
    defer { server.close() }
    let refreshes = Shared(Atomic<Int>(0))
    let own = Shared(Mutex<HTTPClient?>(nil))
    let interceptor = try TokenInterceptor(for: server.url(), token: first) { last in
      #expect(last == first)
      refreshes.value.add(1, ordering: .relaxed)
      let client = try #require(own.value.withLock { $0 })
      return try await client.send(patient(url: server.url("/token"))).body.text
    }
    let client = client(interceptor, atOnce: atOnce)
    own.value.withLock { $0 = client }
    let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
      for number in 0..<100 {
        group.addTask { try await client.send(patient(url: server.url("/\(number)"))).status }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(statuses == Array(repeating: 200, count: 100))
    #expect(refreshes.value.load(ordering: .relaxed) == 1)
    #expect(server.targets.count { $0 == "/token" } == 1)
    #expect(
      server.seen.requests.allSatisfy {
        $0.target != "/token" || $0.header("Authorization") == nil
      })
    own.value.withLock { $0 = nil }
    await client.shutdown()
  }

  @Test func `A refresh that nobody waits for is canceled, and the next request begins another`()
    async throws
  {
    let server = try server(accepting: "new")
    defer { server.close() }
    let runs = Shared(Atomic<Int>(0))
    let (begun, noteBegin) = AsyncStream.makeStream(of: Void.self)
    let (canceled, noteCancel) = AsyncStream.makeStream(of: Void.self)
    let interceptor = try TokenInterceptor(for: server.url()) { _ in
      guard runs.value.add(1, ordering: .relaxed).newValue == 1 else { return "new" }
      noteBegin.yield()
      do { try await Task.sleep(for: .hours) } catch {
        noteCancel.yield()
        throw error
      }
      return "late"
    }
    let client = client(interceptor)
    let ends = Ends()
    let operations = (0..<10).map { _ in
      client.enqueue(patient(url: server.url()), on: ends.queue, completion: ends.take)
    }
    for await _ in begun { break }
    while interceptor.waiting < 10 { await Task.yield() }
    for operation in operations.dropLast() { operation.cancel() }
    await ends.reached(9)
    #expect(runs.value.load(ordering: .relaxed) == 1)
    operations.last?.cancel()
    await ends.reached(10)
    for await _ in canceled { break }
    #expect(try await client.send(patient(url: server.url())).status == 200)
    #expect(runs.value.load(ordering: .relaxed) == 2)
    await client.shutdown()
  }

  private struct Failed: Error, CustomStringConvertible { var description: String { "signed out" } }

  @Test func `A refresh that fails ends those that wait for it, and the next one tries again`()
    async throws
  {
    let server = try server(accepting: "new")
    defer { server.close() }
    let runs = Shared(Atomic<Int>(0))
    let interceptor = try TokenInterceptor(for: server.url(), token: "old") { _ in
      guard runs.value.add(1, ordering: .relaxed).newValue == 1 else { return "new" }
      throw Failed()
    }
    let client = client(interceptor)
    let error = await #expect(throws: HTTPError.self) {
      try await client.send(patient(url: server.url()))
    }
    #expect(error?.code == .interceptor)
    #expect(error?.reason == "the interceptor failed: signed out")
    #expect(error?.response?.status == 401)
    #expect(try await client.send(patient(url: server.url())).status == 200)
    // The second had no token that it could have tried first.
    #expect(server.targets.count == 2)
    await client.shutdown()
  }

  @Test func `A server that refuses every token is asked for a bounded number of them`()
    async throws
  {
    let server = try LoopbackServer { _ in .status(401) }
    defer { server.close() }
    let runs = Shared(Atomic<Int>(0))
    let interceptor = try TokenInterceptor(for: server.url(), token: "0") { _ in
      "\(runs.value.add(1, ordering: .relaxed).newValue)"
    }
    let client = client(interceptor)
    #expect(try await client.send(patient(url: server.url())).status == 401)
    #expect(runs.value.load(ordering: .relaxed) == 2)
    let tokens = server.seen.requests.map { $0.header("Authorization") }
    #expect(tokens == ["Bearer 0", "Bearer 1", "Bearer 2"])
    await client.shutdown()
  }

  @Test func `A token that is about to expire is replaced first`() async throws {
    let server = try server(accepting: "2")
    defer { server.close() }
    let interceptor = try TokenInterceptor(
      for: server.url(), token: 1, isUsable: { $0 > 1 },
      authorize: { request, token in request.setBearerToken("\(token)") },
      refresh: { last in (last ?? 0) + 1 })
    let client = client(interceptor)
    #expect(try await client.send(patient(url: server.url())).timings.attempts == 1)
    await client.shutdown()
  }

  @Test func `The token goes to its own origin alone`() async throws {
    let own = try server(accepting: "token")
    defer { own.close() }
    let other = try LoopbackServer { _ in .status(401) }
    defer { other.close() }
    let interceptor = try TokenInterceptor(for: own.url("/any"), token: "token") { _ in
      Issue.record("no refresh is needed")
      return ""
    }
    let client = client(interceptor)
    #expect(try await client.send(patient(url: own.url())).status == 200)
    #expect(try await client.send(patient(url: other.url())).status == 401)
    #expect(other.seen.requests.first?.header("Authorization") == nil)
    await client.shutdown()
    #expect(throws: HTTPError.self) {
      try TokenInterceptor(for: "no URL", token: "") { _ in "" }
    }
  }
}
