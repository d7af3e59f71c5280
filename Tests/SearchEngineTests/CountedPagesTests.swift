import QueuedHTTP
import SearchEngine
import SearchModel
import SearchSources
import Synchronization
import Testing
import TextFormats

/// Declared networks that count their posts, and whose pages are smaller than requested, or empty in the middle.
struct CountedPagesTests {
  /// A network with its own size of a page, whatever is requested.
  private struct Network: Sendable {
    var posts = 60
    var size = 10
    /// The number of posts that it says it has.
    var total: Int? = 60
    /// The first posts of the pages that are empty.
    var gaps: Set<Int> = []
    /// True if there is a ceiling of 1000 posts.
    var hasCeiling = false
    /// True if it filters posts after paging, and says so.
    var isFiltered = false

    func answer(at start: Int) -> String {
      let page = gaps.contains(start) ? 0..<0 : min(start, posts)..<min(start + size, posts)
      let items = page.map { #"{"id": \#($0), "text": "a \#($0)"}"# }.joined(separator: ",")
      return #"{"items": [\#(items)]\#(total.map { ", \"total\": \($0)" } ?? "")}"#
    }
  }

  private struct Found {
    /// The values of the parameter that names the page.
    let asked: [Int]
    let posts: Int
    let ending: Ending

    var reason: String? {
      guard case .partial(_, let reason, _, _) = ending else { return nil }
      return reason
    }

    var isComplete: Bool { if case .completed = ending { true } else { false } }
  }

  /// Searches a network whose pages are named by `page` or `offset`.
  private func search(_ network: Network, by way: String) async throws -> Found {
    let page =
      [
        network.total == nil ? nil : #""total": "total""#,
        network.hasCeiling ? #""ceiling": 1000"# : nil,
        network.isFiltered ? #""filtered": true"# : nil,
      ].compactMap(\.self).joined(separator: ", ")
    let declaration = """
      {"url": "http://127.0.0.1:9/s?q={query}&at={\(way)}", "items": "items", "page": {\(page)},
       "newest_first": true, "fields": {"id": "id", "text": "text"}}
      """
    let source = try Declaration.source(
      "forum",
      reading: try JSONDocument(reading: Array(declaration.utf8)).root(
        quotingValues: true))
    let log = Mutex<[Int]>([])
    let transport = ScriptedTransport { request throws(HTTPError) in
      let at = request.url.split(separator: "at=").last.flatMap { Int($0) } ?? 0
      log.withLock { $0.append(at) }
      let start = way == "page" ? (at - 1) * network.size : at
      return HTTPResponse(status: 200, body: HTTPBody(network.answer(at: start).utf8))
    }
    let search = Search(
      query: try #require(Query("a")), source: source,
      server: try #require(ServerAddress("http://127.0.0.1:9")), cap: 500)
    let findings = await Scripted(limits: RunLimits(), transport: transport).run([.ask(search)])
    return Found(
      asked: log.withLock { $0 }, posts: findings.found.flatMap(\.posts).count,
      ending: try #require(findings.outcomes.first?.ending))
  }

  @Test(arguments: [("page", [1, 2, 3, 4, 5, 6]), ("offset", [0, 10, 20, 30, 40, 50])])
  func `An empty page in the middle is followed, and its posts are missing`(
    way: String, asked: [Int]
  ) async throws {
    let found = try await search(Network(gaps: [20]), by: way)
    #expect(found.asked.prefix(6) == asked[...] && found.asked.count <= 7)
    #expect(found.posts == 50)
    #expect(found.reason == "the network counts 60 posts, and returned 50")
  }

  @Test(arguments: ["page", "offset"])
  func `Pages that are smaller than requested are read to the last`(way: String) async throws {
    for total in [60, nil] {
      let found = try await search(Network(total: total), by: way)
      #expect(found.posts == 60 && found.isComplete)
      #expect(found.asked.count == (total == nil ? 7 : 6))
    }
  }

  @Test(arguments: ["page", "offset"])
  func `The first page may be empty, too`(way: String) async throws {
    let found = try await search(Network(gaps: [0]), by: way)
    #expect(found.reason != nil && found.posts > 0)
  }

  @Test(arguments: ["page", "offset"])
  func `A total that is too large ends the search after few empty pages`(
    way: String
  ) async throws {
    let found = try await search(Network(posts: 20), by: way)
    #expect(found.posts == 20 && found.asked.count <= 8)
    #expect(found.reason == "the network counts 60 posts, and returned 20")
    let endless = try await search(Network(posts: 20, total: 1_000_000), by: way)
    #expect(endless.posts == 20 && endless.asked.count <= 12 && endless.reason != nil)
  }

  @Test(arguments: ["page", "offset"])
  func `A total below the number of posts received means nothing`(way: String) async throws {
    for total in [0, -1, 5, 15] {
      let found = try await search(Network(total: total), by: way)
      #expect(found.posts == 60 && found.isComplete, "\(total)")
    }
  }

  @Test(arguments: ["page", "offset"])
  func `A ceiling counts the posts that pages have, not those requested`(
    way: String
  ) async throws {
    for total in [300, nil] {
      let found = try await search(Network(posts: 300, total: total, hasCeiling: true), by: way)
      #expect(found.posts == 300 && found.isComplete)
    }
  }

  @Test func `A network that filters its pages need not show all that it counts`() async throws {
    let found = try await search(Network(posts: 55, isFiltered: true), by: "page")
    #expect(found.posts == 55 && found.isComplete)
  }
}
