import Foundation
import Testing

@Suite struct DevToTests {
  private static let path = "/devto/api/articles?tag=swift"

  @Test func `Its pages contain each post once, by activity`() async throws {
    try await withSimulator { fixture in
      var articles: [JSONTree] = []
      var page: [JSONTree] = []
      repeat {
        let target = Self.path + "&per_page=40&page=\(articles.count / 40 + 1)"
        page = try await fixture.client.send(target).json.elements
        articles += page
      } while page.count == 40
      #expect(articles.count >= 60)
      #expect(Set(articles.compactMap { $0["id"].integer }).count == articles.count)
      let likes = articles.compactMap { $0["public_reactions_count"].integer }
      #expect(likes == likes.sorted(by: >) && likes.count == articles.count)
      let whole = try await fixture.client.send(Self.path + "&per_page=5000").json.elements
      #expect(whole.count == articles.count)
      let recent = try await fixture.client.send(Self.path + "&per_page=1000&top=2").json.elements
      #expect(!recent.isEmpty && recent.count < whole.count)
    }
  }

  @Test func `With a tag it ignores excluded tags`() async throws {
    try await withSimulator { fixture in
      let all = try await fixture.client.send(Self.path).text
      #expect(try await fixture.client.send(Self.path + "&tags_exclude=programming").text == all)
    }
  }

  @Test func `No article has an invalid tag`() async throws {
    try await withSimulator { fixture in
      for tag in ["nothing", "two%20words", "Swift"] {
        let response = try await fixture.client.send("/devto/api/articles?tag=\(tag)")
        #expect(response.text == "[]")
      }
    }
  }
}
