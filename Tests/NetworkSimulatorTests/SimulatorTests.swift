import Foundation
import NetworkSimulator
import Testing

@Suite struct SimulatorTests {
  private static let targets = [
    "/twitter-classic/search.json?q=%E6%97%A5%E6%9C%AC&rpp=100",
    "/twitter-classic/1.1/search/tweets.json?q=caf%C3%A9&count=100",
    "/x/2/tweets/search/recent?query=two%20words&max_results=100&post.fields=entities,created_at",
    "/bluesky/xrpc/app.bsky.feed.searchPosts?q=c%2B%2B&limit=100",
    "/mastodon/api/v1/timelines/tag/%D1%80%D1%83%D1%81?limit=40",
    "/hackernews/api/v1/search?query=node.js&hitsPerPage=100",
  ]

  private func bodies(seed: UInt64) async throws -> [String] {
    var bodies: [String] = []
    try await withSimulator(seed: seed) { fixture in
      for target in Self.targets {
        let token = target.hasPrefix("/x/") ? fixture.authorized("X_BEARER_TOKEN") : [:]
        let response = try await fixture.client.send(target, headers: token)
        #expect(response.status == 200)
        #expect(response.body.count > 10_000)
        bodies.append(response.text)
      }
    }
    return bodies
  }

  @Test func `The same seed gives the same bytes, another seed others`() async throws {
    let first = try await bodies(seed: 7)
    let again = try await bodies(seed: 7)
    let other = try await bodies(seed: 8)
    #expect(first == again)
    #expect(zip(first, other).allSatisfy { $0 != $1 })
  }

  @Test func `Every post contains the words of the query`() async throws {
    let bodies = try await bodies(seed: 7)
    for (body, word) in zip(bodies, ["日本", "café", "two words", "c++", "рус", "node.js"]) {
      #expect(body.components(separatedBy: word).count > 40)
    }
  }

  @Test func `Posts are from the six days before the given time`() async throws {
    let now = try #require(Simulator.date("2030-02-01T00:00:00+01:00"))
    let simulator = try await Simulator.start(seed: 1, now: now) { Date.now }
    let response = try await RawClient(port: simulator.port).send(
      "/hackernews/api/v1/search_by_date?query=swift&hitsPerPage=1000")
    await simulator.stop()
    let end = Int(now.timeIntervalSince1970)
    let moments = response.json["hits"].elements.compactMap { $0["created_at_i"].integer }
    #expect((60...250).contains(moments.count))
    #expect(moments.allSatisfy { (end - 6 * 86_400 - 1..<end).contains($0) })
  }

  @Test func `It counts its requests`() async throws {
    try await withSimulator { fixture in
      _ = try await fixture.client.send("/hackernews/api/v1/search?query=a%20b&page=0")
      _ = try await fixture.client.send("/~latency=1/mastodon/api/v1/timelines/tag/%23?limit=5")
      let counters = fixture.simulator.counters
      #expect(counters.total == 2)
      #expect(counters.count(of: "hackernews") == 1)
      #expect(counters.queries(of: "hackernews") == ["query=a%20b&page=0"])
      #expect(counters.requests.last?.faults == ["latency=1"])
      #expect(counters.requests.last?.path == "api/v1/timelines/tag/#")
    }
  }

