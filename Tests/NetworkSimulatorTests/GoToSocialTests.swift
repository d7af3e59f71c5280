import Foundation
import Testing

@Suite struct GoToSocialTests {
  private func search(
    _ query: String, _ more: String = "", _ fixture: SimulatorFixture
  ) async throws -> [JSONTree] {
    let encoded = try #require(query.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
    return try await fixture.client.send(
      "/gotosocial/api/v2/search?type=statuses&limit=40&q=\(encoded)\(more)",
      headers: fixture.authorized("MASTODON_ACCESS_TOKEN")
    ).json["statuses"].elements
  }

  /// All that the account can find, page by page.
  private func walk(_ query: String, _ fixture: SimulatorFixture) async throws -> [JSONTree] {
    var posts: [JSONTree] = []
    while true {
      let last = posts.last?["id"].string.map { "&max_id=\($0)" } ?? ""
      let page = try await search(query, last, fixture)
      if page.isEmpty { return posts }
      posts += page
    }
  }

  @Test func `It pages by max_id, and returns nothing for an offset`() async throws {
    try await withSimulator { fixture in
      let posts = try await walk("swift", fixture)
      #expect(posts.count > 40)
      let ids = posts.compactMap { $0["id"].string }
      #expect(ids == Set(ids).sorted(by: >))
      #expect(ids.allSatisfy { $0.count == 26 })
      #expect(try await search("swift", "&offset=1", fixture).isEmpty)
    }
  }

  @Test func `A search is for one text in the posts of the account and the replies to it`()
    async throws
  {
    try await withSimulator { fixture in
      let posts = try await walk("<p>", fixture)
      #expect(
        posts.allSatisfy {
          $0["account"]["acct"].string == "alice1" || !$0["in_reply_to_id"].isNull
        })
      #expect(try await !search("swift concurrency", "", fixture).isEmpty)
      for text in ["concurrency swift", "\"swift concurrency\"", "swift -rust", "swift lang:en"] {
        #expect(try await search(text, "", fixture).isEmpty, "\(text)")
      }
      #expect(try await search("#swift", "", fixture).isEmpty)
      // Its database folds the case of ASCII alone.
      #expect(try await search("überraschung", "", fixture).isEmpty)
      #expect(try await !search("BERRASCHUNG", "", fixture).isEmpty)
      let own = try await search("swift from:alice1", "", fixture)
      #expect(!own.isEmpty && own.allSatisfy { $0["account"]["acct"].string == "alice1" })
    }
  }

  @Test func `A hashtag needs a token, and an unused one is a 404`() async throws {
    try await withSimulator { fixture in
      let path = "/gotosocial/api/v1/timelines/tag/"
      let anonymous = try await fixture.client.send(path + "swift")
      #expect(anonymous.status == 401)
      #expect(anonymous.text == #"{"error":"Unauthorized: token not supplied"}"#)
      let token = fixture.authorized("MASTODON_ACCESS_TOKEN")
      let known = try await fixture.client.send(path + "SwiftLang?limit=3", headers: token)
      #expect(known.json.elements.count == 3)
      #expect(known.header("Link")?.contains("max_id=") == true)
      #expect(known.header("Server") == "gotosocial")
      let unknown = try await fixture.client.send(path + "neverused", headers: token)
      #expect(unknown.status == 404 && unknown.text.contains("tag was not found"))
    }
  }

  @Test func `It names its software, unless a proxy removes that`() async throws {
    try await withSimulator { fixture in
      let document = try await fixture.client.send("/gotosocial/nodeinfo/2.0")
      #expect(document.json["software"]["name"].string == "gotosocial")
      let proxied = try await fixture.client.send("/gotosocial-proxied/nodeinfo/2.0")
      #expect(proxied.header("Server") == nil)
    }
  }

  @Test func `While starting it answers with a page`() async throws {
    try await withSimulator { fixture in
      let answer = try await fixture.client.send("/~status=503/gotosocial/api/v2/search?q=a")
      #expect(answer.status == 503 && answer.header("Retry-After") == "120")
      #expect(answer.text.contains("down for maintenance"))
    }
  }
}
