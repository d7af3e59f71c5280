internal import FoundationEssentials
internal import QueuedHTTP
package import SearchModel
package import SearchSources

/// Where the programs of servers are kept from one run to the next: a file, or a test's memory.
package protocol SoftwareStore: Sendable {
  func software(of server: ServerAddress) async -> ServerSoftware?

  func keep(_ software: ServerSoftware, of server: ServerAddress) async
}

/// Finds out which programs servers run: each server is asked once in a run, however many searches wait
/// for it, and only where a source cannot write its request without knowing.
///
/// To know it is a help and no more: whatever goes wrong, the search is made as if nothing had been
/// asked.
actor SoftwareKeeper {
  /// A list of documents, a document, and one request for a server that has another way of its own.
  private static let mostRequests = 3
  /// A server that is slow to say what it is must not hold up its searches for long.
  private static let longestWait = Duration.seconds(5)

  private let transport: any Transport
  private let limits: RunLimits
  private let store: (any SoftwareStore)?
  /// What each server was asked in this run; nil for one that did not say.
  private var answers: [ServerAddress: Task<ServerSoftware?, Never>] = [:]

  init(transport: any Transport, limits: RunLimits, store: (any SoftwareStore)?) {
    self.transport = transport
    self.limits = limits
    self.store = store
  }

  /// The program of a search's server; nil where it is not known, and where it makes no difference to a
  /// page.
  func software(for search: Search, asking page: PageRequest) async -> ServerSoftware? {
    switch search.source.softwareNeed(for: page) {
    case .none: return nil
    case .ifKnown:
      if let answer = answers[search.server] { return await answer.value }
      return await store?.software(of: search.server)
    case .ask(let request):
      if let answer = answers[search.server] { return await answer.value }
      // A task of its own, since all who wait share it and none of them may cancel it for the others.
      let answer = Task { await self.ask(request, for: search, asking: page) }
      answers[search.server] = answer
      return await answer.value
    }
  }

  private func ask(
    _ first: HTTPRequest, for search: Search, asking page: PageRequest
  ) async -> ServerSoftware? {
    if let kept = await store?.software(of: search.server) { return kept }
    var next: HTTPRequest? = first
    for _ in 0..<Self.mostRequests {
      guard let request = next, let response = await answer(to: request, for: search) else { break }
      switch search.source.software(from: response, to: page) {
      case .runs(let software):
        await store?.keep(software, of: search.server)
        return software
      case .ask(let request): next = request
      case .unknown: next = nil
      }
    }
    return nil
  }

  /// The answer to a request without credentials; nil where none came.
  private func answer(to request: HTTPRequest, for search: Search) async -> HTTPResponse? {
    var request = request
    request.lane = search.lane
    request.priority = search.priority
    limits.apply(to: &request)
    let wait = min(limits.timeout, Self.longestWait)
    request.timeouts = Timeouts(connect: wait, idle: wait, total: wait)
    request.retries = RetryPolicy(limit: 0, budget: wait)
    request.bounds = ResponseBounds(bodyBytes: 1 << 20)
    request.judge = { _, _ in .done }
    do {
      return try await transport.send(request)
    } catch {
      return nil  // The search itself meets the same fault, and says so.
    }
  }
}
