import Foundation
import PostHistory
import SearchModel
import TestSupport
import Testing

/// The stores find the same posts, whatever is asked.
@Suite(.enabled(if: PostgresServer.isInstalled, "PostgreSQL is not installed"))
struct RandomQueryTests {
  private static let words = [
    "swift", "Swift", "race", "data_race", "C++", "café", "Cafe", "naïve", "Straße", "STRASSE",
    "東京", "東京都庁", "京都", "へ", "한국어", "ΟΔΟΣ", "οδός", "v2", "2.0", "can't", "re-use", "🎉",
    "#swift", "#Café", "#東京", "#data_race", "don’t", "e\u{301}tude", "ﬁne", "Ünlü", "и", "йод",
    "ไทย", "x", "a.b", "foo/bar", "@amy",
  ]
  private static let authors = ["amy", "Bob@b.example", "123", "東", "a_b"]

  private static func post(_ number: Int, _ random: inout SeededRandom) -> Post {
    let count = Int.random(in: 0...7, using: &random)
    let text = (0..<count).map { _ in words.randomElement(using: &random) ?? "" }
      .joined(separator: [" ", "\n", ", ", "-"].randomElement(using: &random) ?? " ")
    let minutes = Double(number) + 0.25
    return Post(
      id: "\(number)", source: Bool.random(using: &random) ? "mastodon" : "rss", server: mastodon,
      url: nil, uri: "https://mastodon.example/\(number)",
      author: Author(
        handle: authors.randomElement(using: &random) ?? "",
        name: Bool.random(using: &random) ? "Amy Smith" : nil),
      title: Int.random(in: 0..<4, using: &random) == 0
        ? words.randomElement(using: &random) : nil,
      text: text,
      createdAt: Int.random(in: 0..<20, using: &random) == 0
        ? nil : noon.addingTimeInterval(-60 * minutes),
      language: ["en", "de-AT", "ja", nil].randomElement(using: &random) ?? nil,
      topics: Int.random(in: 0..<5, using: &random) == 0
        ? [words.randomElement(using: &random) ?? ""] : [],
      visibility: Int.random(in: 0..<9, using: &random) == 0 ? .private : nil)
  }

  private static func term(_ random: inout SeededRandom) -> QueryTerm {
    let word = words.randomElement(using: &random) ?? ""
    var term =
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<5: QueryTerm(.word, word)
      case 5: QueryTerm(.phrase, "\(word) \(words.randomElement(using: &random) ?? "")")
      case 6, 7: QueryTerm(.tag, word.hasPrefix("#") ? String(word.dropFirst()) : word)
      case 8: QueryTerm(.author, authors.randomElement(using: &random) ?? "")
      default: QueryTerm(.language, ["en", "de", "fr"].randomElement(using: &random) ?? "en")
      }
    term.isExcluded = Int.random(in: 0..<5, using: &random) == 0
    return term
  }

  private static func query(_ random: inout SeededRandom) -> HistoryQuery {
    let count = Int.random(in: 0...2, using: &random)
    var query = HistoryQuery(terms: (0...count).map { _ in term(&random) })
    if Int.random(in: 0..<4, using: &random) == 0 { query.sources = ["rss"] }
    if Int.random(in: 0..<4, using: &random) == 0 { query.tags = ["one"] }
    if Int.random(in: 0..<4, using: &random) == 0 {
      query.since = noon.addingTimeInterval(-60 * Double.random(in: 0...400, using: &random))
    }
    if Int.random(in: 0..<4, using: &random) == 0 {
      query.until = noon.addingTimeInterval(-60 * Double.random(in: 0...400, using: &random))
    }
    query.includesPrivate = Bool.random(using: &random)
    if Int.random(in: 0..<6, using: &random) == 0 { query.muted = [AuthorName("amy")] }
    return query
  }

  @Test func `500 random queries have the same answers, in the same order`() throws {
    let folder = try Folder()
    defer { folder.remove() }
    var random = SeededRandom(seed: 24)
    let posts = (0..<400).map { Self.post($0, &random) }
    let stores = try Store.allCases.map { try $0.open(in: folder) }
    for store in stores {
      for (tag, part) in [("one", posts[..<250]), ("two", posts[150...])] {
        for source in ["mastodon", "rss"] as [SourceName] {
          try store.add(part.filter { $0.source == source }, tag: tag)
        }
      }
    }
    var found = 0
    for number in 0..<500 {
      let query = Self.query(&random)
      let answers = try stores.map { store in
        var leftOut = 0
        let posts = try store.posts(matching: query, leavingOut: &leftOut)
        let statistics = try store.statistics(of: query) { "\(Int($0.timeIntervalSince1970))" }
        // Posts without a date have no order.
        return (
          posts.filter { $0.createdAt != nil }, Set(posts.filter { $0.createdAt == nil }), leftOut,
          statistics
        )
      }
      #expect(answers[0] == answers[1], "query \(number): \(query)")
      found += answers[0].0.count
    }
    // Most queries find something.
    #expect(found > 5000)
  }
}
