import FoundationEssentials
import QueuedHTTP
import SearchModel
import Testing

@testable import SearchSources

/// Queries with all of the grammar, against the simulated networks: they accept what is sent, and what
/// comes is what was asked for.
@Suite(.serialized) struct SimulatedQueryTests {
  /// The posts of the first pages of a query, as the engine keeps them.
  private func posts(_ query: String, _ asking: SimulatedAsking) async throws -> [Post] {
    var posts: [Post] = []
    var cursor: Cursor?
    for _ in 0..<5 {
      let answered = try await asking.page(query, wanted: 100, cursor: cursor)
      let page = try answered.page
      posts += asking.source.filtered(page, by: answered.asked.split).posts
      cursor = page.next
      if cursor == nil { break }
    }
    return posts
  }

  private func isBy(_ author: AuthorName, _ post: Post) -> Bool {
    [post.author, post.repostedBy].compactMap(\.self).contains { person in
      author.isHandle(person.handle) || person.name.map { AuthorName($0) } == author
    }
  }

  @Test(arguments: Sources.all.map(\.name.rawValue))
  func `No post contains an excluded word`(name: String) async throws {
    try await SimulatedAsking.with(name) { asking in
      let all = try await posts("#swift", asking)
      let word = SearchedText("it just works")
      let some = all.filter { !SearchedText(of: $0).holds(word) }
      #expect(some.count < all.count, "the test proves nothing")
      let kept = try await posts(#"#swift -"it just works""#, asking)
      #expect(!kept.isEmpty)
      #expect(kept.allSatisfy { !SearchedText(of: $0).holds(word) })
    }
  }

  @Test(
    arguments: [
      ("mastodon", "swift"), ("misskey", "swift"), ("misskey", "#swift"), ("arxiv", "swift"),
      ("crossref", "swift"), ("openalex", "swift"), ("europepmc", "swift"), ("gdelt", "swift"),
      ("govuk", "swift"), ("gitlab-issues", "swift"), ("wordpress", "swift"), ("bugzilla", "swift"),
      ("sepiasearch", "swift"), ("launchpad", "swift"),
    ])
  func `Dates sent to a network do not exclude posts between them`(
    name: String, text: String
  ) async throws {
    try await SimulatedAsking.with(name) { asking in
      let query = try #require(Query(text))
      let all = try await asking.walk(query).flatMap { try $0.page.posts }
      let dates = all.compactMap(\.createdAt)
      try #require(dates.count == all.count && all.count > 41)
      // The newest hour alone has many posts, and some bounds are in whole days.
      let (newer, older) = (dates[dates.count / 2], dates[dates.count * 3 / 4])
      let startsOnly: Set = ["bugzilla", "sepiasearch", "launchpad"]
      let ranges: [(Date?, Date?)] = [(nil, newer), (older, nil), (older, newer)]
      for (since, until) in ranges {
        let bounded = try await asking.walk(query, since: since, until: until)
          .flatMap { try $0.page.posts }
        func isWanted(_ post: Post) -> Bool {
          guard let date = post.createdAt else { return false }
          return since.map { date >= $0 } ?? true && until.map { date < $0 } ?? true
        }
        #expect(bounded.filter(isWanted).map(\.uri) == all.filter(isWanted).map(\.uri))
        let isSent = until == nil ? name != "wordpress" : !startsOnly.contains(name)
        #expect(bounded.count < all.count || name == "misskey" || !isSent, "no date was sent")
        if let until, isSent {
          #expect(bounded.first?.createdAt.map { $0 < until + 172_800 } == true)
        }
      }
    }
  }

  @Test(arguments: ["lemmy", "misskey"])
  func `Words are whole words in any order`(name: String) async throws {
    try await SimulatedAsking.with(name) { asking in
      for query in ["swift", "swift works", "swift \"just works\""] {
        let posts = try await posts(query, asking)
        let words = query.split(separator: " ").map { $0.filter { $0 != "\"" } }
        #expect(!posts.isEmpty, "\(query)")
        for word in words.map({ SearchedText($0) }) {
          #expect(posts.allSatisfy { SearchedText(of: $0).holds(word) }, "\(query)")
        }
      }
      // There are posts to filter out.
      let parsed = try #require(Query("swift"))
      let page = try await asking.page("swift", wanted: 100).page
      let judged = asking.source.filtered(
        page, by: asking.source.split(parsed, with: asking.credentials))
      #expect(judged.posts.count < page.posts.count, "the test proves nothing")
    }
  }

  @Test(arguments: Sources.all.map(\.name.rawValue).filter { $0 != "searxng" && $0 != "feed" })
  func `Posts match the wanted author, and not the excluded one`(name: String)
    async throws
  {
    try await SimulatedAsking.with(name) { asking in
      let all = try await posts("#swift", asking)
      let someone = try #require(
        all.first {
          !$0.author.handle.isEmpty && $0.author.handle.contains { $0.isLetter || $0.isNumber }
        })
      let handle = someone.author.handle
      let author = AuthorName(handle)
      let own = try await posts("#swift from:\(handle)", asking)
      #expect(!own.isEmpty)
      #expect(own.allSatisfy { isBy(author, $0) })
      let others = try await posts("#swift -from:\(handle)", asking)
      #expect(!others.isEmpty)
      #expect(others.allSatisfy { !isBy(author, $0) })
    }
  }

  @Test(arguments: EverySource.names)
  func `Posts with a language match the wanted one`(name: String) async throws {
    try await SimulatedAsking.with(name) { asking in
      let posts = try await posts("#swift lang:de", asking)
      #expect(!posts.isEmpty)
      #expect(posts.allSatisfy { $0.language == nil || LanguageTag.primary($0.language) == "de" })
    }
  }

  @Test(arguments: EverySource.names)
  func `Unusual words are accepted, and never act as operators`(name: String) async throws {
    try await SimulatedAsking.with(name) { asking in
      for query in [#"swift c++ a:b OR and (c "d"#, "#swift -x:y -(", "#swift NOT -\"\" \\ é 日本"] {
        let parsed = try #require(Query(query))
        let split = asking.source.split(parsed, with: asking.credentials)
        guard asking.source.skipReason(for: split, with: asking.credentials) == nil else {
          continue
        }
        let page = try await asking.page(query, wanted: 30).page
        #expect(page.brokenItems == 0, "\(query)")
      }
    }
  }
}
