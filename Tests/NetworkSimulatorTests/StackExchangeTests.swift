import Foundation
import Testing

@Suite struct StackExchangeTests {
  private static let path =
    "/stackexchange/2.3/search/advanced?order=desc&sort=creation&site=stackoverflow&"

  @Test func `Its pages contain each post once, newest first`() async throws {
    try await withSimulator { fixture in
      var items: [JSONTree] = []
      var hasMore = true
      while hasMore {
        let page = try await fixture.client.send(
          Self.path + "q=swift&pagesize=40&page=\(items.count / 40 + 1)"
        ).json
        items += page["items"].elements
        hasMore = page["has_more"].integer == 1
      }
      #expect(items.count >= 60)
      #expect(Set(items.compactMap { $0["question_id"].integer }).count == items.count)
      let dates = items.compactMap { $0["creation_date"].integer }
      #expect(dates == dates.sorted(by: >) && dates.count == items.count)
      #expect(items.allSatisfy { $0["body"].isNull })
      #expect(items.contains { $0["title"].string?.contains("&quot;") == true })
      let range = "&fromdate=\(dates[9])&todate=\(dates[5])&pagesize=100"
      let chosen = try await fixture.client.send(Self.path + "q=swift" + range).json
      #expect(
        chosen["items"].elements.compactMap { $0["creation_date"].integer }
          == dates[5...9].map(\.self))
    }
  }

  @Test(arguments: [
    "", "q=a&pagesize=101", "q=a&page=26", "q=a&page=0", "q=a&sort=new&", "q=a&key=wrong",
  ])
  func `A bad parameter is a 400 with a number and a name`(query: String) async throws {
    try await withSimulator { fixture in
      let target =
        query.contains("sort")
        ? "/stackexchange/2.3/search/advanced?site=stackoverflow&" + query : Self.path + query
      let response = try await fixture.client.send(target)
      #expect(response.status == 400)
      #expect(response.json["error_id"].integer == 400)
      #expect(response.json["error_name"].string == "bad_parameter")
    }
  }

  @Test func `A key opens further pages, and sites have posts of their own`() async throws {
    try await withSimulator { fixture in
      let key = try #require(fixture.environment["STACKEXCHANGE_KEY"])
      let far = try await fixture.client.send(Self.path + "q=a&page=26&key=" + key)
      #expect(far.status == 200)
      let path = Self.path.replacing("stackoverflow", with: "superuser")
      let own = try await fixture.client.send(path + "tagged=swift").json["items"][0]
      #expect(own["link"].string?.hasPrefix("https://superuser.com/questions/") == true)
      let none = Self.path.replacing("stackoverflow", with: "myspace")
      #expect(try await fixture.client.send(none + "q=a").status == 400)
    }
  }
}
