import FoundationEssentials
import PostHistory
import SearchModel
import SearchSources
import TestSupport
import Testing
import TextFormats

@testable import Application
@testable import SearchEngine

/// What counts as new, and what a run leaves for the next one.
@Suite struct NewsRuleTests {
  private let now = Date(timeIntervalSince1970: 1_795_176_000)
  private let mastodon: Search
  private let hackerNews: Search

  init() throws {
    mastodon = try Self.search("mastodon", cap: 20)
    hackerNews = try Self.search("hackernews", cap: 20)
  }

  private static func search(_ name: String, cap: Int?) throws -> Search {
    Search(
      try #require(Query("#swift")),
      at: Endpoint(
        try #require(Sources.named(name)), at: try #require(ServerAddress("http://127.0.0.1:9"))),
      cap: cap, isCapDefault: true)
  }

  private func rule(_ mode: HistoryMode = .new, isFromNow: Bool = false) -> NewsRule {
    NewsRule(mode: mode, now: now, isFromNow: isFromNow)
  }

  private func ago(_ hours: Double) -> Date { now.addingTimeInterval(-hours * 3600) }

  private func post(hoursAgo: Double, _ id: String = "1", isPinned: Bool = false) throws -> Post {
    Post(
      id: id, source: "hackernews", server: try #require(ServerAddress("http://127.0.0.1:9")),
      uri: id, text: "#swift", createdAt: ago(hoursAgo), isPinned: isPinned)
  }

  private func reading(
    _ search: Search, _ posts: [Post] = [], newest: Date? = nil, isCut: Bool = false,
    oldestCut: Date? = nil, hasLookedBack: Bool = false, ending: Ending = .completed()
  ) -> Reading {
    Reading(
      search: search, posts: posts, ending: ending, printedByOthers: [], newest: newest,
      isCut: isCut, oldestCut: oldestCut, hasLookedBack: hasLookedBack)
  }

  private var known: SearchMemory {
    SearchMemory(knownBefore: ago(100), readUpTo: ago(2), lookedBack: ago(2))
  }

  // MARK: First runs

  @Test func `A first run that finds nothing marks its moment`() {
    #expect(
      rule().change(after: reading(hackerNews), nil) { _ in true }
        == MemoryChange(knownBefore: ago(1)))
    #expect(
      rule().change(after: reading(mastodon, hasLookedBack: true), nil) { _ in true }
        == MemoryChange(knownBefore: ago(24), lookedBack: now))
  }

  @Test func `What lies behind the first run of a network that charges was there before`() throws {
    let x = try Self.search("x", cap: 20)
    let posts = [try post(hoursAgo: 0.1, "1"), try post(hoursAgo: 0.4, "2")]
    // Also where nothing of it is printed, as with --from-now.
    for isFromNow in [false, true] {
      let change = rule(isFromNow: isFromNow).change(
        after: reading(x, posts, newest: ago(0.1), isCut: true), nil
      ) { _ in !isFromNow }
      #expect(change?.knownBefore == ago(0.4))
    }
    #expect(rule().change(after: reading(x), nil) { _ in true }?.knownBefore == ago(1))
  }

  @Test func `What the limit drops from a first run does not lower its bound`() throws {
    let posts = [try post(hoursAgo: 0.5, "1"), try post(hoursAgo: 120, "2")]
    let change = rule().change(
      after: reading(hackerNews, posts, newest: ago(0.5), isCut: true), nil
    ) { $0.id == "1" }
    #expect(change == MemoryChange(knownBefore: ago(1), reach: .forth(to: ago(0.5))))
  }

  @Test func `Nothing that a first run has printed is older than its bound`() throws {
    let posts = [
      try post(hoursAgo: 1, "1"), try post(hoursAgo: 30, "2"),
      try post(hoursAgo: 9000, "3", isPinned: true),
    ]
    let change = rule().change(after: reading(hackerNews, posts), nil) { _ in true }
    #expect(change?.knownBefore == ago(30))
    let unordered = try Self.search("searxng", cap: 20)
    #expect(
      rule().change(after: reading(unordered, posts), nil) { _ in true }?.knownBefore == ago(24))
  }

  @Test func `The mark stays where the server has left posts out`() throws {
    let posts = [try post(hoursAgo: 1)]
    var reading = reading(hackerNews, posts, newest: ago(1))
    #expect(
      rule().change(after: reading, known) { _ in true }
        == MemoryChange(reach: .forth(to: ago(1))))
    reading.hasGap = true
    #expect(rule().change(after: reading, known) { _ in true } == MemoryChange())
  }

  @Test func `A first run that was not answered marks nothing`() {
    let failed = Ending.failed(Failure(.temporary, message: "no answer"))
    #expect(rule().change(after: reading(hackerNews, ending: failed), nil) { _ in true } == nil)
  }

  @Test func `A first run reads what may have arrived late, and only prints a sample`() throws {
    let first = rule().adapted(mastodon, after: nil)
    #expect(first.isFirstRun && first.cap == 20 && first.lookBackTo == ago(24))
    #expect(rule().adapted(hackerNews, after: nil).lookBackTo == ago(1))
    // Posts that are charged for are not read for nothing.
    #expect(try rule().adapted(Self.search("x", cap: 20), after: nil).lookBackTo == nil)
    let all = rule(.newAll).adapted(mastodon, after: nil)
    #expect(!all.isFirstRun && all.cap == nil && all.lookBackTo == nil)
  }

  @Test func `From now on, a first run knows everything and prints nothing`() throws {
    let rule = rule(isFromNow: true)
    #expect(rule.adapted(hackerNews, after: nil).cap == 0)
    let unread = PostStatus(isPrinted: false, isRead: false)
    let post = try post(hoursAgo: 0)
    #expect(rule.verdict(on: post, unread, after: nil).novelty == .known)
    #expect(rule.verdict(on: post, unread, after: known).novelty == .new)
  }

  // MARK: Later runs

  @Test func `A post is old, known or new`() throws {
    let unread = PostStatus(isPrinted: false, isRead: false)
    let read = PostStatus(isPrinted: false, isRead: true)
    let printed = PostStatus(isPrinted: true, isRead: true)
    let rule = rule()
    #expect(
      try rule.verdict(on: post(hoursAgo: 101), unread, after: known)
        == PostVerdict(.old, isCovered: true))
    // It arrived late.
    #expect(
      try rule.verdict(on: post(hoursAgo: 99), unread, after: known)
        == PostVerdict(.new, isCovered: false))
    #expect(
      try rule.verdict(on: post(hoursAgo: 3), printed, after: known)
        == PostVerdict(.printed, isRead: true, isCovered: true))
    // A filter left it out.
    #expect(
      try rule.verdict(on: post(hoursAgo: 3), read, after: known)
        == PostVerdict(.new, isRead: true, isCovered: true))
    // A run that was cut has printed it.
    #expect(
      try rule.verdict(on: post(hoursAgo: 1), printed, after: known)
        == PostVerdict(.printed, isRead: true, isCovered: false))
    #expect(
      try self.rule(.newAll).verdict(on: post(hoursAgo: 101), unread, after: known).novelty == .new)
    // That it was read does not show that those behind it were.
    var undated = try post(hoursAgo: 1)
    undated.createdAt = nil
    #expect(
      rule.verdict(on: undated, printed, after: known)
        == PostVerdict(.printed, isRead: true, isCovered: false))
  }

  @Test func `A first run by a clock that was ahead hides no later post`() throws {
    var memory = known
    memory.knownBefore = ago(-24 * 200)
    let unread = PostStatus(isPrinted: false, isRead: false)
    #expect(try rule().verdict(on: post(hoursAgo: 1), unread, after: memory).novelty == .new)
  }

  @Test func `A search that was read as a whole is read up to its newest post`() {
    let change = rule().change(after: reading(hackerNews, newest: ago(0.5)), known) { _ in true }
    #expect(change == MemoryChange(reach: .forth(to: ago(0.5))))
    var rule = rule()
    rule.until = ago(1)
    #expect(
      rule.change(after: reading(hackerNews, newest: ago(0.5)), known) { _ in true }
        == MemoryChange(reach: .forth(to: ago(1).addingTimeInterval(-0.001))))
  }

  @Test func `Nothing that was cut or failed is passed over`() throws {
    let posts = [try post(hoursAgo: 1)]
    let failed = Ending.partial(
      brokenItems: 0, reason: nil, failure: Failure(.temporary, message: "reset"), notes: [])
    for reading in [
      reading(mastodon, posts, newest: ago(0.5), isCut: true, hasLookedBack: true),
      reading(mastodon, posts, newest: ago(0.5), hasLookedBack: true, ending: failed),
    ] {
      #expect(rule().change(after: reading, known) { _ in true } == MemoryChange())
    }
    // The limit of the run has dropped it.
    let whole = reading(mastodon, posts, newest: ago(0.5), hasLookedBack: true)
    #expect(rule().change(after: whole, known) { _ in false } == MemoryChange())
  }

  /// A reading that a bound of the run has ended early.
  private func unfinished(
    _ search: Search, newest: Date, downTo end: Date? = nil, next: Cursor? = nil
  ) -> Reading {
    var reading = reading(search, newest: newest, hasLookedBack: true)
    (reading.isUnfinished, reading.readDownTo, reading.next) = (true, end, next)
    reading.pages = 1
    return reading
  }

  private func left(_ gap: SearchGap, after date: Date? = nil) -> MemoryChange {
    MemoryChange(reach: .gap(gap, after: date))
  }

  @Test func `What a run could not read is left to the next ones, for two days`() {
    let short = unfinished(hackerNews, newest: ago(0.5), downTo: ago(1))
    #expect(
      rule().change(after: short, known) { _ in true }
        == left(SearchGap(since: now, top: ago(0.5))))
    var memory = known
    memory.gap = SearchGap(since: ago(47), top: ago(1.5))
    #expect(
      rule().change(after: short, memory) { _ in true }
        == left(SearchGap(since: ago(47), top: ago(0.5))))
    // What was written since then is not given up with the rest.
    memory.gap = SearchGap(since: ago(48), top: ago(1.5))
    #expect(
      rule().change(after: short, memory) { _ in true }
        == left(SearchGap(since: now, top: ago(0.5)), after: ago(48)))
    let old = unfinished(hackerNews, newest: ago(49))
    #expect(
      rule().change(after: old, memory) { _ in true } == MemoryChange(reach: .forth(to: ago(49))))
    // A run that has read nothing gives nothing up.
    var none = short
    none.pages = 0
    #expect(
      rule().change(after: none, memory) { _ in true }
        == left(SearchGap(since: ago(48), top: ago(0.5))))
    // A first run prints a sample, and a run with dates of its own leaves the gap alone.
    #expect(rule().change(after: short, nil) { _ in true }?.reach == .forth(to: ago(0.5)))
    var dated = rule()
    dated.since = ago(1)
    #expect(
      dated.change(after: reading(hackerNews, newest: ago(0.5)), memory) { _ in true }
        == MemoryChange())
  }

  @Test func `Answers that do not fit are believed when they come again`() throws {
    var odd = reading(mastodon, newest: ago(0.5), hasLookedBack: true)
    (odd.isDoubtful, odd.pages) = (true, 1)
    #expect(
      rule().change(after: odd, known) { _ in true }
        == left(SearchGap(since: now, top: ago(0.5))))
    var memory = known
    memory.gap = SearchGap(since: ago(1), top: ago(1.5))
    #expect(
      rule().change(after: odd, memory) { _ in true }
        == MemoryChange(reach: .forth(to: ago(0.5)), lookedBack: now))
    #expect(rule().change(after: odd, nil) { _ in true }?.reach == .forth(to: ago(0.5)))
    // Where posts cost, only what may be missing is asked for again.
    var paid = reading(try Self.search("x", cap: 20), newest: ago(0.5))
    (paid.isDoubtful, paid.pages, paid.readDownTo) = (true, 1, ago(1))
    #expect(
      rule().change(after: paid, known) { _ in true }
        == left(SearchGap(since: now, top: ago(0.5), end: ago(1))))
  }

  @Test func `A run with dates of its own moves the mark only if it has read all up to it`() {
    let whole = reading(hackerNews, newest: ago(0.5))
    var dated = rule()
    dated.since = ago(3)
    #expect(dated.change(after: whole, known) { _ in true }?.reach == .forth(to: ago(0.5)))
    dated.since = ago(1)
    #expect(dated.change(after: whole, known) { _ in true } == MemoryChange())
  }

  @Test func `Where posts cost, only the gap and what is newer is read`() throws {
    let x = try Self.search("x", cap: 20)
    let short = unfinished(x, newest: ago(0.5), downTo: ago(1))
    #expect(
      rule().change(after: short, known) { _ in true }
        == left(SearchGap(since: now, top: ago(0.5), end: ago(1))))
    var memory = known
    memory.gap = SearchGap(since: ago(3), top: ago(0.5), end: ago(1))
    let search = rule().adapted(x, after: memory)
    let windows = try #require(search.source as? WindowedSource)
    func span(_ first: Date, _ end: Date?) -> DateSpan {
      DateSpan(
        first: Int(first.timeIntervalSince1970), end: end.map { Int($0.timeIntervalSince1970) })
    }
    #expect(windows.spans == [span(ago(0.5), nil), span(ago(2), ago(1))])
    // Once no late post of the newest second is expected, it is not read again.
    memory.gap = SearchGap(since: ago(3), top: ago(1.5), end: ago(1.5))
    let settled = try #require(rule().adapted(x, after: memory).source as? WindowedSource)
    #expect(
      settled.spans == [span(ago(1.5).addingTimeInterval(1), nil), span(ago(2), ago(1.5))])
    memory.gap = SearchGap(since: ago(3), top: ago(0.5), end: ago(1))
    // All that two runs could read is of the newest second.
    var second = known
    second.gap = SearchGap(since: ago(3), top: ago(0.5))
    #expect(
      rule().change(
        after: unfinished(x, newest: ago(0.5), downTo: ago(0.5).addingTimeInterval(1)), second
      ) { _ in true } == left(SearchGap(since: ago(3), top: ago(0.5), end: ago(0.5))))
    // Nothing at all was read of them.
    let nothing = unfinished(search, newest: ago(0.5))
    #expect(
      rule().change(after: nothing, memory) { _ in true }
        == left(SearchGap(since: ago(3), top: ago(0.5), end: ago(1))))
    // Nothing new was there, and the gap is closed: what is behind it was read before.
    #expect(
      rule().change(after: reading(search), memory) { _ in true }?.reach == .forth(to: ago(0.5)))
    // More posts of one second than a run may read.
    var stuck = unfinished(search, newest: ago(0.5), downTo: ago(1))
    stuck.pages = 2
    #expect(
      rule().change(after: stuck, memory) { _ in true }
        == left(
          SearchGap(since: ago(3), top: ago(0.5), end: ago(1).addingTimeInterval(-1))))
    stuck.middle = ago(1.1)
    #expect(
      rule().change(after: stuck, memory) { _ in true }
        == left(SearchGap(since: ago(3), top: ago(0.5), end: ago(1.1))))
    // Where the order is approximate, no window tells how far it has read.
    stuck.readDownTo = ago(1.2)
    #expect(
      rule().change(after: stuck, memory) { _ in true }
        == left(SearchGap(since: ago(3), top: ago(0.5), end: ago(1.2))))
    // What was written since two days ago is left anew.
    memory.gap = SearchGap(since: ago(50), top: ago(1.5), end: ago(1.8))
    #expect(
      rule().change(after: short, memory) { _ in true }
        == left(SearchGap(since: now, top: ago(0.5), end: ago(1)), after: ago(50)))
    memory.gap = SearchGap(since: ago(3), top: ago(0.5), end: ago(1))
    // The first run found nothing, and the newest post is of a moment ago.
    memory.readUpTo = nil
    memory.gap = SearchGap(since: ago(3), top: now, end: ago(1))
    let young = try #require(rule().adapted(x, after: memory).source as? WindowedSource)
    #expect(
      young.spans == [span(now.addingTimeInterval(-60), nil), span(ago(100), ago(1))])
    // A run with dates of its own, a gap beyond the network's reach, and one on a network without costs.
    memory = known
    memory.gap = SearchGap(since: ago(3), top: ago(0.5), end: ago(1))
    var dated = rule()
    dated.since = ago(9)
    #expect(dated.adapted(x, after: memory).source is X)
    #expect(!(rule().adapted(hackerNews, after: memory).source is WindowedSource))
    memory.gap = SearchGap(since: ago(3), top: ago(169), end: ago(170))
    memory.readUpTo = ago(171)
    #expect(rule().adapted(x, after: memory).source is X)
  }

  @Test func `The next run reads down to a late post that was cut`() throws {
    let cut = MemoryChange(reach: .back(to: ago(5).addingTimeInterval(-0.001)))
    let late = reading(hackerNews, newest: ago(0.5), isCut: true, oldestCut: ago(5))
    #expect(rule().change(after: late, known) { _ in true } == cut)
    let dropped = reading(hackerNews, [try post(hoursAgo: 5)], newest: ago(0.5))
    #expect(rule().change(after: dropped, known) { _ in false } == cut)
  }

  @Test func `Once a day a search reads back as far as posts may have arrived since`() {
    func end(lookedBack: Date?) -> Date? {
      let memory = SearchMemory(knownBefore: ago(200), readUpTo: ago(1), lookedBack: lookedBack)
      return rule().adapted(mastodon, after: memory).lookBackTo
    }
    #expect(end(lookedBack: ago(23)) == nil)
    #expect(end(lookedBack: ago(24)) == ago(48))
    #expect(end(lookedBack: ago(100)) == ago(124))
    #expect(end(lookedBack: ago(190)) == ago(200))
    // A state of an earlier version, and a clock that was wrong.
    #expect(end(lookedBack: nil) == ago(25))
    #expect(end(lookedBack: ago(-1)) == ago(24))
    #expect(rule().adapted(hackerNews, after: known).lookBackTo == nil)
  }

  @Test func `A declared network is read back as often as its posts may be late`() throws {
    func lookBack(_ hours: Int, lookedBack: Double) throws -> Date? {
      let text =
        #"{"url": "https://f.example/?q={query}", "fields": {"id": "i", "url": "u", "title": "t"}, "late_hours": \#(hours)}"#
      let source = try Declaration.source(
        "mine", reading: JSONDocument(reading: Array(text.utf8)).root(quotingValues: false))
      let search = Search(
        try #require(Query("a")),
        at: Endpoint(source, at: try #require(ServerAddress("https://f.example"))), cap: nil)
      let memory = SearchMemory(
        knownBefore: ago(200), readUpTo: ago(0.1), lookedBack: ago(lookedBack))
      return rule().adapted(search, after: memory).lookBackTo
    }
    #expect(try lookBack(6, lookedBack: 5) == nil)
    #expect(try lookBack(6, lookedBack: 6) == ago(12))
    #expect(try lookBack(1, lookedBack: 30) == nil)
    #expect(try lookBack(100, lookedBack: 23) == nil)
    #expect(try lookBack(100, lookedBack: 24) == ago(124))
  }

  @Test func `Only a run that looked back says so`() {
    let done = reading(mastodon, newest: ago(0.5), hasLookedBack: true)
    #expect(rule().change(after: done, known) { _ in true }?.lookedBack == now)
    let not = reading(mastodon, newest: ago(0.5))
    #expect(rule().change(after: not, known) { _ in true }?.lookedBack == nil)
  }

  @Test func `After its first run a search has no default cap`() {
    let later = rule().adapted(hackerNews, after: known)
    #expect(later.cap == nil && !later.isCapDefault && later.hasKnownPosts)
    #expect(later.readUpTo == ago(2))
  }
}
