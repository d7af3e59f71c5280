/// A network's search API as a pure function of a request, a corpus and a clock.
protocol SimulatedNetwork: Sendable {
  /// Its path segment, which is the source's name or, for a second server, begins with it.
  var name: String { get }

  /// Answers a request as the network's documentation says.
  func answer(to request: SimulatedRequest, in world: SimulatedWorld) -> SimulatedAnswer

  /// Says that a request failed with `status`, in the body that the network has for it.
  func refusal(_ status: Int, to request: SimulatedRequest) -> SimulatedAnswer

  /// Says "slow down" in the network's own way; the clock is the real one.
  func slowDown(_ wait: Wait, to request: SimulatedRequest) -> SimulatedAnswer

  /// What the request counts against; nil when it is not counted.
  func quota(for request: SimulatedRequest) -> Quota?

  /// The headers that state how much of a quota is left.
  func headers(stating level: QuotaLevel, for request: SimulatedRequest) -> [(
    name: String, value: String
  )]
}
