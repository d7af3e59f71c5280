import QueuedHTTP
import SearchEngine
import SearchModel
import SearchSources
import TestSupport
import Testing

/// Searches with random pages: newest first, but for pinned posts and, in some, backdated ones; ties, and
/// posts that several searches find.
struct PagedNetwork: Sendable {
  /// For each search its pages, for each page its posts, as the seconds that are their names.
  let pages: [[[String]]]
  let orders: [PageOrder]
  /// Whether posts share a few links.
  var sharesLinks = false
  /// The seed of the order of responses.
  var arrival: UInt64

  init(seed: UInt64, drawing random: inout SeededRandom) {
    arrival = seed
    let common = (0..<20).map { _ in String(Int.random(in: 0...2000, using: &random)) }
    var pages: [[[String]]] = []
    var orders: [PageOrder] = []
    for search in 0..<Int.random(in: 1...8, using: &random) {
      let width = [5, 100, 2000, 90_000].randomElement(using: &random) ?? 100
      var posts = (0..<Int.random(in: 0...80, using: &random)).map { post in
        "\(Int.random(in: 0...width, using: &random)).\(search)\(post % 7)"
      }
      posts += common.filter { _ in Bool.random(using: &random) }
      posts = Array(Set(posts)).sorted()
      posts.sort { (Double($0) ?? 0, $0) > (Double($1) ?? 0, $1) }
      let order: PageOrder = Int.random(in: 0..<4, using: &random) == 0 ? .approximate : .exact
      if order == .approximate { posts = Self.backdating(posts, drawing: &random) }
      orders.append(order)
      let size = Int.random(in: 1...12, using: &random)
      var list = stride(from: 0, to: posts.count, by: size).map { first in
        Array(posts[first..<min(first + size, posts.count)])
      }
      if !list.isEmpty, Int.random(in: 0..<4, using: &random) == 0 {
        list[0].insert("^\(Int.random(in: 0...width, using: &random)).9", at: 0)
      }
      pages.append(list)
    }
    self.pages = pages
    self.orders = orders
  }

  /// Moves some posts up to where newer ones are, fewer than twenty in a row.
  private static func backdating(
    _ posts: [String], drawing random: inout SeededRandom
  ) -> [String] {
    var late: [String] = []
    var result: [String] = []
    let share = Int.random(in: 1...9, using: &random)
    for post in posts.reversed() {
      if Int.random(in: 0..<10, using: &random) < share {
        late.append(post)
      } else {
        result.append(post)
        let count = min(Int.random(in: 0...19, using: &random), late.count)
        result += late.suffix(count)
        late.removeLast(count)
      }
    }
    return result.reversed()
  }

  /// A plan of all searches, on three servers.
  func plan(cap: Int? = nil) throws -> [PlannedSearch] {
    try pages.indices.map { search in
      var source = CountingSource()
      source.traits.order = orders[search]
      source.sharesLinks = sharesLinks
      return .ask(
        Search(
          query: try #require(Query("s\(search)x")), source: source,
          server: try #require(ServerAddress("http://127.0.0.\(search % 3 + 1):9")), cap: cap))
    }
  }

  /// Responds with the pages in random order.
  func transport() -> ScriptedTransport {
    ScriptedTransport { request throws(HTTPError) in
      let parts = request.url.split(separator: "?").last?.split(separator: "&") ?? []
      let search = parts.first { $0.hasPrefix("q=s") }.flatMap { Int($0.dropFirst(3).dropLast()) }
      let number = parts.first { $0.hasPrefix("cursor=") }.flatMap { Int($0.dropFirst(7)) } ?? 0
      guard let search, pages.indices.contains(search) else { return HTTPResponse(status: 404) }
      for _ in 0..<((search &* 7 &+ number &* 13 &+ Int(arrival % 11)) % 9) { await Task.yield() }
      guard pages[search].indices.contains(number) else {
        return HTTPResponse(status: 200, body: HTTPBody("".utf8))
      }
      let next = number + 1 < pages[search].count ? ";\(number + 1)" : ""
      let text = pages[search][number].joined(separator: " ") + next
      return HTTPResponse(status: 200, body: HTTPBody(text.utf8))
    }
  }
}
