import Foundation
import Testing

@Suite struct RedditTests {
  private func logIn(
    _ fixture: SimulatorFixture, secret: String? = nil
  ) async throws -> RawResponse {
    let id = fixture.environment["REDDIT_CLIENT_ID"] ?? ""
    let secret = secret ?? fixture.environment["REDDIT_CLIENT_SECRET"] ?? ""
    let pair = Data("\(id):\(secret)".utf8).base64EncodedString()
    return try await fixture.client.send(
      "/reddit/api/v1/access_token", method: "POST", headers: ["Authorization": "Basic \(pair)"],
      body: "grant_type=client_credentials")
  }

  @Test func `Its pages contain each post once, newest first`() async throws {
    try await withSimulator { fixture in
      let token = try await logIn(fixture).json["access_token"].string ?? ""
      var posts: [JSONTree] = []
      var after = ""
      repeat {
        let page = try await fixture.client.send(
          "/reddit/search?q=swift&sort=new&limit=40\(after)",
          headers: ["Authorization": "Bearer \(token)"]
        ).json["data"]
        posts += page["children"].elements.map { $0["data"] }
        after = page["after"].string.map { "&after=\($0)" } ?? ""
      } while !after.isEmpty
      #expect(posts.count >= 60)
      #expect(Set(posts.compactMap { $0["name"].string }).count == posts.count)
      let dates = posts.compactMap { $0["created_utc"].integer }
      #expect(dates == dates.sorted(by: >) && dates.count == posts.count)
      #expect(posts.contains { $0["title"].string?.contains("&lt;") == true })
    }
  }

  @Test func `A listing ends at 250 posts`() async throws {
    try await withSimulator { fixture in
      let token = try await logIn(fixture).json["access_token"].string ?? ""
      var count = 0
      var after = ""
      repeat {
        let page = try await fixture.client.send(
          "/reddit/search?q=plenty&sort=new&limit=100\(after)",
          headers: ["Authorization": "Bearer \(token)"]
        ).json["data"]
        count += page["children"].elements.count
        after = page["after"].string.map { "&after=\($0)" } ?? ""
      } while !after.isEmpty
      #expect(count == 250)
    }
  }

  @Test func `A request needs a session, and a wrong secret opens none`()
    async throws
  {
    try await withSimulator { fixture in
      let anonymous = try await fixture.client.send("/reddit/search?q=swift")
      #expect(anonymous.status == 403 && anonymous.text.contains("Blocked"))
      let wrong = try await fixture.client.send(
        "/reddit/search?q=swift", headers: ["Authorization": "Bearer 0-1-wrong"])
      #expect(wrong.status == 401 && wrong.json["error"].integer == 401)
      #expect(try await logIn(fixture, secret: "wrong").status == 401)
    }
  }

  @Test func `A rate limit states the remaining seconds`() async throws {
    try await withSimulator { fixture in
      let response = try await fixture.client.send("/~retry-after=90/reddit/search?q=a")
      #expect(response.status == 429)
      #expect(response.header("X-Ratelimit-Reset") == "90")
      #expect(response.header("X-Ratelimit-Remaining") == "0.0")
    }
  }
}
