import FoundationEssentials
import QueuedHTTP
import SearchEngine
import SearchModel
import SearchSources
import Testing

@Suite struct FilterTests {
  private func findings(
    _ query: String, cap: Int? = nil, limits: RunLimits, pages: [String: String]
  ) async throws -> (Findings, [String]) {
    let transport = ScriptedTransport { request throws(HTTPError) in
      let cursor =
        request.url.split(separator: "cursor=").dropFirst().first
        .flatMap { $0.split(separator: "&").first } ?? ""
      return HTTPResponse(status: 200, body: HTTPBody((pages[String(cursor)] ?? "").utf8))
    }
    let search = Search(
      query: try #require(Query(query)), source: CountingSource(),
      server: try #require(ServerAddress("http://127.0.0.1:9")), cap: cap)
    let engine = SearchEngine(
      plan: [.ask(search)], transport: transport, limits: limits,
      now: Date(timeIntervalSince1970: 1000), clock: { Date(timeIntervalSince1970: 1000) })
    await engine.run()
    return (
      engine.findings, transport.requests.map(\.url).map { String($0.split(separator: "?")[1]) }
    )
  }

  private func limits(excluding list: String, since: Double? = nil) throws -> RunLimits {
    RunLimits(
      since: since.map { Date(timeIntervalSince1970: $0) },
      filter: PostFilter(exclusions: try #require(ExclusionList(list))))
  }

  @Test func `Filtered posts are counted, but not against the cap`() async throws {
    let pages = ["": "9 8;b", "b": "7 6;c", "c": "5 4;d"]
    let (result, requests) = try await findings(
      "a", cap: 3, limits: limits(excluding: "number 9, number 7"), pages: pages)
    #expect(result.found.flatMap(\.posts).map(\.id) == ["8", "6", "5"])
    #expect(result.excluded.all.map { "\($0.reason) \($0.count)" } == ["words 2"])
    #expect(result.outcomes.map(\.ending) == [.completed()])
    // More is asked for than is wanted, as some of it will not count.
    #expect(
      requests == ["q=a&wanted=20", "q=a&cursor=b&wanted=20", "q=a&cursor=c&wanted=20"])
  }

  @Test func `A page that may lack posts makes its search partial`() async throws {
    let (result, requests) = try await findings(
      "number", limits: RunLimits(), pages: ["": "9 ?;b", "b": "7"])
    #expect(result.found.flatMap(\.posts).map(\.id) == ["9", "7"])
    #expect(
      result.outcomes.map(\.ending) == [.partial(brokenItems: 0, reason: "not all was searched")])
    #expect(requests.count == 2)
  }

  @Test func `Exclusions that the network does not support are applied to each page`()
    async throws
  {
    let (result, _) = try await findings(
      #"number -9 lang:de"#, limits: RunLimits(), pages: ["": "9 8;b", "b": "7"])
    #expect(result.found.flatMap(\.posts).map(\.id) == ["8", "7"])
    #expect(result.excluded.isEmpty)
    // Said once, though each page says it.
    #expect(
      result.outcomes.map(\.ending)
        == [.completed(notes: ["lang:de was ignored for posts without a language"])])
  }

  @Test func `A page of only filtered posts still proves that the beginning is passed`()
    async throws
  {
    let (result, requests) = try await findings(
      "a", limits: limits(excluding: "number 4", since: 5),
      pages: ["": "9 8;b", "b": "4;c", "c": "3;d", "d": "2"])
    #expect(result.found.flatMap(\.posts).map(\.id) == ["9", "8"])
    #expect(requests.count == 2)
  }
}
