import QueuedHTTP

extension Timeouts {
  /// Without an end, for what does not depend on the machine's speed.
  static let none = Timeouts(connect: nil, idle: nil, total: nil, queue: nil)
}

/// A request that no time limit ends, unless a test is about one.
func patient(
  _ method: HTTPMethod = .get, url: String, headers: HTTPHeaders = [:], body: [UInt8]? = nil,
  lane: Lane? = nil, timeouts: Timeouts = .none, retries: RetryPolicy = RetryPolicy(),
  bounds: ResponseBounds = ResponseBounds(), judge: Judge? = nil, secretHeaders: Set<String> = []
) -> HTTPRequest {
  HTTPRequest(
    method, url: url, headers: headers, body: body, lane: lane, timeouts: timeouts,
    retries: retries, bounds: bounds, judge: judge, secretHeaders: secretHeaders)
}
