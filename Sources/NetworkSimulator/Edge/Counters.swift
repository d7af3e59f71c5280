/// The requests that a simulator received.
package struct Counters: Sendable, Hashable {
  /// The number of requests for each source.
  package internal(set) var totals: [String: Int] = [:]
  /// The latest requests in the order that they came, up to a bound.
  package internal(set) var requests: [ReceivedRequest] = []

  /// The number of all requests.
  package var total: Int { totals.values.reduce(0, +) }

  /// Returns the number of requests for a source.
  package func count(of source: String) -> Int { totals[source] ?? 0 }

  /// The query strings that a source got, as they came.
  package func queries(of source: String) -> [String] {
    requests.filter { $0.source == source }.map(\.query)
  }
}

/// A request as the simulator received it.
package struct ReceivedRequest: Sendable, Hashable {
  package let method: String
  /// The source's segment; empty when there was none.
  package let source: String
  /// The faults of the path, without their `~`.
  package let faults: [String]
  /// The path after the source, decoded: `api/v1/search_by_date`.
  package let path: String
  /// The query string as it came, without its question mark.
  package let query: String
  package let userAgent: String?
  package let isAuthorized: Bool
}

/// Keeps the counters, and how often each request came.
struct RequestLog: Sendable {
  private(set) var counters = Counters()
  private var repetitions: [UInt64: Int] = [:]

  private static let bound = 100_000

  /// Records a request and returns the number of earlier ones with the same state, and to the same path.
  ///
  /// - Parameter state: The query, or what else the answer's turn depends on; nil if it depends on nothing,
  ///   and then both are 0.
  mutating func note(
    _ request: SimulatedRequest, moving state: String?
  ) -> (equal: Int, toPath: Int) {
    counters.totals[request.source, default: 0] += 1
    counters.requests.append(
      ReceivedRequest(
        method: request.method, source: request.source, faults: request.faults,
        path: request.route.joined(separator: "/"), query: request.query,
        userAgent: request.header("user-agent"),
        isAuthorized: request.header("authorization") != nil))
    if counters.requests.count > Self.bound { counters.requests.removeFirst(Self.bound / 2) }
    guard let state else { return (0, 0) }
    if repetitions.count > Self.bound { repetitions.removeAll() }
    return (repeated(request.path, state), repeated(request.path))
  }

  private mutating func repeated(_ parts: String...) -> Int {
    let key = parts.reduce(0) { StableHash.of($1, seed: $0) }
    defer { repetitions[key, default: 0] += 1 }
    return repetitions[key, default: 0]
  }
}
