import Foundation
import Testing

@Suite struct LemmyTests {
  private static let path = "/lemmy/api/v3/search?q=swift&type_=Posts&sort=New&"

  @Test func `Its pages contain each post once, newest first after the pinned posts`()
    async throws
  {
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
      let others = posts.drop { $0["post"]["featured_local"].boolean == true }
      #expect(others.count < posts.count)
      #expect(others.allSatisfy { $0["post"]["featured_local"].boolean == false })
      let dates = others.compactMap { $0["post"]["published"].string }
      #expect(dates == dates.sorted(by: >) && dates.count == others.count)
      #expect(dates.allSatisfy { $0.count == 27 && $0.hasSuffix("Z") })
    }
  }

  @Test(arguments: ["limit=51", "limit=0", "page=0", "page=101", "sort=Newest"])
  func `An unknown parameter is a 400`(query: String) async throws {
    try await withSimulator { fixture in
      let response = try await fixture.client.send("/lemmy/api/v3/search?q=a&" + query)
      #expect(response.status == 400)
    }
  }

  @Test func `Versions differ in dates, paths and paging`() async throws {
    try await withSimulator { fixture in
      let early = try await fixture.client.send("/lemmy018/api/v3/search?q=a&sort=New").json
      #expect(early["posts"][0]["post"]["published"].string?.hasSuffix("Z") == false)
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

  @Test(arguments: [("lemmy", "0.19.20"), ("lemmy018", "0.18.5"), ("lemmy1", "1.0.0-beta.1")])
  func `A server names its version`(name: String, version: String) async throws {
    try await withSimulator { fixture in
      let site = try await fixture.client.send("/\(name)/api/v3/site").json
      #expect(site["version"].string == version)
      let list = try await fixture.client.send("/\(name)/.well-known/nodeinfo").json
      let address = try #require(list["links"][0]["href"].string)
      let path = try #require(URL(string: address)?.path)
      let document = try await fixture.client.send(path).json
      #expect(document["software"]["name"].string == "lemmy")
      #expect(document["software"]["version"].string == version)
    }
  }

  @Test func `1_0 reads only the words of a search by API v3`() async throws {
    try await withSimulator { fixture in
      let path = "/lemmy1/api/v3/search?q=swift&type_=Posts&sort=New"
      let first = try await fixture.client.send(path + "&limit=5&page=1")
      #expect(first.json["posts"].elements.count == 20)
      #expect(first.json["posts"][0]["counts"]["score"].integer != nil)
      #expect(try await fixture.client.send(path + "&limit=50&page=3").text == first.text)
      let dates = first.json["posts"].elements.compactMap { $0["post"]["published"].string }
      #expect(dates != dates.sorted(by: >))
    }
  }

  @Test func `Words are found within longer ones`() async throws {
    try await withSimulator { fixture in
      let posts = try await fixture.client.send(Self.path + "limit=50").json["posts"].elements
      let texts = posts.compactMap { $0["post"]["body"].string }.filter { !$0.isEmpty }
      #expect(texts.contains { $0.contains("unswifting") && !$0.contains("#swift") })
    }
  }

  @Test func `Too many requests are a 400 with a name, or a 429 since 1_0`() async throws {
    try await withSimulator { fixture in
      let early = try await fixture.client.send("/~retry-after=90/lemmy/api/v3/search?q=a")
      #expect(early.status == 400 && early.text == #"{"error":"rate_limit_error"}"#)
      let later = try await fixture.client.send("/~retry-after=90/lemmy1/api/v4/search")
      #expect(later.status == 429 && later.header("retry-after") == "90")
    }
  }
}
