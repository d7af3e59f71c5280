internal import QueuedHTTP

extension RunLimits {
  /// Bounds a request as the run's requests are bounded, a login among them.
  func apply(to request: inout HTTPRequest) {
    request.timeouts = Timeouts(
      connect: min(timeout, .seconds(10)), idle: timeout, total: timeout)
    request.retries = RetryPolicy(
      limit: retries, budget: min(longest ?? .seconds(60), .seconds(60)))
    request.bounds = ResponseBounds(bodyBytes: 32 << 20)
  }
}
