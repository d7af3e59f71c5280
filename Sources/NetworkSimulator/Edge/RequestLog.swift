/// Keeps the counters, and how often each request came.
struct RequestLog: Sendable {
  private(set) var counters = Counters()
  private var repetitions: [UInt64: Int] = [:]

  private static let bound = 100_000

  /// Records a request and returns the number of earlier ones that were equal, and to the same path.
  mutating func note(_ request: SimulatedRequest) -> (equal: Int, toPath: Int) {
    counters.totals[request.source, default: 0] += 1
    counters.requests.append(
      ReceivedRequest(
        method: request.method, source: request.source, faults: request.faults,
        path: request.route.joined(separator: "/"), query: request.query,
        userAgent: request.header("user-agent"),
        isAuthorized: request.header("authorization") != nil))
    if counters.requests.count > Self.bound { counters.requests.removeFirst(Self.bound / 2) }
    guard !request.faults.isEmpty else { return (0, 0) }
    if repetitions.count > Self.bound { repetitions.removeAll() }
    return (repeated(request.path, request.query), repeated(request.path))
  }

  private mutating func repeated(_ parts: String...) -> Int {
    let key = parts.reduce(0) { StableHash.of($1, seed: $0) }
    defer { repetitions[key, default: 0] += 1 }
    return repetitions[key, default: 0]
  }
}
