import FoundationEssentials
import QueuedHTTP
import SearchEngine
import SearchModel
import SearchSources
import Synchronization
import Testing

/// The searches of a lane whose server is unreachable, or asks them to wait.
@Suite struct LaneTests {
  private let now = Date(timeIntervalSince1970: 1000)

  private func search(_ query: String, server: String) throws -> PlannedSearch {
    .ask(
      Search(
        query: try #require(Query(query)), source: CountingSource(),
        server: try #require(ServerAddress(server))))
  }

  private func findings(
    _ plan: [PlannedSearch], limits: RunLimits = RunLimits(), transport: any Transport
  ) async -> Findings {
    let engine = SearchEngine(
      plan: plan, transport: transport, limits: limits, now: now,
      clock: { Date(timeIntervalSince1970: 1000) })
    await engine.run()
    return engine.findings
  }

  @Test func `Waiting for a broken server is a temporary failure, not a rate limit`()
    async throws
  {
    let until = Date(timeIntervalSince1970: 5000)
    for (status, isQuota) in [(503, false), (429, true)] {
      let transport = ScriptedTransport { request throws(HTTPError) in
        let response = HTTPResponse(status: status, headers: ["Retry-After": "4000"])
        _ = request.judge?(response, Date(timeIntervalSince1970: 1000))
        throw HTTPError(.coolingDown, reason: "asked to wait", retryMoment: until)
      }
      let plan = [try search("a", server: "http://a.example")]
      let outcome = try #require(await findings(plan, transport: transport).outcomes.first)
      if isQuota {
        let message = "the server asked for a longer wait than the run allows"
        #expect(
          outcome.ending
            == .rateLimited(
              until: until,
              failure: Failure(.temporary, message: message, advice: "try again later")))
      } else {
        #expect(
          outcome.ending
            == .failed(
              Failure(
                .temporary, status: 503, message: "the server is unavailable",
                advice: "try again later", until: until)))
      }
    }
  }

  @Test(arguments: [nil, 5])
  func `An unreachable server is abandoned after one request`(
    newest: Int?
  ) async throws {
    let transport = ScriptedTransport { request throws(HTTPError) in
      if request.url.contains("dead") { throw HTTPError(.nameLookup, reason: "no address") }
      return HTTPResponse(status: 200, body: HTTPBody("9".utf8))
    }
    let plan = try (0..<100).flatMap { number in
      [
        try search("a\(number)", server: "http://living.example"),
        try search("a\(number)", server: "http://dead.example"),
      ]
    }
    let limits = RunLimits(perLane: 2, newest: newest)
    let result = await findings(plan, limits: limits, transport: transport)
    let expected = Ending.failed(
      Failure(
        .temporary, message: "no address", advice: "try again later", isUnreachable: true))
    for (index, outcome) in result.outcomes.enumerated() {
      #expect(outcome.ending == (index % 2 == 0 ? .completed() : expected))
    }
    // Those in progress when the first one failed.
    #expect(transport.requests.count { $0.url.contains("dead") } <= 4)
    #expect(transport.cancelledGroups.count == 1)
  }

  /// Answers "a" at once, and the others when what waits on the lane has been canceled.
  private func refusingFirst(_ refusal: HTTPResponse) -> ScriptedTransport {
    let (signals, close) = AsyncStream.makeStream(of: Void.self)
    let closed = Task { for await _ in signals {} }
    return ScriptedTransport(onCancelWaiting: { close.finish() }) { request throws(HTTPError) in
      if request.url.contains("q=a0") { return refusal }
      await closed.value
      return HTTPResponse(status: 200, body: HTTPBody("9 8".utf8))
    }
  }

  @Test(arguments: [429, 503, 200])
  func `A refusal ends what was not sent, and what is under way is answered`(
    status: Int
  ) async throws {
    // With 200 the server asks for a pause along with its posts.
    let transport = refusingFirst(
      HTTPResponse(
        status: status, headers: ["Retry-After": "4000", "Pause": "4000"],
        body: HTTPBody("9".utf8)))
    let plan = try (0..<10).map { try search("a\($0)", server: "http://one.example") }
    let result = await findings(plan, limits: RunLimits(perLane: 4), transport: transport)
    let until = Date(timeIntervalSince1970: 5000)
    for (index, outcome) in result.outcomes.enumerated() {
      switch (index, outcome.ending) {
      case (1...3, .completed),
        (0, .completed) where index > 0 || status == 200:
        continue
      case (_, .rateLimited(until, _)) where status != 503: continue
      case (_, .failed(let failure)) where status == 503 && failure.until == until: continue
      case (_, let ending): Issue.record("\(index): \(ending)")
      }
    }
    #expect(transport.requests.count == 4)
    #expect(transport.cancelledGroups.isEmpty)
    #expect(transport.shortenedGroups.count == 1)
  }

