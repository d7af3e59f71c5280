import Foundation
import Testing

@Suite struct MastodonTests {
  /// Returns the target of a relation of the `Link` header.
  private func link(_ relation: String, of response: RawResponse) -> String? {
    let parts = response.header("Link")?.components(separatedBy: ", ") ?? []
    guard let part = parts.first(where: { $0.hasSuffix("rel=\"\(relation)\"") }) else { return nil }
    let address = part.dropFirst().prefix { $0 != ">" }
    return URL(string: String(address)).map { $0.path + "?" + ($0.query ?? "") }
  }

  private func walk(_ server: String, _ fixture: SimulatorFixture) async throws -> [JSONTree] {
    var statuses: [JSONTree] = []
    var target: String? = "/\(server)/api/v1/timelines/tag/swift?limit=30"
    while let next = target {
      let response = try await fixture.client.send(next)
      statuses += response.json.elements
      // The last page has a next one, which is empty and has no links.
      #expect((response.header("Link") == nil) == response.json.elements.isEmpty)
      target = link("next", of: response)
    }
    return statuses
  }

  @Test func `Its pages contain each post once, newest first`() async throws {
    try await withSimulator { fixture in
      let statuses = try await walk("mastodon", fixture)
      let ids = statuses.compactMap { $0["id"].string.flatMap { UInt64($0) } }
      #expect(ids.count == statuses.count && ids.count >= 40)
      #expect(ids == Set(ids).sorted(by: >))
      let dates = statuses.compactMap { $0["created_at"].string }
      #expect(dates == dates.sorted(by: >))
      #expect(statuses.allSatisfy { $0["content"].string?.contains("#<span>swift</span>") == true })
    }
  }

  @Test func `Posts on two servers have only their uri in common`() async throws {
    try await withSimulator { fixture in
      let first = try await walk("mastodon", fixture)
      let second = try await walk("mastodon2", fixture)
      let uris = Set(first.compactMap { $0["uri"].string })
      let shared = second.filter { uris.contains($0["uri"].string ?? "") }
      #expect(shared.count > 20 && shared.count < second.count)
      let ids = Set(first.compactMap { $0["id"].string })
      let sharedIDs = shared.filter { ids.contains($0["id"].string ?? "") }
      #expect(sharedIDs.count < shared.count / 10)
    }
  }

  @Test func `The limit is silently capped at 40`() async throws {
    try await withSimulator { fixture in
      let path = "/mastodon/api/v1/timelines/tag/swift"
      let capped = try await fixture.client.send(path + "?limit=400").json.elements
      #expect(capped.count == 40)
      let standard = try await fixture.client.send(path).json.elements
      #expect(standard.count == 20)
      let unknown = try await fixture.client.send(path + "?max_id=nonsense")
      #expect(unknown.text == "[]")
    }
  }

  @Test func `The page just above an id is not the newest one`() async throws {
    try await withSimulator { fixture in
      let path = "/mastodon/api/v1/timelines/tag/swift?"
      let all = try await fixture.client.send(path + "limit=40").json.elements
      let id = try #require(all[30]["id"].string)
      let above = try await fixture.client.send(path + "limit=5&min_id=\(id)").json.elements
      #expect(above.compactMap { $0["id"].string } == all[25..<30].compactMap { $0["id"].string })
      let newest = try await fixture.client.send(path + "limit=5&since_id=\(id)").json.elements
      #expect(newest.compactMap { $0["id"].string } == all[..<5].compactMap { $0["id"].string })
    }
  }

  @Test func `A search needs a token to find anything`() async throws {
    try await withSimulator { fixture in
      let path = "/mastodon/api/v2/search?type=statuses&q="
      let anonymous = try await fixture.client.send(path + "swift")
      #expect(anonymous.status == 200)
      #expect(anonymous.json["statuses"].elements.isEmpty)
      let token = fixture.authorized("MASTODON_ACCESS_TOKEN")
      let first = try await fixture.client.send(path + "swift&limit=40", headers: token)
      #expect(first.json["statuses"].elements.count == 40)
      #expect(first.header("Link") == nil)
      let next = try await fixture.client.send(path + "swift&limit=5&offset=35", headers: token)
      let expected = first.json["statuses"].elements[35...].compactMap { $0["id"].string }
      #expect(next.json["statuses"].elements.compactMap { $0["id"].string } == expected)
      let nothing = try await fixture.client.send(path + "nothing", headers: token)
      #expect(nothing.json["statuses"].elements.isEmpty)
    }
  }

  @Test(arguments: ["/mastodon/api/v1/timelines/tag/swift", "/mastodon/api/v2/search?q=swift"])
  func `A wrong token is refused everywhere`(target: String) async throws {
    try await withSimulator { fixture in
      let response = try await fixture.client.send(
        target, headers: ["Authorization": "Bearer wrong"])
      #expect(response.status == 401)
      #expect(response.text == #"{"error":"The access token is invalid"}"#)
    }
  }

  @Test func `Local handles have no server name`() async throws {
    try await withSimulator { fixture in
      let path = "/mastodon/api/v1/timelines/tag/swift?limit=40&"
      let local = try await fixture.client.send(path + "local=true").json.elements
      #expect(!local.isEmpty)
      #expect(local.allSatisfy { $0["account"]["acct"].string?.contains("@") == false })
      let remote = try await fixture.client.send(path + "remote=true").json.elements
      #expect(remote.allSatisfy { $0["account"]["acct"].string?.contains("@") == true })
    }
  }

  @Test func `Its quota ends at a moment of ISO 8601`() async throws {
    try await withSimulator { fixture in
      let response = try await fixture.client.send("/mastodon/api/v1/timelines/tag/swift")
      #expect(response.header("X-RateLimit-Limit") == "300")
      #expect(response.header("X-RateLimit-Reset")?.contains("T") == true)
      #expect(response.header("X-RateLimit-Reset")?.count == 27)
    }
  }
}
