import FoundationEssentials
import QueuedHTTP
import SearchModel
import SearchSources
import Synchronization
import Testing

@testable import SearchEngine

@Suite struct SearchEngineTests {
  private let now = Date(timeIntervalSince1970: 1000)

  private func search(
    _ query: String, _ source: CountingSource = CountingSource(), cap: Int? = nil,
    priority: RequestPriority = .normal, server: String = "http://127.0.0.1:9",
    credentials: Credentials? = nil
  ) throws -> PlannedSearch {
    .ask(
      Search(
        query: try #require(Query(query)), source: source,
        server: try #require(ServerAddress(server)), priority: priority, cap: cap,
        credentials: credentials))
  }

  private func findings(
    _ plan: [PlannedSearch], limits: RunLimits = RunLimits(), transport: ScriptedTransport
  ) async -> Findings {
    let engine = SearchEngine(
      plan: plan, transport: transport, limits: limits, now: now,
      clock: { Date(timeIntervalSince1970: 1000) })
    await engine.run()
    return engine.findings
  }

  private func answering(_ pages: [String: String]) -> ScriptedTransport {
    ScriptedTransport { request throws(HTTPError) in
      let cursor =
        request.url.split(separator: "cursor=").dropFirst().first
        .flatMap { $0.split(separator: "&").first } ?? ""
      return HTTPResponse(status: 200, body: HTTPBody((pages[String(cursor)] ?? "").utf8))
    }
  }

