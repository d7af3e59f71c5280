import Foundation
import Testing

@Suite struct FeedTests {
  @Test(arguments: ["rss", "atom", "rdf"])
  func `Its documents are well-formed XML`(form: String) async throws {
    try await withSimulator { fixture in
      let response = try await fixture.client.send("/feed/search.\(form)?q=swift")
      #expect(response.status == 200 && response.text.hasPrefix("<?xml "))
      let ends = ["rss": "</rss>", "atom": "</feed>", "rdf": "</rdf:RDF>"]
      #expect(response.text.contains(ends[form] ?? "?"))
    }
  }

  @Test func `Its pages contain each post once, newest first`() async throws {
    try await withSimulator { fixture in
      var items: [JSONTree] = []
      var target = "/feed/search.json?q=swift"
      while true {
        let page = try await fixture.client.send(target).json
        items += page["items"].elements
        guard let next = page["next_url"].string, let path = URLComponents(string: next) else {
          break
        }
        target = "\(path.percentEncodedPath)?\(path.percentEncodedQuery ?? "")"
      }
      #expect(items.count >= 60)
      #expect(Set(items.compactMap { $0["id"].string }).count == items.count)
      let dates = items.compactMap { $0["date_published"].string }
      #expect(dates == dates.sorted(by: >) && dates.count == items.count)
    }
  }

  @Test(arguments: [
    ("search.rss", 400), ("search.yaml?q=a", 404), ("search.rss?q=a&page=0", 400), ("", 404),
    ("other.rss?q=a", 404),
  ])
  func `A missing page is HTML`(target: String, status: Int) async throws {
    try await withSimulator { fixture in
      let response = try await fixture.client.send("/feed/\(target)")
      #expect(response.status == status)
      #expect(response.header("Content-Type")?.hasPrefix("text/html") == true)
    }
  }

  @Test func `All of its addresses are printed`() async throws {
    try await withSimulator { fixture in
      let addresses = fixture.environment["SEARCHAGG_FEED_URL"]?.split(separator: ",") ?? []
      #expect(addresses.count == 5)
      #expect(addresses.contains { $0.hasSuffix("/feed/search.rss?q={query}") })
      #expect(addresses.contains { $0.hasSuffix("/feed/all.atom") })
    }
  }
}
