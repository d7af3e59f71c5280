import Foundation
import NetworkSimulator
import Testing

@Suite struct FaultTests {
  private static let target = "/hackernews/api/v1/search_by_date?query=swift&hitsPerPage=100"
  private static let searches = [
    "/twitter-classic/search.json?q=swift&rpp=100",
    "/x/2/tweets/search/recent?query=swift&max_results=100&tweet.fields=created_at",
    "/bluesky/xrpc/app.bsky.feed.searchPosts?q=swift&limit=100",
    "/mastodon/api/v1/timelines/tag/swift?limit=40", target,
  ]

  private func send(
    _ fault: String, _ fixture: SimulatorFixture, target: String = target, patience: Int = 600
  ) async throws -> RawResponse {
    try await fixture.client.send(
      "/~\(fault)\(target)", headers: headers(target, fixture), patience: patience)
  }

  private func headers(_ target: String, _ fixture: SimulatorFixture) -> [String: String] {
    target.hasPrefix("/x/") ? fixture.authorized("X_BEARER_TOKEN") : [:]
  }

  @Test func `A latency comes before the first byte`() async throws {
    try await withSimulator { fixture in
      let start = ContinuousClock.now
      let response = try await send("latency=300", fixture)
      #expect(ContinuousClock.now - start >= .milliseconds(300))
      #expect(response.status == 200)
    }
  }

  @Test func `A stalled request gets no response and does not block others`() async throws {
    try await withSimulator { fixture in
      let response = try await send("stall", fixture, patience: 1)
      #expect(response.ending == .silence)
      #expect(response.head.isEmpty)
      let other = try await fixture.client.send(Self.target)
      #expect(other.status == 200)
    }
  }

  @Test func `A search stalls after the number of pages in its path`() async throws {
    try await withSimulator { fixture in
      let first = try await send("stall-after=1", fixture)
      #expect(first.status == 200)
      let second = try await send("stall-after=1", fixture, patience: 1)
      #expect(second.ending == .silence)
    }
  }

  @Test func `A stop ends stalled requests and frees the port`() async throws {
    try await withSimulator { fixture in
      async let stalled = send("stall", fixture)
      while fixture.simulator.counters.total == 0 { await Task.yield() }
      await fixture.simulator.stop()
      let ending = try await stalled.ending
      #expect(ending == .closed || ending == .reset)
      await #expect(throws: RawClient.Failure.self) { try await fixture.client.send(Self.target) }
    }
  }

  @Test func `A trickle is slow and whole`() async throws {
    try await withSimulator { fixture in
      let start = ContinuousClock.now
      let whole = try await fixture.client.send(Self.target)
      let rate = whole.body.count
      let response = try await send("trickle=\(rate)", fixture)
      #expect(ContinuousClock.now - start >= .milliseconds(900))
      #expect(response.body == whole.body)
    }
  }

  @Test func `A reset is one`() async throws {
    try await withSimulator { fixture in
      let response = try await send("reset", fixture)
      #expect(response.ending == .reset)
    }
  }

  @Test func `An empty answer is a closed connection`() async throws {
    try await withSimulator { fixture in
      let response = try await send("empty", fixture)
      #expect(response.ending == .closed)
      #expect(response.head.isEmpty && response.body.isEmpty)
    }
  }

  @Test func `A cut response announces more than it sends`() async throws {
    try await withSimulator { fixture in
      let response = try await send("cut", fixture)
      let announced = response.header("Content-Length").flatMap { Int($0) }
      #expect(response.ending == .closed)
      #expect(response.status == 200)
      #expect(response.body.count == announced.map { $0 / 2 })
    }
  }

  @Test func `Garbage and HTML say 200`() async throws {
    try await withSimulator { fixture in
      let garbage = try await send("garbage", fixture)
      #expect(garbage.status == 200 && garbage.json.isNull)
      #expect(garbage.header("Content-Type")?.hasPrefix("application/json") == true)
      let page = try await send("html", fixture)
      #expect(page.status == 200 && page.text.hasPrefix("<!DOCTYPE html>"))
      #expect(page.header("Content-Type")?.hasPrefix("text/html") == true)
    }
  }

  @Test func `A flood is tens of thousands of headers`() async throws {
    try await withSimulator { fixture in
      let response = try await send("flood", fixture)
      #expect(response.headerLines.count > 20_000)
      #expect(response.json["hits"].elements.isEmpty == false)
    }
  }

  @Test func `A big body is valid JSON of that size`() async throws {
    try await withSimulator { fixture in
      let response = try await send("big=3000000", fixture)
      #expect(response.body.count == 3_000_000)
      #expect(response.json["hits"].elements.isEmpty == false)
    }
  }

