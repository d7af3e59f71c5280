internal import FoundationEssentials

/// What follows from a response or a fault; pure, with clock and chance handed in.
enum RetryRules {
  /// How a request goes on.
  struct Plan: Hashable, Sendable {
    /// Whether another attempt is worth it.
    var isRepeated = false
    /// The wait that was asked for; nil means a back-off.
    var wait: Duration?
    /// Whether the whole lane waits as long.
    var coolsLane = false
    /// Whether the attempt reached nobody, so that it does not count for the lane's pace.
    var refundsPace = false

    /// The request ends with what it has.
    static let end = Plan()
  }

  /// The rules without a judge.
  static func plan(
    for response: HTTPResponse, to request: HTTPRequest, now: Date,
    longestWait: Duration = .seconds(3600)
  ) -> Plan {
    let status = response.status
    guard status == 429 || status == 503 || request.retries.statuses.contains(status) else {
      return .end
    }
    let wait = retryAfter(response.headers, now: now, longest: longestWait)
    return Plan(
      isRepeated: request.retries.methods.contains(request.method)
        && request.retries.statuses.contains(status),
      wait: wait, coolsLane: status == 429 || status == 503 && wait != nil)
  }

  /// What a judge's word means.
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
      // A moment that is past says nothing on how long to wait.
      Plan(
        isRepeated: true,
        wait: date.flatMap { $0 > now.date ? now.wait(until: $0) : nil }, coolsLane: true)
    case .doneThenCoolDown(let date):
      date > now.date ? Plan(wait: now.wait(until: date), coolsLane: true) : .end
    }
  }

  /// The plan for a fault: another attempt where the policy names it.
  static func plan(for fault: HTTPError, of request: HTTPRequest) -> Plan {
    let policy = request.retries
    return Plan(
      isRepeated: policy.faults.contains(fault.code) && policy.methods.contains(request.method),
      refundsPace: fault.isUnreachable)
  }

  /// Full jitter: evenly between nothing and a bound that doubles with each attempt.
  static func backOff(_ policy: RetryPolicy, attempts: Int, chance: Double) -> Duration {
    let doublings = min(max(0, attempts - 1), 30)
    let bound = min(
      Double(policy.firstWait.wholeNanoseconds) * Double(1 << doublings),
      Double(policy.longestWait.wholeNanoseconds))
    // As a Double, the most that 64 bits hold is one more than they do.
    let wait = max(0, bound * min(max(chance, 0), 1))
    return .nanoseconds(Int64(exactly: wait.rounded(.down)) ?? .max)
  }

  /// The wait that `Retry-After` asks for (RFC 9110, section 10.2.3), seconds or a date, but no longer
  /// than `longest`.
  static func retryAfter(_ headers: HTTPHeaders, now: Date, longest: Duration = .seconds(3600))
    -> Duration?
  {
    headers["Retry-After"].flatMap { RateLimit.retrySeconds($0, now: now) }
      .map { min(Duration(clampingSeconds: $0), max(.zero, longest)) }
  }
}
