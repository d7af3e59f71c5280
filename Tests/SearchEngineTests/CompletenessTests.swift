import FoundationEssentials
import QueuedHTTP
import SearchModel
import SearchSources
import Synchronization
import Testing

@testable import SearchEngine

/// Complete and partial searches, and their notes.
@Suite struct CompletenessTests {
  private static func date(_ second: Double) -> Date { Date(timeIntervalSince1970: second) }

  /// One post on each page, each a second older than the one before.
  private func countdown(limits: RunLimits) -> Scripted {
    Scripted(limits: limits) { cursor in
      let second = Int(cursor) ?? 900
      return "\(second);\(second - 1)"
    }
  }

  @Test func `A page that may have more the next time does not stay in a cache`() async throws {
    let sound = Scripted(["": "9 8 x;n", "n": "7 >"])
    _ = try await sound.run(CountingSource())
    #expect(sound.transport.requests.count == 2 && sound.transport.removed.isEmpty)
    let cut = Scripted(["": "9 8;n", "n": "7 ?"])
    _ = try await cut.run(CountingSource())
    #expect(cut.transport.removed.map(\.body.text) == ["7 ?"])
    for (status, count) in [(206, 1), (404, 0)] {
      let refused = Scripted(
        limits: RunLimits(),
        transport: ScriptedTransport { _ throws(HTTPError) in
          HTTPResponse(status: status, body: HTTPBody("9 8".utf8))
        })
      _ = try await refused.run(CountingSource())
      #expect(refused.transport.removed.count == count)
    }
  }

  @Test(arguments: [PageOrder.exact, .approximate])
  func `A search may take any number of pages to reach the end of the run`(
    order: PageOrder
  ) async throws {
    var source = CountingSource()
    source.traits.order = order
    let run = countdown(limits: RunLimits(until: Self.date(800)))
    let result = try await run.run(source, cap: 3, isCapDefault: true)
    #expect(result.ids == ["799", "798", "797"])
    #expect(result.outcome.ending == .completed())
    #expect(run.transport.requests.count == 104)
    // Pages of the three that are wanted would lead there more slowly.
    #expect(run.transport.requests.prefix(102).allSatisfy { !$0.url.contains("wanted") })
  }

