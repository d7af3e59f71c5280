import Foundation
import Testing

@Suite struct SearXNGTests {
  @Test func `Its pages contain each post once, by relevance`() async throws {
    try await withSimulator { fixture in
      var results: [JSONTree] = []
      var page: [JSONTree] = []
      repeat {
        let target = "/searxng/search?q=swift&format=json&pageno=\(results.count / 20 + 1)"
        // A fact has no address, and counts for none.
        page = try await fixture.client.send(target).json["results"].elements
          .filter { !$0["url"].isNull }
        results += page
      } while page.count == 20
      #expect(results.count >= 60)
      #expect(Set(results.compactMap { $0["url"].string }).count == results.count)
      #expect(results.contains { $0["publishedDate"].isNull })
      let target = "/searxng/search?q=swift&format=json&time_range=day"
      let recent = try await fixture.client.send(target).json["results"].elements
      #expect(!recent.isEmpty && recent.count <= 21)
    }
  }

  @Test func `Failed engines are named, with or without results`() async throws {
    try await withSimulator { fixture in
      for (query, hasResults, engines) in [
        ("swift", true, 1), ("unresponsive", false, 2), ("nothing", false, 0),
      ] {
        let answer = try await fixture.client.send("/searxng/search?q=\(query)&format=json").json
        #expect(!answer["results"].elements.isEmpty == hasResults)
        #expect(answer["unresponsive_engines"].elements.count == engines)
      }
    }
  }

  @Test(arguments: [
    ("q=a&format=yaml", 403), ("format=json", 400), ("q=a&format=json&pageno=0", 400),
    ("q=a&format=json&time_range=decade", 400),
  ])
  func `Its errors are HTML`(query: String, status: Int) async throws {
    try await withSimulator { fixture in
      let response = try await fixture.client.send("/searxng/search?" + query)
      #expect(response.status == status)
      #expect(response.header("Content-Type")?.hasPrefix("text/html") == true)
    }
  }
}
