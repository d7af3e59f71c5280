import Foundation
import NetworkSimulator
import QueuedHTTP
import SearchModel
import Testing

@testable import SearchSources

/// Asks one source's simulated network over loopback, as the engine does.
struct SimulatedAsking: Sendable {
  /// One page with its request and its response.
  struct Answered {
    var asked: PageRequest
    var request: HTTPRequest
    var response: HTTPResponse
    var result: Result<Page, SourceFault>

    var page: Page {
      get throws { try result.get() }
    }
  }

  let source: any Source
  /// The simulated network: the source's name, or another server of its kind.
  let network: String
  private let simulator: Simulator
  private let client: HTTPClient

  /// Runs `body` against the simulated network of a source, or another server of its kind.
  static func with<Result>(
    _ name: String, at network: String? = nil, _ body: (SimulatedAsking) async throws -> Result
  ) async throws -> Result {
    try await with(EverySource.named(name), at: network ?? name, body)
  }

  /// The same with a source that is not on the list.
  static func with<Result>(
    _ source: any Source, at network: String, _ body: (SimulatedAsking) async throws -> Result
  ) async throws -> Result {
    let simulator = try await Simulator.start(seed: 7) { testNow }
    var configuration = HTTPClient.Configuration()
    configuration.userAgent = "searchagg-tests"
    configuration.now = { testNow }
    let client = HTTPClient(configuration: configuration)
    let asking = SimulatedAsking(
      source: source, network: network, simulator: simulator, client: client)
    let result: Swift.Result<Result, any Error>
    do {
      result = .success(try await body(asking))
    } catch {
      result = .failure(error)
    }
    await client.shutdown()
    await simulator.stop()
    return try result.get()
  }

  /// The credentials that the simulated network accepts; nil if the source has none.
  var credentials: Credentials? {
    let values = source.traits.credentialNames.compactMap { simulator.environment[$0] }
    return values.isEmpty ? nil : Credentials(values)
  }

  /// The first page of a search, or the one at a cursor.
  func page(
    _ query: String, fault: String? = nil, wanted: Int? = nil, cursor: Cursor? = nil,
    session: Session? = nil, isAnonymous: Bool = false
  ) async throws -> Answered {
    try await page(
      #require(Query(query)), fault: fault, wanted: wanted, cursor: cursor, session: session,
      isAnonymous: isAnonymous)
  }

  func page(
    _ query: Query, fault: String? = nil, wanted: Int? = nil, cursor: Cursor? = nil,
    session: Session? = nil, isAnonymous: Bool = false, since: Date? = nil, until: Date? = nil,
    after earlier: [Answered] = []
  ) async throws -> Answered {
    let address = simulator.address(of: network, fault: fault)
    var asked = try source.asking(
      query.text, at: address, wanted: wanted, cursor: cursor, session: session)
    asked.since = since
    asked.until = until
    asked.pagesBefore = earlier.count
    let counts = try earlier.map { try $0.page.items }
    asked.itemsBefore = counts.reduce(0, +)
    asked.largestBefore = counts.max() ?? 0
    asked.credentials = isAnonymous ? nil : credentials
    asked.split = source.split(query, with: asked.credentials)
    asked.software = try await software(source.softwareNeed(for: asked), for: asked)
    if asked.session == nil { asked.session = try await logIn(for: asked) }
    let request = try source.request(for: asked)
    let response = try await client.send(unjudged(request))
    let need = source.softwareNeed(toRead: response, of: asked)
    if let software = try await software(need, for: asked) { asked.software = software }
    let result: Result<Page, SourceFault>
    do {
      result = .success(try source.read(response, to: asked))
    } catch {
      result = .failure(error)
    }
    return Answered(asked: asked, request: request, response: response, result: result)
  }

  /// All pages of a search, one after the other.
  func walk(
    _ query: String, wanted: Int? = nil, isAnonymous: Bool = false
  ) async throws -> [Answered] {
    try await walk(#require(Query(query)), wanted: wanted, isAnonymous: isAnonymous)
  }

  func walk(
    _ query: Query, wanted: Int? = nil, isAnonymous: Bool = false, since: Date? = nil,
    until: Date? = nil
  ) async throws -> [Answered] {
    var pages: [Answered] = []
    var cursor: Cursor?
    repeat {
      let answered = try await page(
        query, wanted: wanted, cursor: cursor, session: pages.first?.asked.session,
        isAnonymous: isAnonymous, since: since, until: until, after: pages)
      cursor = try answered.page.next
      pages.append(answered)
      try #require(pages.count <= 100, "\(source.name) never ends")
    } while cursor != nil
    return pages
  }

  /// The software of the server, if the source needs it.
  private func software(
    _ need: SoftwareNeed, for page: PageRequest
  ) async throws -> ServerSoftware? {
    guard case .ask(var next, _) = need else { return nil }
    for _ in 0..<3 {
      #expect(next.headers["Authorization"] == nil)
      switch source.software(from: try await client.send(unjudged(next)), to: page) {
      case .runs(let software): return software
      case .ask(let request): next = request
      case .unknown: return nil
      }
    }
    return nil
  }

  /// The session that a login opens, at the address without faults.
  private func logIn(for page: PageRequest) async throws -> Session? {
    guard let credentials = page.credentials else { return nil }
    let sound = try #require(ServerAddress(simulator.address(of: network)))
    guard let request = source.loginRequest(to: sound, with: credentials) else { return nil }
    return try source.session(from: try await client.send(unjudged(request)), to: page)
  }

  /// The request without a repetition: what came first is what is looked at.
  private func unjudged(_ request: HTTPRequest) -> HTTPRequest {
    var request = request
    request.judge = { _, _ in .done }
    // How fast the machine is, is not what is tested.
    request.timeouts = Timeouts(connect: .seconds(300), idle: .seconds(300), total: .seconds(300))
    return request
  }
}
