/// What a simulator was asked.
package struct Counters: Sendable, Hashable {
  /// How many requests each source got.
  package fileprivate(set) var totals: [String: Int] = [:]
  /// The latest requests in the order that they came, up to a bound.
  package fileprivate(set) var requests: [ReceivedRequest] = []

  /// How many requests there were.
  package var total: Int { totals.values.reduce(0, +) }

  /// How many requests a source got.
  package func count(of source: String) -> Int { totals[source] ?? 0 }

  /// The query strings that a source got, as they came.
  package func queries(of source: String) -> [String] {
    requests.filter { $0.source == source }.map(\.query)
  }
}

/// Keeps the counters, and how often each request came.
struct RequestLog: Sendable {
  private(set) var counters = Counters()
  private var repetitions: [UInt64: Int] = [:]

  private static let bound = 100_000

  /// Notes a request and returns how often the same one came before.
  mutating func note(_ request: SimulatedRequest) -> Int {
    counters.totals[request.source, default: 0] += 1
    counters.requests.append(
      ReceivedRequest(
        method: request.method, source: request.source, faults: request.faults,
        path: request.route.joined(separator: "/"), query: request.query,
        userAgent: request.header("user-agent"),
        isAuthorized: request.header("authorization") != nil))
    if counters.requests.count > Self.bound { counters.requests.removeFirst(Self.bound / 2) }
    guard !request.faults.isEmpty else { return 0 }
    if repetitions.count > Self.bound { repetitions.removeAll() }
    let key = StableHash.of(request.path, request.query)
    let before = repetitions[key, default: 0]
    repetitions[key] = before + 1
    return before
  }
}