  @Test(arguments: [
    (RunLimits(), false), (RunLimits(until: Self.date(901)), false),
    (RunLimits(newest: 5), true),
  ])
  func `Ten pages without a match end a sample with a note, and make a full search partial`(
    limits: RunLimits, isPartial: Bool
  ) async throws {
    var limits = limits
    limits.filter = PostFilter(fewestLikes: 10)
    let run = countdown(limits: limits)
    let result = try await run.run(CountingSource(), cap: 20, isCapDefault: true)
    let reason = "stopped after 10 pages in a row without a matching post"
    #expect(
      result.outcome.ending
        == (isPartial
          ? .partial(brokenItems: 0, reason: reason) : .completed(notes: [reason])))
    #expect(run.transport.requests.count == 10)
  }

  @Test(arguments: [(1, "1 page"), (2, "2 pages")])
  func `A search that may read no more pages says how many it has read`(
    pages: Int, words: String
  ) async throws {
    let run = Scripted(limits: RunLimits(pages: pages)) { "9;\($0)b" }
    let reason = "stopped after \(words); --max-pages sets how many"
    #expect(
      try await run.run(CountingSource(), cap: 20).outcome.ending
        == .partial(brokenItems: 0, reason: reason))
  }

  @Test(arguments: [(100.0, true), (900, false), (2000, false)])
  func `A ceiling before the dates of the run makes a sample partial`(
    until: Double, isPartial: Bool
  ) async throws {
    var source = CountingSource()
    source.traits.ceiling = 3
    let run = Scripted(["": "900 899 898"], limits: RunLimits(until: Self.date(until)))
    let result = try await run.run(source, cap: 20, isCapDefault: true)
    let reason = "this network returns at most 3 posts per search"
    #expect(
      result.outcome.ending
        == (isPartial
          ? .partial(brokenItems: 0, reason: reason) : .completed(notes: [reason])))
  }

  @Test func `A page that names the next one is followed, whatever it holds`() async throws {
    let run = Scripted(["": ";b", "b": "9;c", "c": ";d", "d": "!;e", "e": ";f", "f": "8"])
    let result = try await run.run(CountingSource(), cap: 100)
    #expect(result.ids == ["9", "8"])
    #expect(result.outcome.ending == .partial(brokenItems: 1, reason: nil))
    #expect(run.transport.requests.count == 6)
  }

  @Test func `A last page that is the first one again does not end a search as complete`()
    async throws
  {
    let run = Scripted(["": "9 8 7;b", "b": "6 5 4;c", "c": "9 8 7"])
    let result = try await run.run(CountingSource(), cap: 100)
    #expect(result.ids == ["9", "8", "7", "6", "5", "4"])
    #expect(
      result.outcome.ending == .partial(brokenItems: 0, reason: "the same page was offered twice"))
    let endless = Scripted { cursor in "9 8 7;\((Int(cursor) ?? 0) + 1)" }
    let first = try await endless.run(CountingSource(), cap: 100)
    #expect(first.outcome.ending == result.outcome.ending && first.ids == ["9", "8", "7"])
    #expect(endless.transport.requests.count == 3)
    // Pages that come round again.
    let round = Scripted { cursor in
      let page = Int(cursor) ?? 0
      return "\(page % 2 == 0 ? "9 8" : "7 6");\(page + 1)"
    }
    #expect(try await round.run(CountingSource(), cap: 100).ids == ["9", "8", "7", "6"])
    #expect(round.transport.requests.count == 5)
    // New posts move older ones to the next page, and as many as fill one move a whole page.
    let shifted = Scripted(["": "9 8 7;b", "b": "9 8 7;c", "c": "6 5"])
    let whole = try await shifted.run(CountingSource(), cap: 100)
    #expect(whole.ids == ["9", "8", "7", "6", "5"] && whole.outcome.ending == .completed())
    let moved = Scripted(["": "9 8 7;b", "b": "8 7 6;c", "c": "7 6"])
    #expect(try await moved.run(CountingSource(), cap: 100).outcome.ending == .completed())
  }

  @Test(arguments: [nil, 20])
  func `Ten empty pages in a row make every search partial`(defaultCap: Int?) async throws {
    let run = Scripted { cursor in "\(cursor.isEmpty ? "9 8" : "");\((Int(cursor) ?? 0) + 1)" }
    let result = try await run.run(
      CountingSource(), cap: defaultCap, isCapDefault: defaultCap != nil)
    #expect(result.ids == ["9", "8"])
    #expect(
      result.outcome.ending
        == .partial(brokenItems: 0, reason: "stopped after 10 empty pages in a row"))
    #expect(run.transport.requests.count == 11)
  }

  @Test func `A cursor that stays the same is followed as long as it brings new posts`()
    async throws
  {
    let answers = Mutex(["9;b", "8;b", "7 8;b", "6;b", "5"].reversed() as [String])
    let run = Scripted { _ in answers.withLock { $0.popLast() ?? "" } }
    let result = try await run.run(CountingSource(), cap: 100)
    #expect(result.ids == ["9", "8", "7", "6", "5"])
    #expect(result.outcome.ending == .completed())
    // A server that does not move it looks as if the last page had come.
    let still = Mutex(["9;b", "8;b", "8"].reversed() as [String])
    let stuck = Scripted { _ in still.withLock { $0.popLast() ?? "" } }
    #expect(
      try await stuck.run(CountingSource(), cap: 100).outcome.ending
        == .partial(brokenItems: 0, reason: "the same page was offered twice"))
  }

  @Test func `More posts that cannot be requested make a search partial, unless it needs no more`()
    async throws
  {
    let reason = "the response does not say where more is"
    let run = Scripted(["": "9 8 >"])
    let sample = try await run.run(CountingSource(), cap: 20, isCapDefault: true)
    #expect(sample.outcome.ending == .partial(brokenItems: 0, reason: reason))
    #expect(try await run.run(CountingSource(), cap: 2).outcome.ending == .completed())
    let bounded = Scripted(["": "9 8 >"], limits: RunLimits(since: Self.date(9)))
    #expect(try await bounded.run(CountingSource()).outcome.ending == .completed())
  }

  @Test(arguments: ["9 8 >", ";b"])
  func `A search that stopped before its end is not exhausted`(first: String) async throws {
    let run = Scripted { cursor in cursor.isEmpty ? first : ";\(cursor)b" }
    let search = Search(
      query: try #require(Query("a")), source: CountingSource(),
      server: try #require(ServerAddress("http://127.0.0.1:9")))
    let engine = SearchEngine(
      plan: [.ask(search)], transport: run.transport, limits: run.limits, now: Scripted.now,
      clock: { Scripted.now })
    await engine.run()
    #expect(engine.readings.map(\.isExhausted) == [false])
  }

  @Test(
    arguments: [
      (RunLimits(), nil, false, true), (RunLimits(), 20, true, false),
      (RunLimits(), 20, false, true),
      (RunLimits(since: Self.date(1)), nil, false, true), (RunLimits(newest: 9), 20, true, true),
      // The fourth newest proves that nothing is missing, and nothing older could be among four.
      (RunLimits(newest: 3), nil, false, nil), (RunLimits(newest: 4), nil, false, nil),
      (RunLimits(since: Self.date(7)), nil, false, nil), (RunLimits(), 4, false, nil),
    ] as [(RunLimits, Int?, Bool, Bool?)])
  func `A network's ceiling makes a search partial if the run wants more`(
    limits: RunLimits, cap: Int?, isCapDefault: Bool, isPartial: Bool?
  ) async throws {
    var source = CountingSource()
    source.traits.ceiling = 4
    let reason = "this network returns at most 4 posts per search"
    let expected: Ending =
      switch isPartial {
      case true?: .partial(brokenItems: 0, reason: reason)
      case false?: .completed(notes: [reason])
      case nil: .completed()
      }
    let result = try await Scripted(["": "9 8;b", "b": "7 6"], limits: limits)
      .run(source, cap: cap, isCapDefault: isCapDefault)
    #expect(result.outcome.ending == expected)
    let below = try await Scripted(["": "9 8;b", "b": "7"], limits: limits)
      .run(source, cap: cap, isCapDefault: isCapDefault)
    #expect(below.outcome.ending == .completed())
  }

  @Test(arguments: [(1000, true), (1001, false)])
  func `A search that has read all posts which the network counts is complete at the ceiling`(
    total: Int, isComplete: Bool
  ) async throws {
    // 100 on each of ten pages.
    let transport = ScriptedTransport { request throws(HTTPError) in
      let number = request.url.split(separator: "&page=").last.flatMap {
        Int($0.prefix { $0 != "&" })
      }
      let first = ((number ?? 1) - 1) * 100
      let items = (first..<first + 100).map { index in
        #"{"id":\#(index + 1),"title":"t","html_url":"https://github.com/o/r/issues/\#(index)","#
          + #""created_at":"1970-01-01T00:\#(15 - index / 60 / 60):00Z"}"#
      }
      let list = items.joined(separator: ",")
      return HTTPResponse(
        status: 200,
        body: HTTPBody(#"{"total_count":\#(total),"items":[\#(list)]}"#.utf8))
    }
    let search = Search(
      query: try #require(Query("a")), source: try #require(Sources.named("github")),
      server: try #require(ServerAddress("https://api.github.com")))
    let findings = await Scripted(limits: RunLimits(newest: 2000), transport: transport)
      .run([.ask(search)])
    #expect(findings.found.flatMap { $0.posts }.count == 1000)
    #expect(transport.requests.count == 10)
    let reason = "GitHub returns only the newest 1000 posts of a query"
    #expect(
      findings.outcomes.first?.ending
        == (isComplete ? .completed() : .partial(brokenItems: 0, reason: reason)))
  }

  @Test(
    arguments: [(nil, 5, true), (99, nil, true), (100, nil, false), (nil, 2, false)]
      as [(Double?, Int?, Bool)])
  func `A network's horizon makes a search partial if the run wants more`(
    since: Double?, newest: Int?, isPartial: Bool
  ) async throws {
    var source = CountingSource()
    source.traits.horizon = 900
    let limits = RunLimits(since: since.map(Self.date), newest: newest)
    let result = try await Scripted(["": "900 800 700"], limits: limits).run(source)
    let reason = "this network's search reaches back no more than 0 days"
    #expect(
      result.outcome.ending
        == (isPartial ? .partial(brokenItems: 0, reason: reason) : .completed()))
  }

  @Test(arguments: [nil, 20])
  func `An outcome states its posts and pages, unless there is a limit`(
    newest: Int?
  ) async throws {
    let run = Scripted(["": "9 8;b", "b": "7 6"], limits: RunLimits(newest: newest))
    let outcome = try await run.run(CountingSource(), cap: 3).outcome
    #expect(outcome.posts == (newest == nil ? 3 : nil))
    #expect(outcome.pages == (newest == nil ? 2 : nil))
  }

  @Test func `Undated posts are filtered out of a date range and counted, unless kept`()
    async throws
  {
    var limits = RunLimits(until: Self.date(9))
    let dropped = try await Scripted(["": "@9 9 @8 8"], limits: limits).run(CountingSource())
    #expect(dropped.ids == ["8"])
    #expect(dropped.findings.excluded.all.map { "\($0.reason) \($0.count)" } == ["undated 2"])
    limits.keepsUndated = true
    let kept = try await Scripted(["": "@9 9 @8 8"], limits: limits).run(CountingSource())
    #expect(kept.ids == ["9", "8", "8"])
    #expect(kept.findings.excluded.isEmpty)
    let unbounded = try await Scripted(["": "@9 9"]).run(CountingSource())
    #expect(unbounded.ids == ["9", "9"])
  }

  @Test(arguments: [3, 20])
  func `A server that never answers leaves other searches complete`(
    newest: Int
  ) async throws {
    let transport = ScriptedTransport { request throws(HTTPError) in
      if request.url.contains("q=stalled") {
        do { try await Task.sleep(for: .seconds(3600)) } catch {
          throw HTTPError(.cancelled, reason: "cancelled")
        }
      }
      let page = Scripted.cursor(of: request).isEmpty ? "9 8 7;b" : "6 5 4"
      return HTTPResponse(status: 200, body: HTTPBody(page.utf8))
    }
    let limits = RunLimits(
      longest: .milliseconds(300), newest: newest, patience: .seconds(3600))
    let result = await Scripted(limits: limits, transport: transport)
      .run(try ["a", "b", "stalled"].map(search))
    #expect(result.outcomes.prefix(2).map(\.ending) == [.completed(), .completed()])
    guard case .failed = result.outcomes.last?.ending else {
      Issue.record("\(result.outcomes)")
      return
    }
  }

  @Test func `One slow first page does not delay the second pages of others`() async throws {
    let (requests, log) = AsyncStream.makeStream(of: String.self)
    let transport = ScriptedTransport { request throws(HTTPError) in
      let cursor = Scripted.cursor(of: request)
      if cursor.isEmpty, request.url.contains("q=slow") {
        // Until both others have asked for their second page.
        var count = 0
        for await _ in requests {
          count += 1
          if count == 2 { break }
        }
      } else if !cursor.isEmpty, !request.url.contains("q=slow") {
        log.yield(cursor)
      }
      return HTTPResponse(status: 200, body: HTTPBody((cursor.isEmpty ? "9;b" : "8").utf8))
    }
    let limits = RunLimits(longest: .seconds(60), newest: 20, patience: .milliseconds(1))
    let result = await Scripted(limits: limits, transport: transport)
      .run(try ["a", "b", "slow"].map(search))
    #expect(result.outcomes.allSatisfy { $0.ending == .completed() })
  }

  @Test func `Patience begins when half of the searches have answered`() throws {
    let plan = try ["a", "b", "c", "d"].map(search)
    let limits = RunLimits(newest: 20, patience: .seconds(7))
    var state = RunState(plan: plan, limits: limits, now: Date(timeIntervalSince1970: 100))
    let jobs = state.start()
    try #require(jobs.count == 4)
    let answer = PageAnswer.failure(.failed(Failure(.permanent, message: "refused")))
    _ = state.take(AnsweredPage(answers: [answer], hasAnswered: true), to: jobs[0])
    #expect(state.beginPatience() == nil)
    _ = state.take(AnsweredPage(answers: [answer], hasAnswered: true), to: jobs[1])
    #expect(state.beginPatience() == .seconds(7))
    #expect(state.beginPatience() == nil)
  }

  private func search(_ query: String) throws -> PlannedSearch {
    .ask(
      Search(
        query: try #require(Query(query)), source: CountingSource(),
        server: try #require(ServerAddress("http://127.0.0.1:9"))))
  }

  @Test func `A cursor that is too long for a request is missing, and is not sent`() async throws {
    let long = String(repeating: "c", count: 100_000)
    let scripted = Scripted(["": "9 8;\(long)"])
    let (ids, outcome, _) = try await scripted.run(CountingSource())
    #expect(ids == ["9", "8"])
    guard case .partial = outcome.ending else {
      Issue.record("\(outcome)")
      return
    }
    #expect(scripted.transport.requests.count == 1)
  }
}
