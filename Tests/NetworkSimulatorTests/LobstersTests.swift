import Foundation
import Testing

@Suite struct LobstersTests {
  @Test func `Its pages of 25 contain each post once, newest first`() async throws {
    try await withSimulator { fixture in
      var stories: [JSONTree] = []
      var page = try await fixture.client.send("/lobsters/t/swift.json").json.elements
      while !page.isEmpty {
        stories += page
        let target = "/lobsters/t/swift/page/\(stories.count / 25 + 1).json"
        page = page.count == 25 ? try await fixture.client.send(target).json.elements : []
      }
      #expect(stories.count >= 60)
      #expect(Set(stories.compactMap { $0["short_id"].string }).count == stories.count)
      let dates = stories.compactMap { $0["created_at"].string }
      #expect(dates == dates.sorted(by: >) && dates.allSatisfy { $0.hasSuffix("-05:00") })
    }
  }

  @Test(arguments: [
    "t/nothing.json", "t/two%20words.json", "t/Swift.json", "t/swift/page/0.json", "search.json",
    "t/swift",
  ])
  func `An invalid tag is a 404 in HTML`(path: String) async throws {
    try await withSimulator { fixture in
      let response = try await fixture.client.send("/lobsters/" + path)
      #expect(response.status == 404)
      #expect(response.header("Content-Type")?.hasPrefix("text/html") == true)
    }
  }

  @Test func `Too many requests get plain text`() async throws {
    try await withSimulator { fixture in
      let response = try await fixture.client.send("/~retry-after=90/lobsters/t/swift.json")
      #expect(response.status == 429 && response.text.hasPrefix("Throttled"))
      #expect(response.header("RateLimit-Reset").flatMap { Double($0) } ?? 0 > 1e9)
    }
  }
}
