import QueuedHTTP
import SearchModel
import Testing

@testable import SearchSources

/// Queries with all of the grammar, against the simulated networks: they accept what is sent, and what
/// comes is what was asked for.
@Suite(.serialized) struct SimulatedQueryTests {
  /// The posts of the first pages of a query, as the engine keeps them.
  private func posts(_ query: String, _ asking: SimulatedAsking) async throws -> [Post] {
    let parsed = try #require(Query(query))
    var posts: [Post] = []
    var cursor: Cursor?
    for _ in 0..<5 {
      let answered = try await asking.page(query, wanted: 100, cursor: cursor)
      let page = try answered.page
      posts += asking.source.judged(page, of: parsed, with: answered.asked.credentials).posts
      cursor = page.next
      if cursor == nil { break }
    }
    return posts
  }

  private func isBy(_ author: AuthorName, _ post: Post) -> Bool {
    author.isHandle(post.author.handle) || post.author.name.map { AuthorName($0) } == author
  }

  @Test(arguments: SourceContractTests.names)
  func `Words that are left out are in no post`(name: String) async throws {
    try await SimulatedAsking.with(name) { asking in
      let all = try await posts("#swift", asking)
      let word = SearchedText("it just works")
      let some = all.filter { !SearchedText(of: $0).holds(word) }
      #expect(some.count < all.count, "the test says nothing")
      let kept = try await posts(#"#swift -"it just works""#, asking)
      #expect(!kept.isEmpty)
      #expect(kept.allSatisfy { !SearchedText(of: $0).holds(word) })
    }
  }

  @Test(arguments: SourceContractTests.names.filter { $0 != "searxng" && $0 != "feed" })
  func `The posts of one author are that author's, and those left out are not`(name: String)
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

  @Test(arguments: SourceContractTests.names)
  func `Posts of one language have it, where a language is told`(name: String) async throws {
    try await SimulatedAsking.with(name) { asking in
      let posts = try await posts("#swift lang:de", asking)
      #expect(!posts.isEmpty)
      #expect(posts.allSatisfy { $0.language == nil || LanguageTag.primary($0.language) == "de" })
    }
  }

  @Test(arguments: SourceContractTests.names)
  func `Odd words are accepted, and nothing in them is an operator`(name: String) async throws {
    try await SimulatedAsking.with(name) { asking in
      for query in [#"swift c++ a:b OR and (c "d"#, "#swift -x:y -(", "#swift NOT -\"\" \\ é 日本"] {
        let parsed = try #require(Query(query))
        guard asking.source.reasonToSkip(parsed, with: asking.credentials) == nil else { continue }
        let page = try await asking.page(query, wanted: 30).page
        #expect(page.brokenItems == 0, "\(query)")
      }
    }
  }
}
