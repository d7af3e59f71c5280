import Foundation
import Testing

@Suite struct YouTubeTests {
  private static let path = "/youtube/youtube/v3/search?part=snippet&type=video&"

  @Test func `Its pages are linked by token, newest first, and may be short`() async throws {
    try await withSimulator { fixture in
      let key = fixture.environment["YOUTUBE_API_KEY"] ?? ""
      var items: [JSONTree] = []
      var counts: Set<Int> = []
      var token = ""
      repeat {
        let page = try await fixture.client.send(
          Self.path + "q=swift&order=date&maxResults=20&key=\(key)\(token)"
        ).json
        items += page["items"].elements
        counts.insert(page["items"].elements.count)
        token = page["nextPageToken"].string.map { "&pageToken=\($0)" } ?? ""
      } while !token.isEmpty
      #expect(items.count >= 50 && counts.count > 1)
      #expect(Set(items.compactMap { $0["id"]["videoId"].string }).count == items.count)
      let dates = items.compactMap { $0["snippet"]["publishedAt"].string?.prefix(19) }
      #expect(dates == dates.sorted(by: >) && dates.count == items.count)
    }
  }

  @Test(arguments: [
    ("q=a", 403, "forbidden"), ("q=a&key=wrong", 400, "badRequest"),
    ("maxResults=51&key=", 400, "invalidParameter"), ("order=new&key=", 400, "invalidParameter"),
    ("pageToken=x&key=", 400, "invalidPageToken"),
    ("publishedAfter=soon&key=", 400, "invalidParameter"),
  ])
  func `Its errors have a reason`(query: String, status: Int, reason: String) async throws {
    try await withSimulator { fixture in
      let key = query.hasSuffix("key=") ? fixture.environment["YOUTUBE_API_KEY"] ?? "" : ""
      let response = try await fixture.client.send(Self.path + query + key)
      #expect(response.status == status)
      #expect(response.json["error"]["errors"][0]["reason"].string == reason)
      #expect(response.json["error"]["code"].integer == status)
    }
  }
}