  @Test func `A bomb is a mebibyte of gzip that decompresses to a gibibyte`() async throws {
    try await withSimulator { fixture in
      let response = try await send("bomb", fixture)
      #expect(response.header("Content-Encoding") == "gzip")
      #expect(response.body.prefix(3) == [0x1F, 0x8B, 8])
      #expect((1_000_000...1_100_000).contains(response.body.count))
      let count = response.body.suffix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
      #expect(count > 1_073_000_000)
    }
  }

  @Test func `Redirects form a loop or change the scheme`() async throws {
    try await withSimulator { fixture in
      let base = "127.0.0.1:\(fixture.simulator.port)"
      let loop = try await send("redirect-loop", fixture)
      #expect(loop.status == 302)
      #expect(loop.header("Location") == "http://\(base)/~redirect-loop\(Self.target)")
      let file = try await send("redirect=file", fixture)
      #expect(file.header("Location") == "file:///etc/passwd")
      let secure = try await send("redirect=https", fixture)
      #expect(secure.header("Location") == "https://\(base)\(Self.target)")
    }
  }

  @Test(arguments: [
    ("twitter-classic/search.json", "error"), ("x/2/tweets/search/recent", "title"),
    ("bluesky/xrpc/app.bsky.feed.searchPosts", "error"),
    ("mastodon/api/v1/timelines/tag/swift", "error"), ("hackernews/api/v1/search", "message"),
  ])
  func `A status has the network's own error body`(path: String, key: String) async throws {
    try await withSimulator { fixture in
      for status in [400, 401, 404, 429, 500, 503] {
        let response = try await send("status=\(status)", fixture, target: "/" + path)
        #expect(response.status == status)
        #expect(response.json[key].string?.isEmpty == false)
      }
    }
  }

  @Test func `Each network says "slow down" in its own way`() async throws {
    try await withSimulator { fixture in
      var answers: [RawResponse] = []
      for target in Self.searches {
        answers.append(try await send("retry-after=90", fixture, target: target))
      }
      #expect(answers.map(\.status) == [420, 429, 429, 429, 429])
      #expect(answers.map { $0.header("Retry-After") } == ["90", nil, "90", nil, "90"])
      let soon = (Date.now.timeIntervalSince1970 - 600)...(Date.now.timeIntervalSince1970 + 600)
      let x = try #require(answers[1].header("x-rate-limit-reset").flatMap { Double($0) })
      let bluesky = try #require(answers[2].header("RateLimit-Reset").flatMap { Double($0) })
      #expect(soon.contains(x) && soon.contains(bluesky))
      #expect(answers[3].header("X-RateLimit-Reset")?.contains("T") == true)
    }
  }

  @Test(arguments: searches)
  func `Some items are broken and the others unchanged`(target: String) async throws {
    try await withSimulator { fixture in
      let whole = try await fixture.client.send(target, headers: headers(target, fixture)).json
      let broken = try await send("broken-item", fixture, target: target).json
      func items(_ page: JSONTree) -> [JSONTree] {
        page.elements + ["results", "data", "posts", "hits"].flatMap { page[$0].elements }
      }
      #expect(items(whole).count == items(broken).count && items(whole).count >= 40)
      for (position, pair) in zip(items(whole), items(broken)).enumerated() {
        let same = (pair.0.value as? NSDictionary) == (pair.1.value as? NSDictionary)
        #expect(same == (position % 4 != 1))
      }
    }
  }

  @Test(arguments: searches)
  func `Hostile posts contain control codes`(target: String) async throws {
    try await withSimulator { fixture in
      let response = try await send("hostile", fixture, target: target)
      #expect(response.status == 200)
      #expect(!response.json.isNull)
      for code in ["\\u001b[2J", "\u{202E}", "\u{9B}"] { #expect(response.text.contains(code)) }
    }
  }

  @Test func `sometimes is drawn from the seed, anew for each repetition`() async throws {
    func statuses(seed: UInt64) async throws -> [Int] {
      var statuses: [Int] = []
      try await withSimulator(seed: seed) { fixture in
        for _ in 0..<40 {
          statuses.append(try await send("sometimes=status=500:50", fixture).status)
        }
      }
      return statuses
    }
    let first = try await statuses(seed: 7)
    #expect(Set(first) == [200, 500])
    let again = try await statuses(seed: 7)
    #expect(first == again)
    let other = try await statuses(seed: 8)
    #expect(first != other)
  }

  @Test func `Faults can be stacked`() async throws {
    try await withSimulator { fixture in
      let start = ContinuousClock.now
      let response = try await send("latency=200/~sometimes=status=503:100", fixture)
      #expect(ContinuousClock.now - start >= .milliseconds(200))
      #expect(response.status == 503)
    }
  }

  @Test(arguments: ["nonsense", "latency", "latency=x", "status=99", "sometimes=stall"])
  func `An unknown fault is reported`(fault: String) async throws {
    try await withSimulator { fixture in
      let response = try await send(fault, fixture)
      #expect(response.status == 400)
      #expect(response.text.contains("no such fault: ~" + fault))
    }
  }
}
