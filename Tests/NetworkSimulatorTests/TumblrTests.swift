import Foundation
import Testing

@Suite struct TumblrTests {
  private static let path = "/tumblr/v2/tagged?"

  @Test func `Its pages contain each post once, newest first`() async throws {
    try await withSimulator { fixture in
      let key = fixture.environment["TUMBLR_API_KEY"] ?? ""
      var posts: [JSONTree] = []
      var before = ""
      while true {
        let page = try await fixture.client.send(
          Self.path + "tag=swift&limit=20&api_key=\(key)\(before)"
        ).json["response"].elements
        guard let last = page.last?["timestamp"].integer else { break }
        posts += page
        before = "&before=\(last)"
      }
      #expect(posts.count >= 60)
      #expect(Set(posts.compactMap { $0["id_string"].string }).count == posts.count)
      let moments = posts.compactMap { $0["timestamp"].integer }
      #expect(moments == moments.sorted(by: >) && moments.count == posts.count)
      #expect(posts.contains { $0["body"].string?.hasPrefix("<p>") == true })
      for kind in ["audio", "video"] {
        #expect(posts.contains { $0["type"].string == kind && $0["caption"].string == "" })
      }
      #expect(posts.allSatisfy { $0["date"].string?.hasSuffix(" GMT") == true })
    }
  }

  @Test func `Four headers state two quotas`() async throws {
    try await withSimulator { fixture in
      let key = fixture.environment["TUMBLR_API_KEY"] ?? ""
      let good = try await fixture.client.send(Self.path + "tag=swift&api_key=\(key)")
      let limited = try await fixture.client.send("/~retry-after=90" + Self.path + "tag=a")
      for window in ["Perhour", "Perday"] {
        for name in ["Remaining", "Reset"] {
          #expect(Int(good.header("X-Ratelimit-\(window)-\(name)") ?? "") ?? 0 > 0)
        }
      }
      #expect(limited.status == 429 && limited.header("Retry-After") == nil)
      #expect(limited.header("X-Ratelimit-Perhour-Remaining") == "0")
      #expect(limited.header("X-Ratelimit-Perhour-Reset") == "90")
    }
  }

  @Test(arguments: [
    ("tag=a", 401), ("tag=a&api_key=wrong", 401), ("limit=5&api_key=", 400),
    ("tag=a&limit=21&api_key=", 400), ("tag=a&before=soon&api_key=", 400),
  ])
  func `Errors have an empty response and a message`(query: String, status: Int) async throws {
    try await withSimulator { fixture in
      let key = query.hasSuffix("key=") ? fixture.environment["TUMBLR_API_KEY"] ?? "" : ""
      let response = try await fixture.client.send(Self.path + query + key)
      #expect(response.status == status)
      #expect(response.json["meta"]["status"].integer == status)
      #expect(response.json["response"].elements.isEmpty)
      #expect(response.json["errors"][0]["detail"].string?.isEmpty == false)
    }
  }
}
