import QueuedHTTP
import SearchModel
import Testing

@testable import SearchSources

/// The rules of `SourceContractTests` in the other formats that feeds have.
@Suite(.serialized) struct FeedContractTests {
  static let documents = ["search.rss?q={query}", "search.atom?q={query}", "search.rdf?q={query}"]

  @Test(arguments: documents)
  func `Its pages contain each post once, complete`(document: String) async throws {
    try await SimulatedAsking.with("feed", at: "feed/\(document)") { asking in
      let pages = try await asking.walk("#swift", wanted: 30)
      let posts = try pages.flatMap { try $0.page.posts }
      #expect(try pages.allSatisfy { try $0.page.brokenItems == 0 })
      #expect(posts.count >= 40 && Set(posts.map(\.uri)).count == posts.count)
      #expect(pages.count > 1 || document.hasPrefix("search.rdf"))
      for post in posts {
        #expect(post.title != nil && !post.text.isEmpty && post.createdAt != nil)
        #expect(post.url?.hasPrefix("https://blog.example/") == true)
        #expect(post.author.name?.isEmpty == false)
        #expect(post.id.hasPrefix("tag:blog.example"))
      }
    }
  }

  @Test(arguments: documents)
  func `Broken items are counted, and hostile texts stay data`(document: String) async throws {
    try await SimulatedAsking.with("feed", at: "feed/\(document)") { asking in
      let whole = try await asking.page("#swift").page
      let broken = try await asking.page("#swift", fault: "~broken-item").page
      #expect(broken.brokenItems >= 3)
      #expect(broken.posts.count + broken.brokenItems == whole.posts.count)
      let hostile = try await asking.page("#swift", fault: "~hostile").page
      #expect(hostile.brokenItems == 0 && hostile.posts.count == whole.posts.count)
      let texts = hostile.posts.map { "\($0.title ?? "")\($0.text)" }
      for snippet in ["<script>alert(1)</script>", "\u{202E}", "=HYPERLINK("] {
        #expect(texts.contains { $0.contains(snippet) }, "\(snippet)")
      }
      let nothing = try await asking.page("#nothing").page
      #expect(nothing.posts.isEmpty && nothing.brokenItems == 0)
    }
  }

  @Test(arguments: ["json", "rss", "atom", "rdf"])
  func `Releases that share a page and identifiers are posts of their own`(
    form: String
  ) async throws {
    try await SimulatedAsking.with("feed", at: "feed/releases.\(form)?q={query}") { asking in
      let pages = try await asking.walk("releases")
      let posts = try pages.flatMap { try $0.page.posts }
      #expect(posts.count > 40 || form == "rdf")
      #expect(Set(posts.map(\.uri)).count == posts.count && Set(posts.map(\.url)).count == 1)
      for page in pages {
        let dates = try page.page.posts.compactMap(\.createdAt)
        #expect(try dates == dates.sorted(by: >) && dates.count == page.page.posts.count)
      }
    }
  }

  @Test func `A feed without a search is filtered by the query, over its pages`() async throws {
    try await SimulatedAsking.with("feed", at: "feed/all.atom") { asking in
      let pages = try await asking.walk("#libcurl")
      #expect(pages.count == 10)
      #expect(try pages.last?.page.missing == "only the first 10 pages of a feed are read")
      let posts = try pages.flatMap { try $0.page.posts }
      #expect(!posts.isEmpty && posts.allSatisfy { $0.text.contains("#libcurl") })
      #expect(try await asking.page("#nothing at all").page.posts.isEmpty)
    }
  }
}
