/// A network's search API, as a pure function of a request, a corpus and a clock.
protocol SimulatedNetwork: Sendable {
  /// Its path segment, which is the source's name or, for a second server, begins with it.
  var name: String { get }

  /// Answers a request as the network's documentation says.
  func answer(to request: SimulatedRequest, in world: SimulatedWorld) -> SimulatedAnswer

  /// Returns the network's own error for a status.
  func refusal(_ status: Int, to request: SimulatedRequest) -> SimulatedAnswer

  /// Returns the network's own response to too many requests.
  func slowDown(_ wait: Wait, to request: SimulatedRequest) -> SimulatedAnswer

  /// The quota that the request counts against, or nil.
  func quota(for request: SimulatedRequest) -> Quota?

  /// The headers that state the remaining quota.
  func headers(stating level: QuotaLevel, for request: SimulatedRequest) -> [(
    name: String, value: String
  )]
}
