import Foundation
import Testing

@Suite struct LemmyTests {
  private static let path = "/lemmy/api/v3/search?q=swift&type_=Posts&sort=New&"

  @Test func `Its pages hold the whole corpus once, newest first`() async throws {
    try await withSimulator { fixture in
      var posts: [JSONTree] = []
      var number = 1
      while true {
        let page = try await fixture.client.send(Self.path + "limit=40&page=\(number)").json
        posts += page["posts"].elements
        if page["posts"].elements.count < 40 { break }
        number += 1
      }
      #expect(posts.count >= 60)
      #expect(Set(posts.compactMap { $0["post"]["ap_id"].string }).count == posts.count)
      let dates = posts.compactMap { $0["post"]["published"].string }
      #expect(dates == dates.sorted(by: >) && dates.count == posts.count)
      #expect(dates.allSatisfy { $0.count == 27 && $0.hasSuffix("Z") })
    }
  }

  @Test(arguments: ["limit=51", "limit=0", "page=0", "page=101", "sort=Newest"])
  func `What it does not know is a 400`(query: String) async throws {
    try await withSimulator { fixture in
      let response = try await fixture.client.send("/lemmy/api/v3/search?q=a&" + query)
      #expect(response.status == 400)
    }
  }

  @Test func `Versions differ in dates, paths and paging`() async throws {
    try await withSimulator { fixture in
      let early = try await fixture.client.send("/lemmy018/api/v3/search?q=a&sort=New").json
      #expect(early["posts"][0]["post"]["published"].string?.hasSuffix("Z") == false)
      #expect(try await fixture.client.send("/lemmy1/api/v3/search?q=a").status == 404)
      let path = "/lemmy1/api/v4/search?search_term=a&type_=posts&limit=10"
      let later = try await fixture.client.send(path).json
      #expect(later["posts"][0]["counts"].isNull)
      #expect(later["posts"][0]["post"]["published_at"].string?.isEmpty == false)
      let cursor = try #require(later["next_page"].string)
      let next = try await fixture.client.send(path + "&page_cursor=" + cursor).json
      #expect(next["posts"][0]["post"]["id"].integer != later["posts"][0]["post"]["id"].integer)
      #expect(try await fixture.client.send(path + "&page_cursor=x").status == 400)
    }
  }

  @Test func `Too much is a 400 with a name, and 429 since 1_0`() async throws {
    try await withSimulator { fixture in
      let early = try await fixture.client.send("/~retry-after=90/lemmy/api/v3/search?q=a")
      #expect(early.status == 400 && early.text == #"{"error":"rate_limit_error"}"#)
      let later = try await fixture.client.send("/~retry-after=90/lemmy1/api/v4/search")
      #expect(later.status == 429 && later.header("retry-after") == "90")
    }
  }
}
