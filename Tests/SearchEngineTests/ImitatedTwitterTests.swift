import FoundationEssentials
import QueuedHTTP
import SearchEngine
import SearchModel
import SearchSources
import Testing

/// Whole searches on servers that imitate Twitter's first search, such as those of GNU social.
struct ImitatedTwitterTests {
  /// Runs one search on each of some servers.
  ///
  /// - Parameter answer: The body for a server's host and a query string.
  private func run(
    _ query: String, on hosts: [String] = ["one.example"], limits: RunLimits = RunLimits(),
    answer: @escaping @Sendable (String, String) -> String
  ) async throws -> (posts: [Post], findings: Findings, requests: [String]) {
    let transport = ScriptedTransport { request throws(HTTPError) in
      let parts = request.url.split(separator: "/", maxSplits: 2)
      let host = String(parts[1])
      return HTTPResponse(
        status: 200, body: HTTPBody(answer(host, request.url).utf8), url: request.url)
    }
    let source = try #require(Sources.named("twitter-classic"))
    let plan = try hosts.map { host in
      PlannedSearch.ask(
        Search(
          query: try #require(Query(query)), source: source,
          server: try #require(ServerAddress("https://\(host)/api/search.json"))))
    }
    let findings = await Scripted(limits: limits, transport: transport).run(plan)
    let posts = Merge(now: Scripted.now).posts(of: findings.found)
    return (posts, findings, transport.requests.map { $0.url })
  }

  /// A result as GNU social writes it.
  private static func result(_ id: Int, _ text: String, by author: String) -> String {
    #"{"text":"\#(text)","from_user":"\#(author)","id":\#(id),"from_user_id":1,"source":"web","#
      + #""iso_language_code":null,"created_at":"Thu, 01 Jan 1970 00:\#(10 + id):00 +0000"}"#
  }

  @Test func `Posts with the same id on two servers are two posts`() async throws {
    let (posts, _, _) = try await run("swift", on: ["one.example", "two.example"]) { host, _ in
      let items = [3, 2, 1].map { Self.result($0, "swift on \(host)", by: "amy") }
      return #"{"results":[\#(items.joined(separator: ","))],"max_id":3,"page":1}"#
    }
    #expect(posts.count == 6)
    let addresses = ["one", "two"].flatMap { name in
      (1...3).map { "https://\(name).example/notice/\($0)" }
    }
    #expect(posts.compactMap(\.url).sorted() == addresses)
    #expect(posts.map(\.uri).sorted() == addresses)
  }

  @Test(
    arguments: [
      ("swift from:amy", ["1", "5"]), ("swift -bird", ["1", "3", "4", "5"]),
      ("swift -from:amy", ["2", "3", "4"]),
    ])
  func `Posts that a server should not have found are left out`(query: String, ids: [String])
    async throws
  {
    let (posts, _, _) = try await run(query) { _, _ in
      let items = [
        Self.result(1, "swift compiler", by: "amy"), Self.result(2, "swift bird", by: "bob"),
        Self.result(3, "amy was here", by: "eve"), Self.result(4, "#swift compiler", by: "eve"),
        Self.result(5, "RT @eve: a long story of…", by: "amy"),
      ]
      return #"{"results":[\#(items.joined(separator: ","))],"max_id":3,"page":1}"#
    }
    #expect(posts.map(\.id).sorted() == ids)
  }

  /// Statuses in a bare list, from the id that is asked for downwards.
  private static func list(_ url: String, of count: Int, atMost size: Int) -> String {
    func number(_ name: String) -> Int? {
      url.split(separator: "\(name)=").dropFirst().first.flatMap { Int($0.prefix { $0 != "&" }) }
    }
    let first = min(number("max_id") ?? count, count)
    let items = stride(from: first, to: 0, by: -1).prefix(min(number("rpp") ?? 20, size)).map {
      id in
      let second = (id % 60 < 10 ? "0" : "") + "\(id % 60)"
      return #"{"id":\#(id),"text":"swift \#(id)","user":{"id":1,"screen_name":"amy"},"#
        + #""created_at":"Thu Jan 01 00:\#(10 + id / 60):\#(second) +0000 1970"}"#
    }
    return "[\(items.joined(separator: ","))]"
  }

  @Test(arguments: [(100, 3), (20, 15)])
  func `A bare list is followed by older posts, whatever size the server gives`(
    size: Int, requests: Int
  ) async throws {
    let found = try await run("swift", limits: RunLimits(since: Date(timeIntervalSince1970: 0))) {
      Self.list($1, of: 300, atMost: size)
    }
    #expect(found.posts.count == 300)
    #expect(found.requests.count == requests)
    #expect(found.findings.outcomes.map(\.ending) == [.completed()])
    #expect(
      found.requests.dropFirst().first?.contains("?max_id=\(300 - size)&q=swift&rpp=100&") == true)
  }

  @Test(arguments: [(100, false), (99, true)])
  func `A bare list that comes again is the whole of it, unless it is full`(
    count: Int, isComplete: Bool
  ) async throws {
    let found = try await run("swift", limits: RunLimits(since: Date(timeIntervalSince1970: 0))) {
      Self.list($1.replacing("max_id", with: "ignored"), of: 300, atMost: count)
    }
    #expect(found.posts.count == count)
    #expect(found.requests.count == 2)
    let reason = "the server returns the same list for every page"
    #expect(
      found.findings.outcomes.map(\.ending)
        == [isComplete ? .completed() : .partial(brokenItems: 0, reason: reason)])
  }

  @Test func `Ids that are no numbers lead on, too`() async throws {
    let found = try await run("swift") { _, url in
      let ids =
        url.contains("max_id=c") ? ["c", "d"] : url.contains("max_id=") ? ["d"] : ["a", "b", "c"]
      let items = ids.map {
        #"{"id_str":"\#($0)","text":"swift \#($0)","user":{"screen_name":"amy"}}"#
      }
      return "[\(items.joined(separator: ","))]"
    }
    #expect(found.posts.map(\.id).sorted() == ["a", "b", "c", "d"])
    #expect(found.findings.outcomes.map(\.ending) == [.completed()])
  }

  @Test func `An empty list means that nothing was found`() async throws {
    let found = try await run("swift") { _, _ in "[]" }
    #expect(found.posts.isEmpty && found.requests.count == 1)
    #expect(found.findings.outcomes.map(\.ending) == [.completed()])
  }
}
