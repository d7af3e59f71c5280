internal import FoundationEssentials

/// The consequences of a response or a fault; pure, with time and chance as parameters.
enum RetryRules {
  /// The course of a request after an attempt.
  struct Plan: Hashable, Sendable {
    /// True if it is worth another attempt.
    var isRepeated = false
    /// The requested wait; nil means a back-off.
    var wait: Duration?
    /// True if the whole lane has to wait.
    var coolsLane = false
    /// True if the wait belongs to the pause that the lane has just kept, so that a probe does not end.
    var extendsPause = false
    /// True if the attempt reached no server, so that it does not count for the lane's pace.
    var refundsPace = false

    /// The request ends with its result.
    static let end = Plan()
  }

  /// The rules without a judge.
  static func plan(
    for response: HTTPResponse, to request: HTTPRequest, now: Date,
    longestWait: Duration = .seconds(3600)
  ) -> Plan {
    // A status that does not exist is a server error (RFC 9110, section 15).
    let status = response.status > 599 ? 500 : response.status
    guard status == 429 || status == 503 || request.retries.statuses.contains(status) else {
      return .end
    }
    let wait = retryAfter(response.headers, now: now, longest: longestWait)
    return Plan(
      isRepeated: request.retries.methods.contains(request.method)
        && request.retries.statuses.contains(status),
      wait: wait, coolsLane: status == 429 || status == 503 && wait != nil)
  }

  /// The plan for the verdict of a judge.
  static func plan(
    for verdict: Verdict, on response: HTTPResponse, now: Instant,
    longestWait: Duration = .seconds(3600)
  ) -> Plan {
    switch verdict {
    case .done: .end
    case .retry:
      Plan(
        isRepeated: true,
        wait: retryAfter(response.headers, now: now.date, longest: longestWait))
    case .retryAfter(let wait): Plan(isRepeated: true, wait: max(.zero, wait))
    case .coolDown(let date):
      // A date in the past does not say how long to wait.
      Plan(
        isRepeated: true,
        wait: date.flatMap { $0 > now.date ? now.wait(until: $0) : nil }, coolsLane: true)
    case .extendCoolDown(let date):
      Plan(
        isRepeated: true, wait: max(.zero, now.wait(until: date)), coolsLane: true,
        extendsPause: true)
    case .doneThenCoolDown(let date):
      date > now.date ? Plan(wait: now.wait(until: date), coolsLane: true) : .end
    }
  }

  /// The plan for a fault: another attempt if the policy includes it.
  static func plan(for fault: HTTPError, of request: HTTPRequest) -> Plan {
    let policy = request.retries
    return Plan(
      isRepeated: policy.faults.contains(fault.code) && policy.methods.contains(request.method),
      refundsPace: fault.isUnreachable)
  }

  /// Full jitter: evenly distributed between zero and a limit that doubles with each retry.
  ///
  /// - Parameter retries: The number of retries before this one.
  static func backOff(_ policy: RetryPolicy, retries: Int, chance: Double) -> Duration {
    let doublings = min(max(0, retries), 30)
    let bound = min(
      Double(policy.firstWait.wholeNanoseconds) * Double(1 << doublings),
      Double(policy.longestWait.wholeNanoseconds))
    // As a Double, `Int64.max` is one too large for an Int64.
    let wait = max(0, bound * min(max(chance, 0), 1))
    return .nanoseconds(Int64(exactly: wait.rounded(.down)) ?? .max)
  }

  /// The wait in `Retry-After` (RFC 9110, section 10.2.3), as seconds or a date, but at most `longest`; nil for a
  /// negative one and a date in the past, which do not say how long to wait.
  static func retryAfter(_ headers: HTTPHeaders, now: Date, longest: Duration = .seconds(3600))
    -> Duration?
  {
    headers["Retry-After"].flatMap { RateLimit.retrySeconds($0, now: now) }
      .flatMap { $0 < 0 ? nil : $0 }
      .map { min(Duration(clampingSeconds: $0), max(.zero, longest)) }
  }
}
