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
