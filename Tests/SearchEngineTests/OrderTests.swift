import FoundationEssentials
import SearchEngine
import SearchModel
import SearchSources
import Testing

/// The proof that a search has passed a bound, for each order of posts.
@Suite struct OrderTests {
  private func source(_ order: PageOrder) -> CountingSource {
    var source = CountingSource()
    source.traits.order = order
    return source
  }

  private func since(_ second: Double) -> RunLimits {
    RunLimits(since: Date(timeIntervalSince1970: second))
  }

  /// Posts of one second each, from one to the next.
  private func posts(_ first: Int, _ count: Int) -> String {
    (0..<count).map { "\(first).\(100 + $0)" }.joined(separator: " ")
  }

  @Test func `The first older post that is not pinned ends a search`() async throws {
    let run = Scripted(["": "^1 9 8;b", "b": "^1 7 4;c", "c": "3"], limits: since(5))
    let result = try await run.run(source(.exact))
    #expect(result.ids == ["9", "8", "7"])
    #expect(result.outcome.ending == .completed())
    #expect(run.transport.requests.count == 2)
  }

  @Test func `One wrong date among newer posts ends no search`() async throws {
    let run = Scripted(["": "9 0.5 8;b", "b": "7 4;c", "c": "3"], limits: since(5))
    let result = try await run.run(source(.exact))
    #expect(result.ids == ["9", "8", "7"])
    #expect(result.outcome.ending == .completed())
    #expect(run.transport.requests.count == 2)
  }

  @Test func `In approximate order, twenty older posts in a row end a search`()
    async throws
  {
    let pages = [
      "": "100 3 99;b", "b": "\(posts(1, 19));c", "c": "98;d", "d": "\(posts(2, 12));e",
      "e": "\(posts(4, 8));f", "f": "97",
    ]
    let run = Scripted(pages, limits: since(50))
    let result = try await run.run(source(.approximate))
    #expect(result.ids == ["100", "99", "98"])
    #expect(result.outcome.ending == .completed())
    #expect(run.transport.requests.count == 5)
  }

  @Test func `Where a network sorts by other dates, those end a search`() async throws {
    let new = (0..<25).map { "\(90 - $0)" }.joined(separator: " ")
    let old = (0..<25).map { "\(40 - $0)" }.joined(separator: " ")
    let pages = [
      "": "\(posts(1, 25));b;\(new)", "b": "99 98;c;60 59", "c": "97 \(posts(2, 24));d;\(old)",
      "d": "96",
    ]
    let run = Scripted(pages, limits: since(50))
    let result = try await run.run(source(.approximate))
    // The first page is older by its own dates, as it was imported, and the last one is not.
    #expect(result.ids == ["99", "98", "97"])
    #expect(result.outcome.ending == .completed())
    #expect(run.transport.requests.count == 3)
  }

  @Test func `After a page of more than twenty posts, as many older ones end a search`()
    async throws
  {
    let pages = [
      "": "\(posts(100, 30));b", "b": "\(posts(1, 29));c", "c": "99;d", "d": "\(posts(2, 29));e",
      "e": "3;f", "f": "98",
    ]
    let run = Scripted(pages, limits: since(50))
    let result = try await run.run(source(.approximate))
    #expect(result.ids.count == 31)
    #expect(run.transport.requests.count == 5)
  }

  @Test
  func `Pinned, undated and future posts prove nothing`()
    async throws
  {
    let others = "\(posts(1, 19)) ^2 @3 5000"
    let run = Scripted(["": "\(others);b", "b": "60;c", "c": posts(4, 20)], limits: since(50))
    let result = try await run.run(source(.approximate))
    #expect(result.ids == ["5000", "60"])
    #expect(run.transport.requests.count == 3)
  }

  @Test(arguments: [PageOrder.exact, .approximate])
  func `Posts from the future only fill the places of a cap that others leave`(
    order: PageOrder
  ) async throws {
    let pages = ["": "5000 4999 4998 4997;b", "b": "4996 999 998;c", "c": "997;d", "d": "996"]
    let run = Scripted(pages)
    let result = try await run.run(source(order), cap: 3)
    #expect(result.ids == ["999", "998", "997"] && result.outcome.posts == 3)
    let all = try await Scripted(pages).run(source(order), cap: 7)
    #expect(all.ids == ["5000", "4999", "4998", "999", "998", "997", "996"])
    #expect(all.outcome.ending == .completed())
  }

  @Test(arguments: [nil, 3])
  func `A network without an order is read for ten pages, and says if there is more`(
    newest: Int?
  ) async throws {
    var limits = since(1)
    limits.newest = newest
    let endless = Scripted(limits: limits) { cursor in
      let page = Int(cursor) ?? 0
      return "\(page + 10) \(500 - page);\(page + 1)"
    }
    let result = try await endless.run(source(.unordered))
    let note = "looked at 20 posts; this network cannot sort by date"
    // All posts since a date can be read; which of all are the newest, nobody can say.
    let ending: Ending =
      newest == nil
      ? .partial(brokenItems: 0, reason: "\(note); --max-pages reads more")
      : .completed(notes: [note])
    #expect(result.outcome.ending == ending)
    #expect(endless.transport.requests.count == 10)
    let whole = try await Scripted(["": "1 9;b", "b": "5"], limits: limits)
      .run(source(.unordered))
    #expect(whole.outcome.ending == .completed())
  }

  @Test func `The order that a page states overrides that of its source`() async throws {
    let run = Scripted(["": "~ 9 1;b", "b": "~ 8 2;c", "c": "~ 7"], limits: since(5))
    let result = try await run.run(source(.exact))
    #expect(result.ids == ["9", "8", "7"])
    #expect(result.outcome.ending == .completed())
  }

  @Test(arguments: PageOrder.allCases)
  func `A cap keeps the newest posts`(order: PageOrder) async throws {
    let run = Scripted(["": "@1 3 2 9;b", "b": "5 4 8 @6 7 5000"])
    let result = try await run.run(source(order), cap: 5, isCapDefault: true)
    #expect(result.ids == ["9", "5", "4", "8", "7"])
    #expect(result.outcome.posts == 5)
  }

  @Test(arguments: [true, false])
  func `A search with enough posts of a network without an order says what it looked at`(
    isCapDefault: Bool
  ) async throws {
    let pages = ["": "1 3;b", "b": "9 2;c", "c": "5 4"]
    let sample = try await Scripted(pages)
      .run(source(.unordered), cap: 2, isCapDefault: isCapDefault)
    #expect(Set(sample.ids) == ["3", "1"])
    let note = "looked at 2 posts; this network cannot sort by date"
    #expect(sample.outcome.ending == .completed(notes: [note]))
    let whole = try await Scripted(["": "1 3 9"]).run(source(.unordered), cap: 2)
    #expect(whole.outcome.ending == .completed())
  }
}
