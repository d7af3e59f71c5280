import FoundationEssentials
import QueuedHTTP
import SearchEngine
import SearchModel
import SearchSources
import Testing

/// One run of counting searches over pages from a script, at second 1,000.
struct Scripted {
  static let now = Date(timeIntervalSince1970: 1000)

  var limits = RunLimits()
  let transport: ScriptedTransport

  /// - Parameter pages: What each cursor is answered with; "" is the first page.
  init(_ pages: [String: String], limits: RunLimits = RunLimits()) {
    self.init(limits: limits) { cursor in pages[cursor] ?? "" }
  }

  init(limits: RunLimits = RunLimits(), page: @escaping @Sendable (String) -> String) {
    self.init(
      limits: limits,
      transport: ScriptedTransport { request throws(HTTPError) in
        HTTPResponse(status: 200, body: HTTPBody(page(Self.cursor(of: request)).utf8))
      })
  }

  init(limits: RunLimits, transport: ScriptedTransport) {
    self.limits = limits
    self.transport = transport
  }

  /// The cursor that a request asks for; "" for the first page.
  static func cursor(of request: HTTPRequest) -> String {
    let part = request.url.split(separator: "cursor=").dropFirst().first
    return String(part?.split(separator: "&").first ?? "")
  }

  func run(_ source: CountingSource, cap: Int? = nil, isCapDefault: Bool = false) async throws
    -> (ids: [String], outcome: SearchOutcome, findings: Findings)
  {
    let search = Search(
      query: try #require(Query("a")), source: source,
      server: try #require(ServerAddress("http://127.0.0.1:9")), cap: cap,
      isCapDefault: isCapDefault)
    let findings = await run([.ask(search)])
    return (
      findings.found.flatMap(\.posts).map(\.id), try #require(findings.outcomes.first), findings
    )
  }

  func run(_ plan: [PlannedSearch]) async -> Findings {
    let engine = SearchEngine(
      plan: plan, transport: transport, limits: limits, now: Self.now, clock: { Self.now })
    await engine.run()
    return engine.findings
  }
}

extension Search {
  /// A search with an endpoint of its own.
  init(
    query: Query, source: any Source, server: ServerAddress, priority: RequestPriority = .normal,
    cap: Int? = nil, isCapDefault: Bool = false, credentials: Credentials? = nil
  ) {
    self.init(
      query, at: Endpoint(source, at: server, credentials: credentials), priority: priority,
      cap: cap, isCapDefault: isCapDefault)
  }
}