  @Test func `Its environment has an address for every source and the credentials`() async throws {
    try await withSimulator { fixture in
      let port = fixture.simulator.port
      let addresses = Simulator.sources.map {
        "SEARCHAGG_\($0.uppercased().replacing("-", with: "_"))_URL"
      }
      #expect(
        Set(fixture.environment.keys)
          == Set(addresses).union([
            "X_BEARER_TOKEN", "BLUESKY_IDENTIFIER", "BLUESKY_APP_PASSWORD", "MASTODON_ACCESS_TOKEN",
            "GITHUB_TOKEN", "THREADS_ACCESS_TOKEN", "TUMBLR_API_KEY", "YOUTUBE_API_KEY",
            "MISSKEY_TOKEN",
            "REDDIT_CLIENT_SECRET",
            "REDDIT_CLIENT_ID",
            "STACKEXCHANGE_KEY",
          ]))
      #expect(addresses.contains("SEARCHAGG_TWITTER_CLASSIC_URL"))
      #expect(fixture.environment["SEARCHAGG_X_URL"] == "http://127.0.0.1:\(port)/x")
      #expect(
        fixture.simulator.address(of: "x", fault: "~latency=5/stall")
          == "http://127.0.0.1:\(port)/~latency=5/~stall/x")
    }
  }

  @Test func `A taken port cannot be used again`() async throws {
    try await withSimulator { fixture in
      await #expect(throws: SimulatorError.self) {
        _ = try await Simulator.start(port: fixture.simulator.port) { Date.now }
      }
    }
  }

  @Test func `It serves hundreds of clients at once`() async throws {
    try await withSimulator { fixture in
      let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
        for number in 0..<300 {
          group.addTask {
            let query = "query=swift&hitsPerPage=\(number % 5 + 1)"
            return try await fixture.client.send(
              "/~latency=50/hackernews/api/v1/search_by_date?" + query
            ).status
          }
        }
        return try await group.reduce(into: [:]) { $0[$1, default: 0] += 1 }
      }
      #expect(statuses == [200: 300])
      #expect(fixture.simulator.counters.total == 300)
    }
  }

  @Test(
    arguments: [
      "/~latency=9223372036854775807/~latency=9223372036854775807/x",
      "/~trickle=9223372036854775807/x", "/~retry-after=9223372036854775807/x",
      "/~big=9223372036854775807/hackernews/api/v1/search?query=a",
      "/~sometimes=sometimes=stall:50:50/x",
      "/twitter-classic/search.json?q=a&page=9223372036854775807&rpp=100",
      "/twitter-classic/1.1/search/tweets.json?q=a&count=-9223372036854775808&max_id=0",
      "/mastodon/api/v1/timelines/tag/a?limit=-9223372036854775808",
      "/bluesky/xrpc/app.bsky.feed.searchPosts?q=a&limit=9223372036854775808",
      "/hackernews/api/v1/search?query=a&page=9223372036854775807&hitsPerPage=1000",
    ])
  func `Every number gets a response, however large or small`(target: String) async throws {
    try await withSimulator { fixture in
      let response = try await fixture.client.send(target)
      #expect([200, 400, 403].contains(response.status))
      #expect(response.body.count < 2_000_000)
    }
  }

  @Test func `A negative offset counts as zero`() async throws {
    try await withSimulator { fixture in
      let response = try await fixture.client.send(
        "/mastodon/api/v2/search?q=a&type=statuses&offset=-5",
        headers: fixture.authorized("MASTODON_ACCESS_TOKEN"))
      #expect(response.status == 200)
    }
  }

  @Test func `A HEAD is answered as a GET without its body`() async throws {
    try await withSimulator { fixture in
      for target in ["/hackernews/api/v1/search?query=a", "/mastodon/api/v1/timelines/tag/a"] {
        let whole = try await fixture.client.send(target)
        let bare = try await fixture.client.send(
          target, method: "HEAD", headers: ["Connection": "close"], patience: 1)
        #expect(bare.status == 200)
        #expect(bare.head.contains("Content-Length: \(whole.body.count)"))
        #expect(bare.body.isEmpty)
      }
      let empty = try await fixture.client.send(
        "/~status=204/x", headers: ["Connection": "close"], patience: 1)
      #expect(empty.status == 204)
      #expect(!empty.head.contains("Content-Length"))
      #expect(empty.body.isEmpty)
    }
  }

  @Test func `A malformed request and an unknown source are refused`() async throws {
    try await withSimulator { fixture in
      let unknown = try await fixture.client.send("/nowhere/search")
      #expect(unknown.status == 404)
      let chunked = try await fixture.client.send(
        "/x/2", method: "POST", headers: ["Transfer-Encoding": "chunked"])
      #expect(chunked.status == 411)
    }
  }
}
