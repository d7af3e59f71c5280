import Foundation
import Testing

@Suite struct GitHubTests {
  private static let path = "/github/search/issues?sort=created&advanced_search=true&"
  private static let both = "q=swift%20(is:issue%20OR%20is:pull-request)"
  private static let agent = ["User-Agent": "tests"]

  @Test func `Its pages contain each post once, newest first, and are linked`() async throws {
    try await withSimulator { fixture in
      var items: [JSONTree] = []
      var number = 1
      var hasNext = true
      while hasNext {
        let response = try await fixture.client.send(
          Self.path + Self.both + "&per_page=40&page=\(number)", headers: Self.agent)
        items += response.json["items"].elements
        #expect(response.json["incomplete_results"].isNull == false)
        hasNext = response.header("Link")?.contains("page=\(number + 1)>; rel=\"next\"") == true
        number += 1
      }
      #expect(items.count >= 60)
      #expect(Set(items.compactMap { $0["html_url"].string }).count == items.count)
      let dates = items.compactMap { $0["created_at"].string }
      #expect(dates == dates.sorted(by: >) && dates.count == items.count)
      let pulls = items.count { !$0["pull_request"].isNull }
      #expect(pulls > 0 && pulls < items.count)
      let issues = try await fixture.client.send(
        Self.path + "q=swift%20is:issue&per_page=100", headers: Self.agent)
      #expect(issues.json["total_count"].integer == items.count - pulls)
    }
  }

  @Test func `A search that takes too long is marked and incomplete`() async throws {
    try await withSimulator { fixture in
      let answer = try await fixture.client.send(
        Self.path + "q=incomplete%20is:issue&per_page=20", headers: Self.agent
      ).json
      #expect(answer["incomplete_results"].value as? Bool == true)
      #expect(answer["items"].elements.count == 10)
    }
  }

  @Test(arguments: [
    "q=", "q=swift", "q=swift%20is:issue%20created:%3Esoon",
    "q=plenty%20is:issue&per_page=100&page=11",
  ])
  func `An unsupported search is a 422`(query: String) async throws {
    try await withSimulator { fixture in
      let response = try await fixture.client.send(Self.path + query, headers: Self.agent)
      #expect(response.status == 422)
      #expect(response.json["message"].string?.isEmpty == false)
    }
  }

  @Test func `Parentheses need the advanced search`() async throws {
    try await withSimulator { fixture in
      let response = try await fixture.client.send(
        "/github/search/issues?" + Self.both, headers: Self.agent)
      #expect(response.status == 422)
      #expect(
        response.json["message"].string == "Query must include 'is:issue' or 'is:pull-request'")
    }
  }

  @Test func `Date ranges include both ends`() async throws {
    try await withSimulator { fixture in
      func dates(_ range: String) async throws -> [String] {
        try await fixture.client.send(
          Self.path + Self.both + range + "&per_page=100", headers: Self.agent
        ).json["items"].elements.compactMap { $0["created_at"].string }
      }
      let all = try await dates("")
      #expect(try await dates("%20created:%3E=\(all[9])") == Array(all[...9]))
      #expect(try await dates("%20created:\(all[9])..\(all[5])") == Array(all[5...9]))
    }
  }

  @Test func `It requires a user agent, and refuses a wrong token`() async throws {
    try await withSimulator { fixture in
      #expect(try await fixture.client.send(Self.path + Self.both).status == 403)
      let wrong = try await fixture.client.send(
        Self.path + Self.both, headers: ["User-Agent": "t", "Authorization": "Bearer wrong"])
      #expect(wrong.status == 401)
      #expect(wrong.json["message"].string == "Bad credentials")
      var headers = fixture.authorized("GITHUB_TOKEN")
      headers["User-Agent"] = "t"
      let right = try await fixture.client.send(Self.path + Self.both, headers: headers)
      #expect(right.status == 200)
      #expect(right.header("X-RateLimit-Limit") == "30")
    }
  }
}
