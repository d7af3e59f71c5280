import Foundation
import PostHistory
import SearchModel
import TestSupport

/// The run's now in these tests: 2026-11-21T12:00:00Z.
let noon = Date(timeIntervalSince1970: 1_795_262_400)

let mastodon = ServerAddress("https://mastodon.example").unsafelyUnwrapped

func key(_ tag: String, _ source: SourceName = "mastodon") -> SearchKey {
  SearchKey(tag: tag, source: source, server: mastodon)
}

func post(
  _ id: String, _ text: String = "about swift", minutesAgo: Double? = 10,
  source: SourceName = "mastodon", author: String = "amy", title: String? = nil,
  language: String? = nil
) -> Post {
  Post(
    id: id, source: source, server: mastodon, url: "https://mastodon.example/@amy/\(id)",
    uri: "https://mastodon.example/\(id)", author: Author(handle: author, name: "Amy"),
    title: title, text: text, createdAt: minutesAgo.map { noon.addingTimeInterval($0 * -60) },
    language: language)
}

extension HistoryStore {
  /// Commits posts of one search, all of them printed.
  func add(_ posts: [Post], tag: String = "swift", at now: Date = noon) throws {
    let source = posts.first?.source ?? "mastodon"
    try commit(
      RunBatch(
        now: now, findings: [.init(search: key(tag, source), posts: posts)],
        printed: Set(posts.map { PostIdentity($0) })))
  }

  /// The identifiers of the posts that a query finds.
  func ids(_ query: String = "", limit: Int? = nil, sources: [SourceName] = []) throws -> [String] {
    let terms = Query(query)?.terms ?? []
    return try posts(matching: HistoryQuery(terms: terms, sources: sources, limit: limit)).map(\.id)
  }
}
