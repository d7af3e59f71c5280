internal import FoundationEssentials
internal import QueuedHTTP
package import SearchModel
package import SearchSources

/// A store that keeps the software of servers from one run to the next.
package protocol SoftwareStore: Sendable {
  func software(of server: ServerAddress) async -> ServerSoftware?

  func keep(_ software: ServerSoftware, of server: ServerAddress) async
}

/// Detects the software of servers and their settings: each server is asked once in a run, however many searches
/// need it, and only if a source cannot do without.
///
/// A server that asks to wait is waited for, as for a page; if anything else goes wrong, the search is made without
/// this knowledge.
actor SoftwareKeeper {
  /// The list of documents, a document, and one request for a server with its own interface.
  private static let mostRequests = 3
  /// A slow reply must not delay the searches for long.
  private static let longestWait = Duration.seconds(5)

  private let transport: any Transport
  private let limits: RunLimits
  private let store: (any SoftwareStore)?
  private let waits: WaitBoard
  /// The answers to the questions of this run; nil where the server did not say.
  private var answers: [Question: Task<ServerSoftware?, Never>] = [:]

  private struct Question: Hashable {
    let server: ServerAddress
    let topic: SoftwareTopic
  }

  init(
    transport: any Transport, limits: RunLimits, store: (any SoftwareStore)?, waits: WaitBoard
  ) {
    self.transport = transport
    self.limits = limits
    self.store = store
    self.waits = waits
  }

  /// The software of a search's server; nil if it is unknown, or makes no difference to the page.
  func software(for search: Search, asking page: PageRequest) async -> ServerSoftware? {
    await software(search.source.softwareNeed(for: page), for: search, asking: page)
  }

  /// The software that satisfies a source's need; nil if it cannot be found out.
  func software(
    _ need: SoftwareNeed, for search: Search, asking page: PageRequest
  ) async -> ServerSoftware? {
    switch need {
    case .none: return nil
    case .ifKnown(let topic):
      let question = Question(server: search.server, topic: topic)
      if let answer = answers[question] { return await answer.value }
      return await store(for: topic)?.software(of: search.server)
    case .ask(let request, let topic):
      let question = Question(server: search.server, topic: topic)
      if let answer = answers[question] { return await answer.value }
      // A separate task, since all callers share it and none may cancel it for the others.
      let answer = Task { await self.ask(request, topic, for: search, asking: page) }
      answers[question] = answer
      return await answer.value
    }
  }

  /// The store, for what still holds in the next run.
  private func store(for topic: SoftwareTopic) -> (any SoftwareStore)? {
    topic == .program ? store : nil
  }

  private func ask(
    _ first: HTTPRequest, _ topic: SoftwareTopic, for search: Search, asking page: PageRequest
  ) async -> ServerSoftware? {
    let store = store(for: topic)
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

  /// The response to a request without credentials, or nil.
  private func answer(to request: HTTPRequest, for search: Search) async -> HTTPResponse? {
    var request = request
    limits.prepare(&request, of: search)
    let wait = min(limits.timeout, Self.longestWait)
    request.timeouts = Timeouts(connect: wait, idle: wait, total: wait)
    request.bounds = ResponseBounds(bodyBytes: 1 << 20)
    request.judge = { [limits, waits] response, now in
      guard RetryPolicy.passingStatuses.contains(response.status) else { return .done }
      guard response.status == 429 else { return limits.bounded(.retry, on: response, now: now) }
      // Without a time that the run allows, the search goes on without the answer.
      guard let end = RateLimit(response.headers, now: now).retryMoment,
        limits.allows(waitUntil: end, from: now)
      else { return .done }
      waits.note(end, of: search, now: now)
      return .coolDown(until: end)
    }
    do {
      return try await transport.send(request)
    } catch {
      return nil  // The search itself will report the same error.
    }
  }
}
