import FoundationEssentials
import QueuedHTTP
import SearchEngine
import SearchModel
import SearchSources
import Synchronization
import Testing

@Suite struct SoftwareKeeperTests {
  private static let host = "https://m.example"
  private let now = Date(timeIntervalSince1970: 1_795_255_200)

  /// Keeps software in memory.
  private final class Memory: SoftwareStore {
    private let kept = Mutex<[ServerAddress: ServerSoftware]>([:])

    var all: [ServerAddress: ServerSoftware] { kept.withLock { $0 } }

    func software(of server: ServerAddress) async -> ServerSoftware? { all[server] }

    func keep(_ software: ServerSoftware, of server: ServerAddress) async {
      kept.withLock { $0[server] = software }
    }
  }

  private func search(_ query: String, _ source: any Source, token: String? = nil) throws
    -> PlannedSearch
  {
    .ask(
      Search(
        query: try #require(Query(query)), source: source,
        server: try #require(ServerAddress(Self.host)),
        credentials: token.map { Credentials([$0]) }))
  }

  private func source(_ name: String) throws -> any Source { try #require(Sources.named(name)) }

  /// Runs searches against responses by path, and returns the requested URLs.
  private func addresses(
    _ plan: [PlannedSearch], _ answers: [String: String], store: Memory? = nil,
    limits: RunLimits = RunLimits()
  ) async -> (asked: [String], findings: Findings) {
    let transport = ScriptedTransport { request throws(HTTPError) in
      let path = request.url.dropFirst(Self.host.count).prefix { $0 != "?" }
      guard let body = answers[String(path)] else {
        return HTTPResponse(status: 404, body: HTTPBody([]), url: request.url)
      }
      return HTTPResponse(status: 200, body: HTTPBody(Array(body.utf8)), url: request.url)
    }
    let engine = SearchEngine(
      plan: plan, transport: transport, limits: limits, now: now, clock: { [now] in now },
      softwareStore: store)
    await engine.run()
    for request in transport.requests
    where request.url.contains("nodeinfo") || request.url.hasSuffix("/site") {
      #expect(request.headers["Authorization"] == nil, "\(request.url)")
    }
    return (transport.requests.map { String($0.url.dropFirst(Self.host.count)) }, engine.findings)
  }

  private static let nothing = #"{"posts":[],"statuses":[]}"#

  @Test func `A server is asked for its version only once`()
    async throws
  {
    let lemmy = try source("lemmy")
    let plan = try (1...20).map { try search("tag\($0)", lemmy) }
    let memory = Memory()
    let answers = [
      "/api/v3/site": #"{"site_view":{},"version":"1.0.0"}"#, "/api/v4/search": Self.nothing,
    ]
    let first = await addresses(plan, answers, store: memory).asked
    #expect(first.count { $0 == "/api/v3/site" } == 1)
    #expect(first.count { $0.hasPrefix("/api/v4/search?") } == 20 && first.count == 21)
    // It may be updated until the next run.
    #expect(memory.all.isEmpty)
    let second = await addresses(plan, answers, store: memory).asked
    #expect(second.sorted() == first.sorted())
  }

  @Test(arguments: [nil, "<html>", #"{"error":"x"}"#, #"{"site_view":{},"version":"0.19.20"}"#])
  func `An unknown version changes nothing`(site: String?) async throws {
    var answers = ["/api/v3/search": Self.nothing]
    answers["/api/v3/site"] = site
    let result = await addresses([try search("a", source("lemmy"))], answers)
    #expect(result.asked.last?.hasPrefix("/api/v3/search?") == true)
    #expect(result.findings.outcomes.map(\.ending) == [.completed()])
  }

  @Test func `Mastodon searches with results cost an extra request only where others find more`()
    async throws
  {
    let mastodon = try source("mastodon")
    let plan = [
      try search("#a", mastodon), try search("#b", mastodon, token: "t"),
      try search("word", mastodon, token: "t"), try search("two words", mastodon, token: "t"),
    ]
    let found = #"{"id":"1","content":"two words","created_at":"2026-11-20T10:00:00Z"}"#
    let answers = [
      "/api/v1/timelines/tag/a": "[\(found)]", "/api/v1/timelines/tag/b": "[\(found)]",
      "/api/v2/search": #"{"statuses":[\#(found)]}"#,
    ]
    let few = await addresses(Array(plan.dropLast()), answers).asked
    #expect(!few.contains("/.well-known/nodeinfo"), "\(few)")
    let asked = await addresses(plan, answers).asked
    #expect(asked.count { $0 == "/.well-known/nodeinfo" } == 1, "\(asked)")
  }

  @Test(arguments: [nil, "everyone", "nobody"])
  func `A server without posts under hashtags is asked once whether it lists any`(
    feeds: String?
  ) async throws {
    let mastodon = try source("mastodon")
    let plan = try (1...20).map { try search("#tag\($0)", mastodon) }
    let access = feeds == "nobody" ? "disabled" : "public"
    let lists = #"{"hashtag_feeds":{"local":"\#(access)","remote":"\#(access)"}}"#
    var answers = Dictionary(
      uniqueKeysWithValues: (1...20).map { ("/api/v1/timelines/tag/tag\($0)", "[]") })
    if feeds != nil {
      answers["/api/v2/instance"] = #"{"configuration":{"timelines_access":\#(lists)}}"#
    }
    let memory = Memory()
    let result = await addresses(plan, answers, store: memory)
    #expect(result.asked.count { $0 == "/api/v2/instance" } == 1)
    #expect(result.asked.count == 21 && memory.all.isEmpty)
    let failures = result.findings.outcomes.count { outcome in
      if case .failed = outcome.ending { true } else { false }
    }
    #expect(failures == (feeds == "nobody" ? 20 : 0))
    // The setting may have changed until the next run.
    let later = await addresses(plan, answers, store: memory).asked
    #expect(later.count { $0 == "/api/v2/instance" } == 1)
  }

  /// The responses of a server that names its software only by NodeInfo.
  private func hidden(document: String) -> [String: String] {
    let schema = "http://nodeinfo.diaspora.software/ns/schema/2.0"
    return [
      "/.well-known/nodeinfo": #"{"links":[{"rel":"\#(schema)","href":"\#(document)"}]}"#,
      "/nodeinfo/2.0": #"{"version":"2.0","software":{"name":"gotosocial","version":"0.20"}}"#,
      "/api/v2/search": Self.nothing,
    ]
  }

  @Test func `A search without results is repeated for the software that NodeInfo names`()
    async throws
  {
    let plan = [
      try search("two words", source("mastodon"), token: "t"),
      try search("other things", source("mastodon"), token: "t"),
    ]
    let memory = Memory()
    let asked = await addresses(
      plan, hidden(document: "\(Self.host)/nodeinfo/2.0"), store: memory
    ).asked
    #expect(asked.count { $0.contains("nodeinfo") } == 2)
    #expect(asked.contains { $0.hasPrefix("/api/v2/search?q=words&") })
    #expect(asked.contains { $0.hasPrefix("/api/v2/search?q=things&") })
    // The request that is repeated counts as no page.
    let onePage = await addresses(
      [plan[0]], hidden(document: "\(Self.host)/nodeinfo/2.0"), limits: RunLimits(pages: 1)
    ).asked
    #expect(onePage.last?.hasPrefix("/api/v2/search?q=words&") == true)
    // In the next run it is known from the start.
    let later = await addresses(plan, hidden(document: "x"), store: memory).asked
    #expect(later.count == 2 && !later.contains { $0.contains("two") }, "\(later)")
  }

  @Test func `A document on another host changes nothing`() async throws {
    let memory = Memory()
    let result = await addresses(
      [try search("two words", source("mastodon"), token: "t")],
      hidden(document: "https://other.example/nodeinfo/2.0"), store: memory)
    #expect(memory.all.isEmpty)
    #expect(result.asked.count { $0.contains("nodeinfo") } == 1)
    #expect(!result.asked.contains { $0.contains("q=words") })
    #expect(result.findings.outcomes.map(\.ending.isFailure) == [false])
  }
}
