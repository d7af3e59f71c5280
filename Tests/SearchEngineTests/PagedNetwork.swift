import QueuedHTTP
import SearchEngine
import SearchModel
import SearchSources
import TestSupport
import Testing

/// Searches with random pages: dates that are newest first but for a slack of each, ties, and posts
/// that several searches find.
struct PagedNetwork: Sendable {
  /// For each search its pages, for each page its posts, as the seconds that are their names.
  let pages: [[[String]]]
  let slack: [Double]
  private let seed: UInt64

  init(seed: UInt64, drawing random: inout SeededRandom) {
    self.seed = seed
    let common = (0..<20).map { _ in String(Int.random(in: 0...2000, using: &random)) }
    var pages: [[[String]]] = []
    var slack: [Double] = []
    for search in 0..<Int.random(in: 1...8, using: &random) {
      let width = [5, 100, 2000, 90_000].randomElement(using: &random) ?? 100
      let isInexact = Int.random(in: 0..<4, using: &random) == 0
      slack.append(isInexact ? Double(Int.random(in: 1...width, using: &random)) : 0)
      var posts = (0..<Int.random(in: 0...80, using: &random)).map { post in
        "\(Int.random(in: 0...width, using: &random)).\(search)\(post % 7)"
      }
      posts += common.filter { _ in Bool.random(using: &random) }
      posts = Array(Set(posts)).sorted()
      let off = slack[search]
      var keyed = posts.map { post in
        (post, (Double(post) ?? 0) + Double.random(in: 0...max(off, 0.000_1), using: &random))
      }
      if off == 0 { keyed = posts.map { ($0, Double($0) ?? 0) } }
      keyed.sort { ($0.1, $0.0) > ($1.1, $1.0) }
      let size = Int.random(in: 1...12, using: &random)
      pages.append(
        stride(from: 0, to: keyed.count, by: size).map { first in
          keyed[first..<min(first + size, keyed.count)].map(\.0)
        })
    }
    self.pages = pages
    self.slack = slack
  }

  /// A plan of all searches, on three servers.
  func plan() throws -> [PlannedSearch] {
    try pages.indices.map { search in
      var source = CountingSource()
      source.traits.orderSlack = slack[search]
      return .ask(
        Search(
          query: try #require(Query("s\(search)x")), source: source,
          server: try #require(ServerAddress("http://127.0.0.\(search % 3 + 1):9"))))
    }
  }

  /// Answers with the pages, in an order that nobody can rely on.
  func transport() -> ScriptedTransport {
    ScriptedTransport { request throws(HTTPError) in
      let parts = request.url.split(separator: "?").last?.split(separator: "&") ?? []
      let search = parts.first { $0.hasPrefix("q=s") }.flatMap { Int($0.dropFirst(3).dropLast()) }
      let number = parts.first { $0.hasPrefix("cursor=") }.flatMap { Int($0.dropFirst(7)) } ?? 0
      guard let search, pages.indices.contains(search) else { return HTTPResponse(status: 404) }
      for _ in 0..<((search &* 7 &+ number &* 13 &+ Int(seed % 11)) % 9) { await Task.yield() }
      guard pages[search].indices.contains(number) else {
        return HTTPResponse(status: 200, body: HTTPBody("".utf8))
      }
      let next = number + 1 < pages[search].count ? ";\(number + 1)" : ""
      let text = pages[search][number].joined(separator: " ") + next
      return HTTPResponse(status: 200, body: HTTPBody(text.utf8))
    }
  }
}
