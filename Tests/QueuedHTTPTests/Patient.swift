import QueuedHTTP

extension Timeouts {
  /// Without an end, for what does not depend on the machine's speed.
  static let none = Timeouts(connect: nil, idle: nil, total: nil, queue: nil)
}

extension RetryPolicy {
  /// Up to two more attempts, at once but never too late, however slow the machine is.
  static let soon = RetryPolicy(firstWait: .milliseconds(2), budget: .days)
}

extension Duration {
  /// Longer than any test runs: for waits that are not to end.
  static let hours = Duration.seconds(10 * 3600)
  /// Longer than `hours`.
  static let days = Duration.seconds(10 * 86_400)
}

/// A request that no time limit ends, unless a test is about one.
func patient(
  _ method: HTTPMethod = .get, url: String, headers: HTTPHeaders = [:], body: [UInt8]? = nil,
  lane: Lane? = nil, timeouts: Timeouts = .none, retries: RetryPolicy = RetryPolicy(budget: .days),
  bounds: ResponseBounds = ResponseBounds(), judge: Judge? = nil, secretHeaders: Set<String> = [],
  group: RequestGroup? = nil, destination: ResponseDestination = .memory,
  upload: UploadBody? = nil, validations: [ResponseValidation] = []
) -> HTTPRequest {
  HTTPRequest(
    method, url: url, headers: headers, body: body, lane: lane, timeouts: timeouts,
    retries: retries, bounds: bounds, judge: judge, secretHeaders: secretHeaders, group: group,
    destination: destination, upload: upload, validations: validations)
}