  @Test(arguments: [ResponseOrigin.stored, .revalidated])
  func `Only a server's own answer asks for a pause`(origin: ResponseOrigin) async throws {
    let transport = ScriptedTransport { _ throws(HTTPError) in
      var response = HTTPResponse(
        status: 200, headers: ["Pause": "4000"], body: HTTPBody("9".utf8))
      response.timings.fromCache = true
      response.origin = origin
      return response
    }
    let plan = try (0..<10).map { try search("a\($0)", server: "http://one.example") }
    let result = await findings(plan, limits: RunLimits(perLane: 1), transport: transport)
    let completed = result.outcomes.count { $0.ending == .completed() }
    #expect(completed == (origin == .stored ? 10 : 1))
  }

  @Test func `A search that is refused after its first page says until when`() async throws {
    let transport = ScriptedTransport { request throws(HTTPError) in
      request.url.contains("cursor=2")
        ? HTTPResponse(status: 429, headers: ["Retry-After": "4000"])
        : HTTPResponse(status: 200, body: HTTPBody("9;2".utf8))
    }
    let plan = [try search("a", server: "http://one.example")]
    let outcome = try #require(await findings(plan, transport: transport).outcomes.first)
    guard case .partial(_, _, let failure?, _) = outcome.ending else {
      Issue.record("\(outcome)")
      return
    }
    #expect(failure.until == Date(timeIntervalSince1970: 5000))
  }

  @Test(arguments: [HTTPError.Code.idleTimeout, .totalTimeout])
  func `A server that accepts and never answers is abandoned after one request`(
    code: HTTPError.Code
  ) async throws {
    let transport = ScriptedTransport { _ throws(HTTPError) in
      var timings = Timings()
      timings.connect = .milliseconds(1)
      throw HTTPError(code, reason: "no response", timings: timings)
    }
    let plan = try (0..<100).map { try search("a\($0)", server: "http://silent.example") }
    let result = await findings(plan, limits: RunLimits(perLane: 2), transport: transport)
    let expected = Ending.failed(
      Failure(
        .temporary, message: "no response", advice: "try again later", isUnanswered: true))
    #expect(result.outcomes.allSatisfy { $0.ending == expected })
    #expect(transport.requests.count <= 4)
  }

  @Test(arguments: [true, false])
  func `A server that rejects a credential is not asked again with it`(hasOne: Bool) async throws {
    let transport = ScriptedTransport { _ throws(HTTPError) in HTTPResponse(status: 401) }
    let plan = try (0..<20).map { number -> PlannedSearch in
      let endpoint = Endpoint(
        CountingSource(), at: try #require(ServerAddress("http://one.example")),
        credentials: hasOne ? Credentials(["t"]) : nil)
      return .ask(Search(try #require(Query("a\(number)")), at: endpoint))
    }
    let result = await findings(plan, limits: RunLimits(perLane: 1), transport: transport)
    // A server that answers strangers in part may refuse one query only.
    #expect(hasOne ? transport.requests.count <= 4 : transport.requests.count == 20)
    #expect(
      result.outcomes.allSatisfy { outcome in
        if case .failed(let failure) = outcome.ending { failure.kind == .credential } else { false }
      })
  }

  @Test func `A response that stalls halfway closes no lane`() async throws {
    let transport = ScriptedTransport { _ throws(HTTPError) in
      var timings = Timings()
      timings.firstByte = .milliseconds(1)
      throw HTTPError(.idleTimeout, reason: "no more data", timings: timings)
    }
    let plan = try (0..<20).map { try search("a\($0)", server: "http://slow.example") }
    _ = await findings(plan, limits: RunLimits(perLane: 1), transport: transport)
    #expect(transport.requests.count == 20)
  }

  @Test func `A server that was reached once gets all requests`() async throws {
    let asked = Mutex(0)
    let transport = ScriptedTransport { _ throws(HTTPError) in
      let number = asked.withLock { asked in
        asked += 1
        return asked
      }
      // Two are in progress at once, so the third is sent when one of them has been answered.
      if number > 2 { throw HTTPError(.connection, reason: "refused") }
      return HTTPResponse(status: 200, body: HTTPBody("9".utf8))
    }
    let plan = try (0..<20).map { try search("a\($0)", server: "http://one.example") }
    let result = await findings(plan, limits: RunLimits(perLane: 1), transport: transport)
    #expect(transport.requests.count == 20)
    #expect(result.outcomes.count { $0.ending == .completed() } == 2)
    #expect(transport.cancelledGroups.isEmpty)
  }

  @Test func `Requests in progress to an unreachable server end with the first`()
    async throws
  {
    let client = HTTPClient()
    // Port 1 is reserved, and nothing listens there.
    let plan = try (0..<300).map { try search("a\($0)", server: "http://127.0.0.1:1") }
    let result = await findings(plan, transport: client)
    for outcome in result.outcomes {
      guard case .failed(let failure) = outcome.ending else {
        Issue.record("\(outcome)")
        return
      }
      #expect(failure.isUnreachable)
      #expect(failure.message == "connection refused")
    }
    #expect(client.counts.failed + client.counts.cancelled <= 8)
    await client.shutdown()
  }
}
