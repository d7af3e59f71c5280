import FoundationEssentials
import QueuedHTTP
import SearchEngine
import SearchModel
import SearchSources
import TestSupport
import Testing

/// A network that stops at a ceiling, asked for one window of dates after the other.
@Suite struct WindowedSourceTests {
  /// A network that filters by date, and shows only the newest posts of a query.
  private struct CeilingSource: Source {
    let name: SourceName = "ceiling"
    var traits: SourceTraits
    /// The seconds of its posts, newest first; a post is named after its place.
    let seconds: [Int]
    let size: Int
    let most: Int
    /// The place of a post that cannot be read.
    var broken: Int?
    /// The seconds of the unit in which the network knows dates.
    var unit = 1

    init(_ seconds: [Int], size: Int, most: Int, order: PageOrder = .exact) {
      self.seconds = seconds
      self.size = size
      self.most = most
      traits = SourceTraits(
        defaultServer: nil, pageSize: 1...100, order: order, filtersByDate: true, ceiling: most,
        attribution: "nobody's")
    }

    func request(for page: PageRequest) throws(Failure) -> HTTPRequest {
      let (since, until) = dates(of: page)
      return HTTPRequest(url: "\(page.server.text)?since=\(since)&until=\(until)")
    }

    /// The dates as the network knows them.
    private func dates(of page: PageRequest) -> (since: Int, until: Int) {
      let since = page.since.map { Int($0.timeIntervalSince1970) } ?? 0
      let until = page.until.map { Int($0.timeIntervalSince1970) } ?? 1_000_000
      return (since / unit * unit, (until + unit - 1) / unit * unit)
    }

    func page(from response: HTTPResponse, to page: PageRequest) throws(SourceFault) -> Page {
      let (since, until) = dates(of: page)
      let all = seconds.enumerated().filter { since <= $1 && $1 < until }
      let skipped = page.cursor.flatMap { Int($0.rawValue) } ?? 0
      let shown = all.prefix(most).dropFirst(skipped).prefix(size)
      var result = Page()
      for (place, second) in shown {
        guard place != broken else {
          result.brokenItems += 1
          continue
        }
        result.posts.append(
          Post(
            id: "\(place)", source: name, server: page.server, uri: "ceiling:\(place)", text: "",
            createdAt: Date(timeIntervalSince1970: Double(second))))
      }
      let end = skipped + shown.count
      if end < min(all.count, most) {
        result.next = Cursor(rawValue: "\(end)")
      } else if all.count > most {
        result.missing = "cut"
      }
      return result
    }
  }

  private static let now = Date(timeIntervalSince1970: 100_000)