  @Test func `Pages are requested in turn until the cap is reached`() async throws {
    let transport = answering(["": "9 8;b", "b": "7 6;c", "c": "5"])
    let result = await findings([try search("a", cap: 3)], transport: transport)
    #expect(result.found.flatMap(\.posts).map(\.id) == ["9", "8", "7"])
    #expect(result.outcomes.map(\.ending) == [.completed()])
    #expect(
      transport.requests.map(\.url).map { $0.split(separator: "?")[1] } == [
        "q=a&wanted=3", "q=a&cursor=b&wanted=1",
      ])
  }

  @Test func `A search without a cap ends when the beginning of the run is passed`() async throws {
    let transport = answering(["": "9 8;b", "b": "7 4;c", "c": "3"])
    let limits = RunLimits(since: Date(timeIntervalSince1970: 5))
    let result = await findings([try search("a")], limits: limits, transport: transport)
    #expect(result.found.flatMap(\.posts).map(\.id) == ["9", "8", "7"])
    #expect(transport.requests.count == 2)
  }

  @Test func `A post on two pages counts once`() async throws {
    let transport = answering(["": "9 8;b", "b": "8 7;c", "c": "7 6;d", "d": "5"])
    let result = await findings([try search("a", cap: 4)], transport: transport)
    #expect(result.found.flatMap(\.posts).map(\.id) == ["9", "8", "7", "6"])
  }

  @Test(arguments: [
    ("https://counting.example", "http://127.0.0.1:9", false),
    ("https://counting.example", "https://other.example", false),
    ("https://counting.example", "https://counting.example", true),
    // A network without a server of its own.
    (nil, "https://other.example", true), (nil, "http://127.0.0.1:9", false),
  ])
  func `A stated pace applies only to the network's own address, if it has one`(
    own: String?, server: String, isPaced: Bool
  ) throws {
    var source = CountingSource()
    source.traits.defaultServer = own
    source.traits.pace = Pace(requests: 10, per: .seconds(60))
    guard case .ask(let search) = try search("a", source, server: server) else { return }
    #expect((search.endpoint.statedPace != nil) == isPaced)
  }

  @Test func `A broken item is skipped and makes the search partial`() async throws {
    let result = await findings([try search("a")], transport: answering(["": "9 ! 8 !"]))
    #expect(result.found.flatMap(\.posts).map(\.id) == ["9", "8"])
    #expect(result.outcomes.map(\.ending) == [.partial(brokenItems: 2, reason: nil)])
    #expect(result.isIncomplete)
  }

  @Test func `A cursor that repeats without new posts ends the search as partial`() async throws {
    let transport = answering(["": "9;b", "b": "8;b"])
    let result = await findings([try search("a")], transport: transport)
    #expect(transport.requests.count == 3)
    #expect(result.found.flatMap(\.posts).map(\.id) == ["9", "8"])
    guard case .partial(0, .some, nil, _) = result.outcomes.first?.ending else {
      Issue.record("\(result.outcomes)")
      return
    }
  }

  @Test func `A failure after the first page keeps earlier posts`() async throws {
    let transport = ScriptedTransport { request throws(HTTPError) in
      if request.url.contains("cursor") { throw HTTPError(.connection, reason: "refused") }
      return HTTPResponse(status: 200, body: HTTPBody("9 8;b".utf8))
    }
    let result = await findings([try search("a")], transport: transport)
    #expect(result.found.flatMap(\.posts).map(\.id) == ["9", "8"])
    guard case .partial(_, _, let failure?, _) = result.outcomes.first?.ending else {
      Issue.record("\(result.outcomes)")
      return
    }
    #expect(failure.kind == .temporary)
  }

  @Test(arguments: [
    (HTTPError.Code.connection, Failure.Kind.temporary), (.idleTimeout, .temporary),
    (.tooLarge, .permanent), (.tls, .permanent), (.badRequest, .permanent),
  ])
  func `A transport error fails only its search`(
    code: HTTPError.Code, kind: Failure.Kind
  ) async throws {
    let transport = ScriptedTransport { request throws(HTTPError) in
      if request.url.contains("q=b") { throw HTTPError(code, reason: "it broke") }
      return HTTPResponse(status: 200, body: HTTPBody("9".utf8))
    }
    let result = await findings([try search("a"), try search("b")], transport: transport)
    #expect(result.found.map(\.tag) == ["a"])
    #expect(result.outcomes.first?.ending == .completed())
    guard case .failed(let failure) = result.outcomes.last?.ending else {
      Issue.record("\(result.outcomes)")
      return
    }
    #expect(failure.kind == kind)
  }

  @Test func `Posts are in plan order, whatever arrives first`() async throws {
    let transport = ScriptedTransport { request throws(HTTPError) in
      if request.url.contains("q=a") {
        do { try await Task.sleep(for: .milliseconds(30)) } catch {
          throw HTTPError(.cancelled, reason: "cancelled")
        }
      }
      return HTTPResponse(status: 200, body: HTTPBody("9".utf8))
    }
    let plan = [try search("a"), try search("b"), try search("c")]
    #expect(await findings(plan, transport: transport).found.map(\.tag) == ["a", "b", "c"])
  }

  @Test func `All searches of a server share a login, and another when it expires`()
    async throws
  {
    let logins = Mutex(0)
    let transport = ScriptedTransport { request throws(HTTPError) in
      if request.url.hasSuffix("/login") {
        let number = logins.withLock { logins in
          logins += 1
          return logins
        }
        return HTTPResponse(status: 200, body: HTTPBody("session\(number)".utf8))
      }
      let isFresh = request.headers["Authorization"] == "session2"
      return HTTPResponse(status: isFresh ? 200 : 401, body: HTTPBody("9".utf8))
    }
    var source = CountingSource()
    source.hasLogin = true
    let credentials = Credentials(["me", "secret"])
    let plan = try (0..<20).map { try search("q\($0)", source, credentials: credentials) }
    let result = await findings(plan, transport: transport)
    #expect(result.outcomes.allSatisfy { $0.ending == .completed() })
    #expect(logins.withLock { $0 } == 2)
  }

  @Test func `A login has the time limits of any other request`() async throws {
    let transport = ScriptedTransport { _ throws(HTTPError) in HTTPResponse(status: 401) }
    var source = CountingSource()
    source.hasLogin = true
    let plan = [try search("q", source, credentials: Credentials(["me", "secret"]))]
    _ = await findings(plan, limits: RunLimits(timeout: .seconds(3)), transport: transport)
    #expect(transport.requests.map(\.timeouts.total) == [.seconds(3)])
    #expect(transport.requests.map(\.timeouts.idle) == [.seconds(3)])
  }

  // A login may be a GET: its response holds a token, which must not end up in a file.
  @Test func `A login bypasses the cache, and searches use it`() async throws {
    let transport = ScriptedTransport { _ throws(HTTPError) in
      HTTPResponse(status: 200, body: HTTPBody("9".utf8))
    }
    var source = CountingSource()
    source.hasLogin = true
    let plan = [try search("q", source, credentials: Credentials(["me", "secret"]))]
    _ = await findings(plan, transport: transport)
    #expect(transport.requests.map(\.cachePolicy) == [.ignore, .useCache])
  }

  @Test(arguments: [200, 401])
  func `A page that came from another server without the session is neither read nor worth a login`(
    status: Int
  ) async throws {
    let transport = ScriptedTransport { request throws(HTTPError) in
      request.url.hasSuffix("/login")
        ? HTTPResponse(status: 200, body: HTTPBody("session".utf8))
        : HTTPResponse(
          status: status, body: HTTPBody("9".utf8), url: "http://127.0.0.1:8080/elsewhere")
    }
    var source = CountingSource()
    source.hasLogin = true
    let plan = [try search("q", source, credentials: Credentials(["me", "secret"]))]
    let result = await findings(plan, transport: transport)
    #expect(transport.requests.count == 2)
    #expect(result.found.flatMap(\.posts).isEmpty)
    #expect(
      result.outcomes.map(\.ending) == [
        .failed(
          Failure(
            .credential,
            message:
              "the server redirects to http://127.0.0.1:8080, where the credential is not sent",
            advice: "use that address"))
      ])
  }

  @Test func `A response with the session in it is not kept`() async throws {
    let transport = ScriptedTransport { request throws(HTTPError) in
      HTTPResponse(
        status: 200, body: HTTPBody((request.url.hasSuffix("/login") ? "session" : "9").utf8))
    }
    var source = CountingSource()
    source.hasLogin = true
    let plan = [try search("q", source, credentials: Credentials(["me.example", "secret"]))]
    _ = await findings(plan, transport: transport)
    let mayKeep = try #require(transport.requests.last?.mayKeep)
    #expect(!mayKeep(HTTPResponse(status: 200, body: HTTPBody("a session b".utf8))))
    #expect(!mayKeep(HTTPResponse(status: 200, headers: ["X-Token": "session"])))
    // Whose posts may well be among the results.
    #expect(mayKeep(HTTPResponse(status: 200, body: HTTPBody("me.example".utf8))))
  }

  @Test func `A refused login fails every search of its server once`() async throws {
    let transport = ScriptedTransport { _ throws(HTTPError) in HTTPResponse(status: 401) }
    var source = CountingSource()
    source.hasLogin = true
    let plan = try (0..<5).map {
      try search("q\($0)", source, credentials: Credentials(["me", "wrong"]))
    }
    let result = await findings(plan, transport: transport)
    #expect(transport.requests.count == 1)
    #expect(
      result.outcomes.allSatisfy {
        if case .failed(let failure) = $0.ending { failure.kind == .credential } else { false }
      })
  }

  /// A network that answers all queries but `slow`, which never ends by itself.
  private var halting: ScriptedTransport {
    ScriptedTransport { request throws(HTTPError) in
      if !request.url.contains("q=slow") {
        return HTTPResponse(status: 200, body: HTTPBody("9".utf8))
      }
      do { try await Task.sleep(for: .seconds(3600)) } catch {
        throw HTTPError(.cancelled, reason: "cancelled")
      }
      return HTTPResponse(status: 200)
    }
  }

  @Test func `When time is up, unfinished searches fail temporarily`() async throws {
    let transport = halting
    let limits = RunLimits(longest: .milliseconds(200))
    let result = await findings([try search("slow")], limits: limits, transport: transport)
    #expect(transport.cancelAllCount == 1)
    guard case .failed(let failure) = result.outcomes.first?.ending else {
      Issue.record("\(result.outcomes)")
      return
    }
    #expect(failure.kind == .temporary)
    #expect(failure.message == "time is up after 200 ms")
  }

  @Test func `Ending a run keeps its results and cancels the rest`() async throws {
    let transport = halting
    let plan = [try search("fast"), try search("slow")]
    let engine = SearchEngine(
      plan: plan, transport: transport, limits: RunLimits(), now: now,
      clock: { Date(timeIntervalSince1970: 1000) })
    await withTaskGroup { group in
      group.addTask { await engine.run() }
      for await _ in engine.arrivals { break }
      engine.end(unfinished: .cancelled)
      #expect(transport.cancelAllCount == 1)
      group.cancelAll()
    }
    #expect(engine.findings.outcomes.map(\.ending) == [.completed(), .cancelled])
    #expect(engine.findings.found.flatMap(\.posts).map(\.id) == ["9"])
  }

  @Test func `A run that was ended before it began sends nothing`() async throws {
    let transport = halting
    let engine = SearchEngine(
      plan: [try search("a"), try search("b")], transport: transport, limits: RunLimits(), now: now,
      clock: { Date(timeIntervalSince1970: 1000) })
    engine.end(unfinished: .cancelled)
    await engine.run()
    #expect(engine.findings.outcomes.map(\.ending) == [.cancelled, .cancelled])
    #expect(transport.requests.isEmpty)
  }

  /// A network that returns two pages for any query.
  private var listing: ScriptedTransport {
    ScriptedTransport { request throws(HTTPError) in
      let isSecond = request.url.contains("cursor=b")
      return HTTPResponse(status: 200, body: HTTPBody((isSecond ? "7 6" : "9 8;b").utf8))
    }
  }

  private func listed(_ queries: [String], cap: Int? = nil) throws -> [PlannedSearch] {
    var source = CountingSource()
    source.listsAll = true
    return try queries.map { try search($0, source, cap: cap) }
  }

  @Test(arguments: [nil, 3])
  func `Equal requests are sent once, and each search reads the answer`(
    newest: Int?
  ) async throws {
    let transport = listing
    let plan = try listed((0..<300).map { "q\($0)" })
    let result = await findings(plan, limits: RunLimits(newest: newest), transport: transport)
    #expect(transport.requests.count == 2)
    #expect(result.outcomes.allSatisfy { $0.ending == .completed() })
    let posts = Merge(now: now, limit: newest).posts(of: result.found)
    #expect(posts.map(\.id) == Array(["9", "8", "7", "6"].prefix(newest ?? 4)))
    #expect(posts.allSatisfy { $0.tags.count == 300 })
  }

  @Test func `Searches with other credentials make their own requests`() async throws {
    var source = CountingSource()
    source.listsAll = true
    let transport = listing
    let plan = [
      try search("a", source, cap: 1), try search("b", source, cap: 1),
      try search("c", source, cap: 1, credentials: Credentials(["secret"])),
      try search("d", source, cap: 1, server: "http://127.0.0.2:9"),
    ]
    let result = await findings(plan, transport: transport)
    #expect(transport.requests.count == 3)
    #expect(result.outcomes.allSatisfy { $0.ending == .completed() })
  }

  @Test func `A failed request fails every search that shares it`() async throws {
    let transport = ScriptedTransport { _ throws(HTTPError) in HTTPResponse(status: 500) }
    let result = await findings(try listed(["a", "b", "c"]), transport: transport)
    #expect(transport.requests.count == 1)
    #expect(result.outcomes.allSatisfy { $0.ending.isFailure })
  }

  @Test(arguments: [403, 429, 503])
  func `An error response is read once, for the client and for all readers`(
    status: Int
  ) async throws {
    let readings = Counter()
    var source = CountingSource()
    source.listsAll = true
    source.onRefusal = { readings.count.withLock { $0 += 1 } }
    let transport = ScriptedTransport { request throws(HTTPError) in
      let response = HTTPResponse(status: status, body: HTTPBody("{}".utf8))
      _ = request.judge?(response, Date(timeIntervalSince1970: 999))
      return response
    }
    let plan = try ["a", "b", "c"].map { try search($0, source) }
    let result = await findings(plan, transport: transport)
    #expect(result.outcomes.count == 3 && result.outcomes.allSatisfy { $0.ending.isFailure })
    #expect(transport.requests.count == 1)
    #expect(readings.count.withLock { $0 } == 1)
  }

  private final class Counter: Sendable {
    let count = Mutex(0)
  }

  @Test func `Searches of a higher priority begin first`() async throws {
    let plan = [
      try search("low", priority: .low), try search("normal"), try search("high", priority: .high),
      try search("normal2"),
    ]
    var board = LaneBoard(plan, perLane: 4)
    #expect((0..<5).map { _ in board.next() } == [2, 1, 3, 0, nil])
    // The queue of the client knows the priorities, too.
    let transport = answering(["": "9"])
    _ = await findings(plan, transport: transport)
    #expect(transport.requests.map(\.priority).sorted() == [.low, .normal, .normal, .high])
  }
}
