import FoundationEssentials
import Printing
import SearchModel
import Testing

@Suite struct SummaryLinesTests {
  private func failed(_ tag: String, _ message: String = "answered 500") throws -> SearchOutcome {
    SearchOutcome(
      tag: tag, source: "mastodon", server: try Samples.server(),
      ending: .failed(
        Failure(.temporary, status: 500, message: message, advice: "try again later")))
  }

  @Test func `Every search that is not completed is named, with what to do`() throws {
    #expect(
      SummaryLines.lines(for: try Samples.outcomes()) == [
        "reddit: #a: skipped: needs a credential",
        "mastodon (https://mastodon.social): #b: incomplete: 2 items could not be read: "
          + "page 2 is missing: answered 500: try again later",
        "github (https://api.github.com): #c: rate limited until 2026-11-20T12:01:30Z: "
          + "the quota is spent (403): set GITHUB_TOKEN",
        "bluesky: #d: bad query (400)",
        "lemmy: #e: canceled",
      ])
  }

  @Test func `Moments are in local time at a terminal, with the day unless it is today`() throws {
    let clock = ReportClock(now: Samples.now) { _ in -3 * 3600 }
    let lines = SummaryLines.lines(for: try Samples.outcomes(), clock: clock)
    #expect(lines[2].contains(": rate limited until 09:01:30: the quota is spent"))
    #expect(clock.text(Samples.now.addingTimeInterval(86_399.5)) == "2026-11-21 09:00:00")
    #expect(ReportClock.utc.text(Samples.now) == "2026-11-20T12:00:00Z")
    #expect(clock.text(.distantFuture.addingTimeInterval(1e12)) == nil)
    let alert = TagAlert(tag: "#a", kind: .silent(since: Samples.now))
    #expect(alert.line(clock) == "alert: no post for #a since 09:00:00")
  }

  @Test
  func `Searches not made are named only where somebody asked for the network, or nothing was`() {
    func skipped(_ tag: String, _ source: SourceName) -> SearchOutcome {
      SearchOutcome(tag: tag, source: source, server: nil, ending: .skipped(reason: "no token"))
    }
    func answered(_ tag: String) -> SearchOutcome {
      SearchOutcome(tag: tag, source: "lemmy", server: nil, ending: .completed())
    }
    let all = [
      skipped("#a", "x"), skipped("#a", "reddit"), answered("#a"), skipped("#b", "x"),
    ]
    #expect(SummaryLines.worthNaming(all, named: []) == [all[2], all[3]])
    #expect(SummaryLines.worthNaming(all, named: ["reddit"]) == Array(all[1...]))
    // Some of the outcomes do not show that another search of the tag was made.
    #expect(SummaryLines.worthNaming([all[0]], named: []) == [all[0]])
    #expect(SummaryLines.worthNaming([all[0]], named: [], among: all) == [])
  }

  @Test func `A run that reached none of several hosts says so in one line`() {
    func failed(_ host: String, isUnreachable: Bool = true) -> SearchOutcome {
      SearchOutcome(
        tag: "#a", source: "mastodon", server: ServerAddress("https://\(host)"),
        ending: .failed(
          Failure(.temporary, message: "no address", isUnreachable: isUnreachable)))
    }
    let skipped = SearchOutcome(
      tag: "#a", source: "x", server: nil, ending: .skipped(reason: "no"))
    let none = [failed("a.example"), skipped, failed("b.example"), failed("b.example")]
    #expect(
      SummaryLines.lines(for: none) == [
        "no network: none of 2 hosts could be reached: check the connection", "x: #a: skipped: no",
      ])
    #expect(SummaryLines.lines(for: [failed("a.example")]).count == 1)
    #expect(
      SummaryLines.lines(for: [failed("a.example")]).first?.contains("a.example") == true)
    let one = none + [failed("c.example", isUnreachable: false)]
    #expect(SummaryLines.lines(for: one).allSatisfy { !$0.hasPrefix("no network") })
  }

  @Test func `A run that failed at its proxy says so in one line`() {
    func failed(_ host: String, _ message: String) -> SearchOutcome {
      SearchOutcome(
        tag: "#a", source: "mastodon", server: ServerAddress("https://\(host)"),
        ending: .failed(
          Failure(
            .temporary, message: message, advice: "check the proxy", isUnreachable: true)))
    }
    let words = "the proxy 127.0.0.1:1: connection refused"
    let all = ["a.example", "b.example", "c.example"].map { failed($0, words) }
    #expect(SummaryLines.lines(for: all) == ["\(words): check the proxy"])
    // Other hosts may have failed without it.
    let mixed = all + [failed("d.example", "connection refused")]
    #expect(SummaryLines.lines(for: mixed).first?.hasPrefix("no network: none of 4") == true)
  }

  @Test func `Notes of completed searches are reported on request`() throws {
    let verbose = SummaryLines.lines(for: try Samples.outcomes(), isVerbose: true)
    #expect(verbose.count == 6)
    #expect(verbose.first == "x (https://api.x.com): #a: completed: not found: post 9")
  }

  @Test func `What filters left out is one line, without those that left out nothing`() {
    var tally = FilterTally(FilterReason.allCases)
    #expect(SummaryLines.leftOut(tally) == nil)
    #expect(SummaryLines.leftOut(FilterTally()) == nil)
    let reasons: [FilterReason] = [
      .words, .reposts, .replies, .languages, .languageUnknown, .likes, .private, .signedOut,
      .undated,
    ]
    for reason in reasons { tally.count(reason) }
    tally.count(.reposts)
    tally.count(.replies)
    #expect(
      SummaryLines.leftOut(tally)
        == "left out: 1 excluded by words, 2 reposts, 2 replies, 1 in other languages, "
        + "1 without a language, 1 by --min-likes, 1 private post (--include-private shows them), "
        + "1 by authors who are visible only to signed-in users, 1 undated")
  }

  @Test func `Equal ones share a line, the rest by number`() throws {
    let outcomes = try (1...5).map { try failed("#\($0)") } + [try failed("#6", "no such host")]
    #expect(
      SummaryLines.lines(for: outcomes) == [
        "mastodon (https://mastodon.social): #1, #2 and 3 more: answered 500: try again later",
        "mastodon (https://mastodon.social): #6: no such host (500): try again later",
      ])
    #expect(
      SummaryLines.lines(for: Array(outcomes.prefix(3))) == [
        "mastodon (https://mastodon.social): #1, #2, #3: answered 500: try again later"
      ])
  }

  @Test func `Messages that differ in an identifier share a line`() throws {
    let outcomes = try (1...300).map { number in
      try failed(
        "#\(number)", "the server failed (500): Error. Request id: 8f3a\(number)c-\(number)")
    }
    #expect(
      SummaryLines.lines(for: outcomes) == [
        "mastodon (https://mastodon.social): #1, #2 and 298 more: "
          + "the server failed (500): Error. Request id: 8f3a1c-1 (the details differ): "
          + "try again later"
      ])
    let others = [
      try failed("#a", "no tag \"a\" here"), try failed("#b", "no tag \"b b\" here"),
      try failed("#c", "no tag at all"),
    ]
    #expect(SummaryLines.lines(for: others).count == 2)
  }

  @Test func `Notes of one kind are reported once, with their number`() throws {
    let notes = (1...37).map { "Could not find post with referenced_tweets.id: [\($0)]." }
    let outcome = SearchOutcome(
      tag: "#a", source: "x", server: nil,
      ending: .partial(brokenItems: 0, reason: "too many pages", notes: notes + ["other"]))
    #expect(
      SummaryLines.lines(for: [outcome]) == [
        "x: #a: incomplete: too many pages: Could not find post with referenced_tweets.id: [1]. "
          + "(and 36 more like it); other"
      ])
  }

  @Test func `Searches that a signal canceled are summed up`() throws {
    let sources: [SourceName] = ["x", "lemmy", "feed", "reddit"]
    let outcomes = sources.flatMap { source in
      (1...5).map {
        SearchOutcome(tag: "#\($0)", source: source, server: nil, ending: .cancelled)
      }
    }
    #expect(
      SummaryLines.lines(for: outcomes) == [
        "20 searches were canceled: x, lemmy and 2 more sources"
      ])
    #expect(
      SummaryLines.lines(for: Array(outcomes.prefix(6))) == [
        "6 searches were canceled: x, lemmy"
      ])
  }

  @Test func `A server that names a moment is unavailable until then`() throws {
    let failure = Failure(
      .temporary, status: 503, message: "the server is unavailable (503)",
      until: Samples.now.addingTimeInterval(60))
    let outcome = SearchOutcome(tag: "#a", source: "x", server: nil, ending: .failed(failure))
    #expect(
      SummaryLines.lines(for: [outcome]) == [
        "x: #a: unavailable until 2026-11-20T12:01:00Z: the server is unavailable (503)"
      ])
  }

  @Test func `A search that lacks pages names the moment when they can be had`() throws {
    let failure = Failure(
      .temporary, status: 429, message: "too many requests (429)", advice: "try again later",
      until: Samples.now.addingTimeInterval(60))
    let ending = Ending.partial(
      brokenItems: 0, reason: "the pages after the first are missing", failure: failure)
    let outcome = SearchOutcome(tag: "#a", source: "x", server: nil, ending: ending)
    #expect(
      SummaryLines.lines(for: [outcome]) == [
        "x: #a: incomplete until 2026-11-20T12:01:00Z: the pages after the first are missing: "
          + "too many requests (429): try again later"
      ])
    let line = Samples.written(by: NDJSONPrinter(), [], outcomes: [outcome])
    #expect(line.contains(#""until":"2026-11-20T12:01:00.000Z""#))
  }

  @Test func `A shared line names the latest moment and all broken items`() throws {
    func limited(_ tag: String, _ seconds: Double?) -> SearchOutcome {
      SearchOutcome(
        tag: tag, source: "github", server: nil,
        ending: .rateLimited(
          until: seconds.map { Samples.now.addingTimeInterval($0) },
          failure: Failure(.temporary, message: "slow down")))
    }
    func broken(_ tag: String, _ count: Int) -> SearchOutcome {
      SearchOutcome(
        tag: tag, source: "lemmy", server: nil,
        ending: .partial(brokenItems: count, reason: nil))
    }
    #expect(
      SummaryLines.lines(for: [
        limited("#a", nil), broken("#a", 1), limited("#b", 30.2), broken("#b", 2),
        limited("#c", 10),
      ]) == [
        "github: #a, #b, #c: rate limited until 2026-11-20T12:00:31Z: slow down",
        "lemmy: #a, #b: incomplete: 3 items could not be read",
      ])
    #expect(
      SummaryLines.lines(for: [broken("#a", 1), limited("#a", nil), limited("#b", .infinity)]) == [
        "lemmy: #a: incomplete: 1 item could not be read",
        "github: #a, #b: rate limited: slow down",
      ])
  }

  @Test func `The closing line says what was found and what is missing`() throws {
    let outcomes = try Samples.outcomes()
    let posts = [try Samples.full(), try Samples.bare()]
    #expect(
      SummaryLines.closing(posts, outcomes: outcomes)
        == "2 posts from 2 networks; 3 of 7 searches failed, 1 canceled, 1 skipped")
    #expect(
      SummaryLines.closing([posts[0]], outcomes: Array(outcomes.prefix(2)))
        == "1 post from 1 network")
    #expect(
      SummaryLines.closing([], outcomes: [try failed("#a")]) == "no posts; 1 of 1 search failed")
  }

  @Test func `A note is reported if its search printed no post, or was cut by a default bound`()
    throws
  {
    var outcome = SearchOutcome(
      tag: "a", source: "mastodon", server: nil, ending: .completed(notes: ["no word search"]))
    #expect(SummaryLines.lines(for: [outcome]) == [])
    #expect(
      SummaryLines.lines(for: [outcome], isEmpty: { _ in true })
        == ["mastodon: a: completed: no word search"])
    outcome.isCutByDefault = true
    #expect(SummaryLines.lines(for: [outcome]) == ["mastodon: a: completed: no word search"])
  }

  @Test func `A sentence of a server is followed by advice without its period`() throws {
    let failure = Failure(
      .permanent, status: 403, message: "refused (403): blocked by the server.", advice: "ask it")
    let outcome = SearchOutcome(tag: "a", source: "searxng", server: nil, ending: .failed(failure))
    #expect(
      SummaryLines.lines(for: [outcome])
        == ["searxng: a: refused (403): blocked by the server: ask it"])
  }
}
