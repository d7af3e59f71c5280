import FoundationEssentials
import QueuedHTTP
import SearchEngine
import SearchModel
import SearchSources
import Synchronization
import Testing

/// The cost bounds of a run, and their distribution.
@Suite struct CostTests {
  private let now = Date(timeIntervalSince1970: 100_000)

  private func source(_ cost: RequestCost, charge: Int? = nil) -> CountingSource {
    var source = CountingSource()
    source.traits.cost = cost
    source.traits.pageSize = 10...100
    source.charge = charge
    return source
  }

  private func plan(
    _ count: Int, on source: CountingSource, readsWindows: Bool = false,
    priority: (Int) -> RequestPriority = { _ in .normal }
  ) throws -> [PlannedSearch] {
    try (0..<count).map { number in
      var search = Search(
        query: try #require(Query("q\(number)")), source: source,
        server: try #require(ServerAddress("http://127.0.0.1:9")), priority: priority(number))
      search.readsWindows = readsWindows
      return .ask(search)
    }
  }

  /// As many posts as requested, and always another page.
  private var transport: ScriptedTransport {
    ScriptedTransport { request throws(HTTPError) in
      let values = request.url.split(separator: "?").last?.split(separator: "&") ?? []
      func number(_ name: String) -> Int? {
        values.first { $0.hasPrefix("\(name)=") }.flatMap { Int($0.dropFirst(name.count + 1)) }
      }
      let first = number("cursor") ?? 90_000
      let count = number("wanted") ?? 100
      let posts = (0..<count).map { String(first - $0) }.joined(separator: " ")
      return HTTPResponse(status: 200, body: HTTPBody("\(posts);\(first - count)".utf8))
    }
  }

  /// The number of posts and the ending of each search of a plan.
  private func run(
    _ plan: [PlannedSearch], bounds: CostBounds
  ) async -> (posts: [String: Int], outcomes: [Ending], requests: Int) {
    let transport = transport
    let engine = SearchEngine(
      plan: plan, transport: transport, limits: RunLimits(costs: bounds), now: now,
      clock: { Date(timeIntervalSince1970: 100_000) })
    await engine.run()
    #expect(engine.mostSpent == engine.spent)
    let findings = engine.findings
    let posts = Dictionary(grouping: findings.found, by: \.tag).mapValues { found in
      found.map(\.posts.count).reduce(0, +)
    }
    return (posts, findings.outcomes.map(\.ending), transport.requests.count)
  }

  @Test func `A page in progress counts with the most that it may cost`() async throws {
    let known = Mutex<SearchEngine?>(nil)
    let seen = Mutex<[[SourceName: Int]]>([])
    let engine = SearchEngine(
      plan: try plan(1, on: source(perPost)),
      transport: ScriptedTransport { request throws(HTTPError) in
        let engine = known.withLock { $0 }
        seen.withLock { $0 += [engine?.spent ?? [:], engine?.mostSpent ?? [:]] }
        throw HTTPError(.cancelled, reason: "cancelled")
      }, limits: RunLimits(costs: CostBounds(general: 500)), now: now,
      clock: { Date(timeIntervalSince1970: 100_000) })
    known.withLock { $0 = engine }
    await engine.run()
    #expect(seen.withLock { $0 } == [["counting": 0], ["counting": 100]])
    #expect(engine.mostSpent == ["counting": 0])
  }

  private let perPost = RequestCost(perPost: 1, unit: "posts read", defaultBound: 500)

  @Test func `A bound is divided evenly among the searches`() async throws {
    let result = await run(try plan(20, on: source(perPost)), bounds: CostBounds(general: 500))
    #expect(result.posts.count == 20)
    #expect(result.posts.values.allSatisfy { $0 == 25 })
    #expect(result.requests == 20)
    for ending in result.outcomes {
      guard case .partial(_, let reason?, _, _) = ending else {
        Issue.record("\(ending)")
        return
      }
      #expect(reason.contains("500 posts read"))
    }
  }

  @Test func `If shares are too small for a page, the first searches get one`() async throws {
    let plan = try plan(100, on: source(perPost)) { $0 == 99 ? .high : .normal }
    let result = await run(plan, bounds: CostBounds(general: 500))
    #expect(Set(result.posts.keys) == Set((0..<49).map { "q\($0)" } + ["q99"]))
    #expect(result.posts.values.allSatisfy { $0 == 10 })
    #expect(result.requests == 50)
  }

  @Test func `The default bound completes a search early, or skips it`()
    async throws
  {
    let cost = RequestCost(perRequest: 100, unit: "quota units", defaultBound: 300)
    let cut = await run(try plan(2, on: source(cost)), bounds: CostBounds())
    #expect(cut.requests == 3)
    for ending in cut.outcomes {
      guard case .completed(let notes) = ending else {
        Issue.record("\(ending)")
        return
      }
      #expect(notes.contains { $0.contains("300 quota units") })
    }
    let left = await run(try plan(5, on: source(cost)), bounds: CostBounds())
    #expect(left.requests == 3)
    #expect(left.outcomes.count { if case .skipped = $0 { true } else { false } } == 2)
  }

  @Test func `The default bound leaves a backfill incomplete`() async throws {
    let cost = RequestCost(perRequest: 100, unit: "quota units", defaultBound: 300)
    let cut = await run(try plan(1, on: source(cost), readsWindows: true), bounds: CostBounds())
    guard case .partial(_, let reason, _, _) = cut.outcomes.first else {
      Issue.record("\(cut.outcomes)")
      return
    }
    #expect(reason?.contains("300 quota units") == true)
  }

  @Test func `The cost that a page states is what counts`() async throws {
    let cost = RequestCost(perPost: 1, mostPerPost: 3, unit: "posts read", defaultBound: 500)
    let result = await run(
      try plan(4, on: source(cost, charge: 2)), bounds: CostBounds(general: 200))
    let posts = result.posts.values.reduce(0, +)
    #expect(posts * 2 <= 200)
    #expect(posts >= 80)
    #expect(result.posts.count == 4)
  }

  @Test func `Unused shares go to other searches`() async throws {
    var plan = try plan(3, on: source(perPost))
    if case .ask(var small) = plan[1] {
      small.cap = 10
      plan[1] = .ask(small)
    }
    let result = await run(plan, bounds: CostBounds(general: 300))
    #expect(result.posts["q1"] == 10)
    #expect(result.posts.values.reduce(0, +) == 300)
  }

  @Test func `A search whose first page a bound forbids is partial, and not expected to be asked`()
    async throws
  {
    let cost = RequestCost(perPost: 1, mostPerPost: 6, unit: "posts read", defaultBound: 500)
    for (bound, asked) in [(50, 0), (100, 5)] {
      let plan = try plan(10, on: source(cost))
      let bounds = CostBounds(general: bound)
      let estimate = RunEstimate(of: plan, limits: RunLimits(costs: bounds))
      #expect(
        estimate.line
          == "expected: \(asked) requests; counting: \(asked * 10) of at most \(bound) posts read, "
          + "for \(asked) of 10 searches")
      let result = await run(plan, bounds: bounds)
      #expect(result.requests == asked)
      let reasons = result.outcomes.compactMap { ending -> String? in
        if case .partial(_, let reason?, _, _) = ending, reason.contains("may cost") {
          reason
        } else {
          nil
        }
      }
      #expect(
        reasons
          == Array(
            repeating: "a page, which may cost 60, could exceed the bound of \(bound) posts read "
              + "(see: --max-cost)", count: 10 - asked))
    }
  }

  @Test func `The expected time and cost are those of the first pages`() throws {
    var source = source(perPost)
    source.traits.defaultServer = "http://127.0.0.1:9"
    source.traits.pace = Pace(requests: 10, per: .seconds(60))
    let estimate = RunEstimate(of: try plan(40, on: source), limits: RunLimits())
    #expect(estimate.time == .seconds(180))
    #expect(
      estimate.line
        == "expected: 40 requests, at least 3 min at counting's pace; "
        + "counting: 500 of at most 500 posts read")
  }
}
