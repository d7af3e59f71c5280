import FoundationEssentials
import QueuedHTTP
import SearchEngine
import SearchModel
import SearchSources
import Testing

/// How far a search reads that earlier runs have read before, and what it leaves for the next run.
@Suite struct KnownPostsTests {
  /// Earlier runs have printed all posts up to a second but some, and read others.
  private struct Memory: PostMemory {
    var printed: ClosedRange<Double> = 0...0
    var late: Set<Double> = []

    func judge(_ posts: [Post], of search: Search) -> [PostVerdict] {
      posts.map { post in
        let second = post.createdAt?.timeIntervalSince1970 ?? 0
        let isKnown = printed.contains(second) && !late.contains(second)
        return PostVerdict(isKnown ? .printed : .new, isRead: isKnown, isCovered: isKnown)
      }
    }
  }

  private func search(
    _ order: PageOrder = .exact, adapt: (inout Search) -> Void = { _ in }
  ) throws -> Search {
    var source = CountingSource()
    source.traits.order = order
    var search = Search(
      query: try #require(Query("a")), source: source,
      server: try #require(ServerAddress("http://127.0.0.1:9")))
    search.hasKnownPosts = true
    adapt(&search)
    return search
  }

  private func read(
    _ search: Search, _ pages: [String: String], _ memory: Memory = Memory(),
    _ limits: RunLimits = RunLimits()
  ) async throws -> (reading: Reading, ids: [String], requests: Int, urls: [String]) {
    let script = Scripted(pages, limits: limits)
    let engine = SearchEngine(
      plan: [.ask(search)], transport: script.transport, limits: limits, now: Scripted.now,
      clock: { Scripted.now }, memory: memory)
    await engine.run()
    let reading = try #require(engine.readings.first)
    let urls = script.transport.requests.map(\.url)
    return (reading, reading.posts.map(\.id), urls.count, urls)
  }

  /// Pages of two posts each, from one second down to another.
  private func pages(from newest: Int, to oldest: Int, size: Int = 2) -> [String: String] {
    var pages: [String: String] = [:]
    var cursor = ""
    for first in stride(from: newest, through: oldest, by: -size) {
      let last = max(first - size + 1, oldest)
      let posts = (last...first).reversed().map(String.init).joined(separator: " ")
      pages[cursor] = last > oldest ? "\(posts);\(last - 1)" : posts
      cursor = String(last - 1)
    }
    return pages
  }

  // MARK: Proof

  @Test func `Known posts of the future do not prove that what follows is known`() async throws {
    let future = Int(Scripted.now.timeIntervalSince1970) + 10_000
    let known = (0..<30).map { String(future - $0) }.joined(separator: " ")
    let memory = Memory(printed: Double(future - 100)...Double(future))
    let found = try await read(
      try search(.approximate), ["": "\(known);500", "500": "500 499"], memory)
    #expect(found.ids == ["500", "499"])
  }

  @Test(arguments: [(nil, 2), (RequestCost(perRequest: 1, unit: "units", defaultBound: 9), 1)])
  func `Where pages cost, twenty known posts in a row are proof`(cost: RequestCost?, requests: Int)
    async throws
  {
    let page = (470...500).reversed().map(String.init).joined(separator: " ")
    let found = try await read(
      try search(.approximate) {
        var source = CountingSource()
        (source.traits.order, source.traits.cost) = (.approximate, cost)
        $0.endpoint = $0.endpoint.with(source)
      }, ["": "\(page);469", "469": "469 468"], Memory(printed: 0...499))
    #expect(found.ids == ["500"])
    #expect(found.requests == requests)
  }

  // MARK: Caps

  @Test(arguments: [nil, RequestCost(perRequest: 1, unit: "units", defaultBound: 12)])
  func `Pages without a match are read until earlier runs have read all, or the run ends`(
    cost: RequestCost?
  ) async throws {
    var limits = RunLimits()
    limits.filter = PostFilter(fewestLikes: 10)
    limits.costs = CostBounds()
    let search = try search {
      var source = CountingSource()
      source.traits.cost = cost
      $0.endpoint = $0.endpoint.with(source)
      $0.readUpTo = Date(timeIntervalSince1970: 50)
      ($0.cap, $0.isCapDefault) = (nil, false)
    }
    let found = try await read(search, pages(from: 100, to: 1), Memory(printed: 0...50), limits)
    #expect(found.reading.isUnfinished == (cost != nil))
    if cost == nil {
      #expect(found.requests == 26 && found.reading.ending == .completed())
    } else {
      let pages = 10
      #expect(found.requests == pages)
      #expect(found.reading.ending.isFailure, "\(found.reading.ending)")
      #expect(found.reading.readDownTo == Date(timeIntervalSince1970: Double(102 - 2 * pages)))
    }
  }

  @Test func `A page that reaches the cap and holds a known post counts as cut`() async throws {
    let found = try await read(
      try search { $0.cap = 2 }, ["": "9 8 7 6 5"], Memory(printed: 0...5))
    #expect(found.ids == ["9", "8"])
    #expect(found.reading.isCut)
    #expect(found.reading.oldestCut == Date(timeIntervalSince1970: 6))
  }

  @Test func `A cap that is just reached cuts nothing`() async throws {
    let found = try await read(
      try search { $0.cap = 2 }, ["": "9 8 5;x", "x": "4"], Memory(printed: 0...5))
    #expect(found.ids == ["9", "8"])
    #expect(!found.reading.isCut)
    let atEnd = try await read(try search { $0.cap = 2 }, ["": "9 8"])
    #expect(!atEnd.reading.isCut)
  }

  @Test func `A cap that leaves pages unread counts as cut`() async throws {
    let found = try await read(try search { $0.cap = 2 }, pages(from: 9, to: 1))
    #expect(found.requests == 1)
    #expect(found.reading.isCut)
  }

  @Test func `A small cap does not make pages small where posts are known`() async throws {
    let found = try await read(try search { $0.cap = 1 }, ["": "9"])
    #expect(found.urls.first?.hasSuffix("wanted=20") == true, "\(found.urls)")
  }

  @Test func `Posts that a limit drops, and pages that it leaves unread, count as cut`()
    async throws
  {
    var limits = RunLimits(newest: 3)
    limits.patience = .seconds(3600)
    let search = try search()
    let found = try await read(search, pages(from: 20, to: 1), Memory(), limits)
    #expect(found.reading.isCut)
    let whole = try await read(search, pages(from: 20, to: 1), Memory(printed: 0...18), limits)
    #expect(whole.ids == ["20", "19"])
    #expect(!whole.reading.isCut)
  }

  // MARK: Filters

  @Test func `Posts that a filter leaves out show how far was read`() async throws {
    var limits = RunLimits()
    limits.filter.languages = ["de"]
    let found = try await read(
      try search(), pages(from: 40, to: 1), Memory(printed: 0...38), limits)
    #expect(found.requests == 2)
    #expect(found.reading.passed.map(\.uri) == ["counting:40", "counting:39"])
    #expect(found.reading.passed.allSatisfy { $0.isFiltered })
  }

  @Test func `A filter that passes nothing gives up after ten pages`() async throws {
    var limits = RunLimits()
    limits.filter.languages = ["de"]
    let found = try await read(try search(), pages(from: 100, to: 1), Memory(), limits)
    #expect(found.requests == 10)
  }

  // MARK: Looking back

  @Test func `A search that looks back finds what arrived late below known posts`() async throws {
    let memory = Memory(printed: 0...18, late: [9])
    let plain = try await read(try search(), pages(from: 20, to: 1), memory)
    #expect(plain.ids == ["20", "19"])
    #expect(!plain.reading.hasLookedBack)
    let looking = try search { $0.lookBackTo = Date(timeIntervalSince1970: 5) }
    let found = try await read(looking, pages(from: 20, to: 1), memory)
    #expect(found.ids == ["20", "19", "9"])
    #expect(found.reading.hasLookedBack && !found.reading.isCut)
    #expect(found.requests == 9)
  }

  @Test func `Looking back ends after ten pages`() async throws {
    let looking = try search { $0.lookBackTo = Date(timeIntervalSince1970: 1) }
    let found = try await read(looking, pages(from: 100, to: 1), Memory(printed: 0...98))
    #expect(found.requests == 12)
    #expect(found.reading.hasLookedBack)
    #expect(found.reading.ending == .completed())
  }

  @Test func `A search that reaches its cap leaves looking back to the next run`() async throws {
    let looking = try search {
      $0.lookBackTo = Date(timeIntervalSince1970: 1)
      $0.cap = 2
    }
    let found = try await read(looking, pages(from: 20, to: 1), Memory(printed: 0...18))
    #expect(found.ids == ["20", "19"])
    #expect(!found.reading.hasLookedBack)
  }

  @Test func `A first run is a sample, and knows what follows`() async throws {
    let first = try search {
      $0.hasKnownPosts = false
      $0.isFirstRun = true
      $0.cap = 3
      $0.lookBackTo = Date(timeIntervalSince1970: 13)
    }
    let found = try await read(first, pages(from: 20, to: 1))
    #expect(found.ids == ["20", "19", "18"])
    #expect(found.reading.passed.map(\.uri).sorted() == (11...17).map { "counting:\($0)" })
    #expect(found.reading.hasLookedBack)
  }

  @Test func `A first run looks back although other searches have the newest posts`() async throws {
    var limits = RunLimits(newest: 2)
    limits.patience = .seconds(3600)
    let first = try search {
      $0.hasKnownPosts = false
      $0.isFirstRun = true
      $0.lookBackTo = Date(timeIntervalSince1970: 13)
    }
    let found = try await read(first, pages(from: 20, to: 1), Memory(), limits)
    #expect(found.reading.hasLookedBack)
    let known = Set(found.reading.posts.map(\.uri) + found.reading.passed.map(\.uri))
    #expect(known.isSuperset(of: (13...20).map { "counting:\($0)" }))
  }

  @Test func `Without an order no known post shows that what follows is known`() async throws {
    let known = (1...30).map(String.init).joined(separator: " ")
    let found = try await read(
      try search(.unordered), ["": "\(known);b", "b": "31 32 33"], Memory(printed: 0...32))
    #expect(found.ids == ["33"])
    #expect(found.requests == 2)
  }

  // MARK: Doubt

  private func doubts(
    _ pages: [String: String], order: PageOrder = .exact, cost: RequestCost? = nil,
    limits: RunLimits = RunLimits(), adapt: (inout Search) -> Void = { _ in }
  ) async throws -> (isDoubtful: Bool, ending: Ending) {
    let search = try search(order) {
      var source = CountingSource()
      (source.traits.order, source.traits.cost) = (order, cost)
      $0.endpoint = $0.endpoint.with(source)
      $0.readUpTo = Date(timeIntervalSince1970: 5)
      adapt(&$0)
    }
    let reading = try await read(search, pages, Memory(printed: 0...5), limits).reading
    return (reading.isDoubtful, reading.ending)
  }

  @Test func `A search that ends before known posts is not believed at once`() async throws {
    let reason = "it ended before what earlier runs have read; posts between may be missing"
    for order in [PageOrder.exact, .approximate] {
      let short = try await doubts(["": "9 8;b", "b": "7 6"], order: order)
      #expect(short == (true, .completed(notes: [reason])))
      let whole = try await doubts(["": "9 8;b", "b": "7 5 4"], order: order)
      #expect(whole == (false, .completed()))
    }
    // An empty page in place of the second.
    #expect(try await doubts(["": "9 8;b", "b": ""]).isDoubtful)
    // Nothing newer was there, or nothing older was asked for.
    #expect(try await doubts(["": ""]) == (false, .completed()))
    let since = RunLimits(since: Date(timeIntervalSince1970: 7))
    #expect(try await doubts(["": "9 8"], limits: since) == (false, .completed()))
    #expect(try await doubts(["": "9 8"], order: .unordered) == (false, .completed()))
    let first = try await doubts(["": "9 8"]) { $0.readUpTo = nil }
    #expect(first == (false, .completed()))
  }

  @Test func `A page that may have come in place of another one is not believed at once`()
    async throws
  {
    let repeated = ["": "9 8;b", "b": "9 8;c", "c": "7 5"]
    #expect(try await doubts(repeated) == (true, .completed()))
    let moved = ["": "9 8;b", "b": "8 7;c", "c": "7 5"]
    #expect(try await doubts(moved) == (false, .completed()))
    let empty = ["": "9 8;b", "b": ";c", "c": "7 5"]
    #expect(try await doubts(empty) == (true, .completed()))
    let cost = RequestCost(perRequest: 1, unit: "units", defaultBound: 9)
    #expect(try await doubts(empty, cost: cost) == (false, .completed()))
    // Behind known posts nothing new is expected.
    let behind = ["": "9 5;b", "b": ";c", "c": "9 5;d", "d": "3"]
    let looking = try await doubts(behind) { $0.lookBackTo = Date(timeIntervalSince1970: 1) }
    #expect(looking == (false, .completed()))
  }

  @Test func `What the server left out is said to be missing`() async throws {
    let whole = try await read(try search(), pages(from: 4, to: 1))
    #expect(!whole.reading.hasGap)
    let found = try await read(try search(), ["": "4 3 ?;b", "b": "2 1"])
    #expect(found.reading.hasGap && found.ids == ["4", "3", "2", "1"])
  }

  @Test func `Without an order a first run reads everything`() async throws {
    let first = try search(.unordered) {
      $0.hasKnownPosts = false
      $0.isFirstRun = true
      $0.cap = 2
      $0.isCapDefault = true
      $0.lookBackTo = Date(timeIntervalSince1970: 900)
    }
    let found = try await read(first, pages(from: 12, to: 1))
    #expect(found.requests == 6)
    #expect(found.reading.ending == .completed())
    #expect(found.reading.posts.count + found.reading.passed.count == 12)
  }
}
