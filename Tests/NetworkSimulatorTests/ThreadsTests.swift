import Foundation
import Testing

@Suite struct ThreadsTests {
  private static let path = "/threads/v1.0/keyword_search?"

  @Test func `Its pages contain each post once, newest first`() async throws {
    try await withSimulator { fixture in
      let token = fixture.environment["THREADS_ACCESS_TOKEN"] ?? ""
      var posts: [JSONTree] = []
      var after = ""
      repeat {
        let page = try await fixture.client.send(
          Self.path + "q=swift&search_type=RECENT&limit=40&fields=timestamp&access_token=\(token)"
            + after
        ).json
        posts += page["data"].elements
        after = page["paging"]["cursors"]["after"].string.map { "&after=\($0)" } ?? ""
      } while !after.isEmpty
      #expect(posts.count >= 60)
      #expect(Set(posts.compactMap { $0["id"].string }).count == posts.count)
      let dates = posts.compactMap { $0["timestamp"].string }
      #expect(dates == dates.sorted(by: >) && dates.allSatisfy { $0.hasSuffix("+0000") })
      #expect(posts.allSatisfy { $0.keys == ["id", "timestamp"] })
    }
  }

  @Test(arguments: [
    ("q=a", 190), ("q=a&access_token=wrong", 190), ("access_token=", 100),
    ("q=a&limit=101&access_token=", 100), ("q=a&search_type=NEW&access_token=", 100),
    ("q=a&after=x&access_token=", 100),
    ("q=a&since=1688540399&access_token=", 100), ("q=a&until=9999999999&access_token=", 100),
  ])
  func `Its errors have a number`(query: String, code: Int) async throws {
    try await withSimulator { fixture in
      let token = query.hasSuffix("token=") ? fixture.environment["THREADS_ACCESS_TOKEN"] ?? "" : ""
      let response = try await fixture.client.send(Self.path + query + token)
      #expect(response.status == 400)
      #expect(response.json["error"]["code"].integer == code)
    }
  }
}