  /// Reads pages until the end, or until as many as given; returns the posts and the last page.
  private func read(
    _ source: WindowedSource, atMost pages: Int = .max
  ) throws -> (ids: [String], last: Page, next: Cursor?, asked: Int, gaps: [String]) {
    var page = PageRequest(
      source.split(try #require(Query("a")), with: nil),
      server: try #require(ServerAddress("http://127.0.0.1:9")), now: Self.now)
    var ids: [String] = []
    var asked = 0
    var gaps: [String] = []
    while true {
      let answer = try source.page(from: HTTPResponse(status: 200), to: page)
      asked += 1
      ids += answer.posts.map(\.id)
      if let gap = answer.gap { gaps.append(gap) }
      guard let next = answer.next, asked < pages else {
        return (ids, answer, answer.next, asked, gaps)
      }
      page.cursor = next
      page.pagesBefore += 1
      page.itemsBefore += answer.items
    }
  }

  @Test func `Ten thousand posts behind a ceiling of a thousand take eleven windows`() throws {
    let network = CeilingSource(
      (0..<10_000).map { 90_000 - $0 * 7 }, size: 1000, most: 1000)
    let whole = WindowedSource(network, spans: [DateSpan(first: 0, end: nil)])
    let result = try read(whole)
    #expect(Set(result.ids).count == 10_000)
    #expect(result.last.missing == nil)
    #expect(result.asked == 11)
  }

  @Test(arguments: [
    // Evenly, and half of them on one day of twenty.
    (0..<1136).map { 86_400 - $0 * 76 },
    (0..<568).map { 86_400 - $0 * 7 } + (0..<568).map { 82_080 - $0 * 144 },
  ])
  func `Behind a ceiling in loose order few pages are asked for twice`(seconds: [Int]) throws {
    var seconds = seconds
    for place in stride(from: 1, to: seconds.count, by: 3) { seconds.swapAt(place - 1, place) }
    let network = CeilingSource(seconds, size: 50, most: 500, order: .approximate)
    let result = try read(WindowedSource(network, spans: [DateSpan(first: 0, end: nil)]))
    #expect(Set(result.ids).count == 1136)
    #expect(result.gaps.isEmpty && result.last.missing == nil)
    // 23 pages hold the posts.
    #expect(result.asked <= 50, "\(result.asked)")
  }

  @Test(arguments: [PageOrder.exact, .approximate], 0..<50)
  func `Nothing is lost, nor read again, wherever a run stops`(order: PageOrder, seed: Int) throws {
    var random = SeededRandom(seed: UInt64(seed))
    let count = Int.random(in: 0...400, using: &random)
    let spread = [60, 1000, 80_000].randomElement(using: &random) ?? 60
    var seconds = (0..<count).map { _ in 90_000 - Int.random(in: 0...spread, using: &random) }
    seconds.sort(by: >)
    if order == .approximate {
      // Neighbors change places.
      for place in stride(from: 1, to: seconds.count, by: 3) { seconds.swapAt(place - 1, place) }
    }
    // No second may have more posts than the ceiling.
    let most = Dictionary(grouping: seconds) { $0 }.values.map(\.count).max() ?? 1
    let network = CeilingSource(
      seconds, size: Int.random(in: 1...40, using: &random),
      most: most + Int.random(in: 1...60, using: &random), order: order)
    let whole = DateSpan(first: 5000, end: seed % 2 == 0 ? nil : 95_000)
    var left = [whole]
    var found: Set<String> = []
    while !left.isEmpty {
      let source = WindowedSource(network, spans: left)
      let result = try read(source, atMost: Int.random(in: 1...12, using: &random))
      #expect(result.last.missing == nil)
      found.formUnion(result.ids)
      let complete = source.completeSpans(next: result.next, isExhausted: result.next == nil)
      for (place, second) in seconds.enumerated()
      where complete.contains(where: { $0.first <= second && second < $0.end ?? .max }) {
        #expect(found.contains("\(place)"), "\(place) at \(second) of \(complete)")
      }
      let rest = left.flatMap { $0.subtracting(complete) }
      // Bisecting starts again where nothing was proven.
      if rest == left { found.formUnion(try read(source).ids) }
      left = rest == left ? [] : rest
    }
    #expect(found.count == count)
  }

  @Test(arguments: [PageOrder.exact, .approximate])
  func `A second with more posts than the ceiling is a gap, and what is older is read`(
    order: PageOrder
  ) throws {
    let network = CeilingSource(
      [900, 800, 800, 800, 800, 700, 600], size: 2, most: 2, order: order)
    let source = WindowedSource(network, spans: [DateSpan(first: 0, end: 1000)])
    let result = try read(source)
    #expect(result.gaps == ["cut"])
    #expect(result.last.missing == nil && result.next == nil)
    #expect(Set(result.ids).isSuperset(of: ["0", "5", "6"]))
    // A later run reads it again.
    let before = try read(source, atMost: result.asked - 1)
    let complete = source.completeSpans(next: before.next, isExhausted: false)
    #expect(!complete.contains { $0.first <= 800 })
  }

  @Test(arguments: [PageOrder.exact, .approximate])
  func
    `A day with more posts than the ceiling costs few requests where the network knows only days`(
      order: PageOrder
    ) throws
  {
    let day = 86_400
    let seconds = (0..<6).flatMap { back in
      (0..<(back == 2 ? 9 : 2)).map { (9 - back) * day - 1000 - $0 * 500 }
    }
    var network = CeilingSource(seconds, size: 2, most: 4, order: order)
    network.unit = day
    let source = WindowedSource(network, spans: [DateSpan(first: 0, end: 9 * day + 100)])
    let result = try read(source, atMost: 200)
    #expect(result.asked < 80, "\(result.asked)")
    #expect(!result.gaps.isEmpty && result.next == nil)
    let days = Dictionary(
      grouping: Set(result.ids).compactMap { Int($0).map { seconds[$0] / day } }
    ) { $0 }
    #expect(days.count == 6 && days.values.allSatisfy { $0.count >= 2 }, "\(days)")
  }

  @Test func `A window with an item that cannot be read does not count as complete`() throws {
    var network = CeilingSource((0..<20).map { 900 - $0 }, size: 2, most: 6)
    network.broken = 5
    let source = WindowedSource(network, spans: [DateSpan(first: 0, end: 1000)])
    let result = try read(source, atMost: 8)
    #expect(
      source.completeSpans(next: result.next, isExhausted: false)
        == [DateSpan(first: 898, end: 1000)])
  }

  @Test func `Spans are what others leave of them, newest first`() {
    let whole = DateSpan(first: 10, end: 50)
    #expect(whole.subtracting([]) == [whole])
    #expect(whole.subtracting([DateSpan(first: 0, end: 60)]) == [])
    #expect(
      whole.subtracting([DateSpan(first: 20, end: 30)])
        == [DateSpan(first: 30, end: 50), DateSpan(first: 10, end: 20)])
    #expect(
      DateSpan(first: 10, end: nil).subtracting([DateSpan(first: 10, end: 20)])
        == [DateSpan(first: 20, end: nil)])
    #expect(whole.subtracting([DateSpan(first: 50, end: 60)]) == [whole])
  }
}
