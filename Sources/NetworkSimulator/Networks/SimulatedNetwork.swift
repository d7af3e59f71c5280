/// A network's search API, as a pure function of a request, a corpus and a clock.
protocol SimulatedNetwork: Sendable {
  /// Its path segment, which is the source's name or, for a second server, begins with it.
  var name: String { get }

  /// Returns what a request moves, if its answer depends on how often it was moved before, as with a cursor
  /// that the server advances; by default nil, since equal requests have equal answers.
  func state(of request: SimulatedRequest) -> String?

  /// Answers a request as the network's documentation says.
  func answer(to request: SimulatedRequest, in world: SimulatedWorld) -> SimulatedAnswer

  /// Returns the network's own error for a status.
  func refusal(_ status: Int, to request: SimulatedRequest) -> SimulatedAnswer

  /// Returns the network's own response to too many requests; by default a refusal with `Retry-After`.
  func slowDown(_ wait: Wait, to request: SimulatedRequest) -> SimulatedAnswer

  /// The quota that the request counts against; by default nil, for no limit.
  func quota(for request: SimulatedRequest) -> Quota?

  /// The headers that state the remaining quota; by default none.
  func headers(stating level: QuotaLevel, for request: SimulatedRequest) -> [(
    name: String, value: String
  )]
}

extension SimulatedNetwork {
  func state(of request: SimulatedRequest) -> String? { nil }

  func slowDown(_ wait: Wait, to request: SimulatedRequest) -> SimulatedAnswer {
    refusal(429, to: request).adding("Retry-After", "\(wait.seconds)")
  }

  func quota(for request: SimulatedRequest) -> Quota? { nil }

  func headers(
    stating level: QuotaLevel, for request: SimulatedRequest
  ) -> [(name: String, value: String)] { [] }
}
