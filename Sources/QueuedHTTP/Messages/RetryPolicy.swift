public import FoundationEssentials

/// The rules by which a request is sent again, and the waits before that.
///
/// Without a judge: the methods, statuses and faults below, with exponential back-off and full jitter
/// (the wait is random, from zero to the limit of the step).
public struct RetryPolicy: Sendable, Hashable {
  /// The maximum number of retries; 0 means none.
  public var limit: Int
  /// The limit of the first wait; it doubles with each further retry.
  public var firstWait: Duration
  /// The limit of every random wait.
  public var longestWait: Duration
  /// The maximum time from the first start to the last, including waits.
  ///
  /// If a wait exceeds it, the request ends at once, with an error that has a `retryMoment`. The time in
  /// the queue before the first start does not count.
  public var budget: Duration
  /// The statuses to retry; one above 599 counts as 500.
  public var statuses: Set<Int>
  /// The methods to retry.
  ///
  /// Adding `.post` is safe only if the server recognizes repeated requests, for example by an
  /// idempotency key: it may have processed an attempt that failed.
  public var methods: Set<HTTPMethod>
  /// The kinds of error to retry.
  public var faults: Set<HTTPError.Code>
  /// True to retry a request that was the first after a cool-down of its lane, and that the server
  /// asked to slow down again.
  public var retriesProbes = true

  /// Creates a policy: by default two retries within a minute.
  public init(
    limit: Int = 2, firstWait: Duration = .milliseconds(500), longestWait: Duration = .seconds(10),
    budget: Duration = .seconds(60), statuses: Set<Int> = RetryPolicy.passingStatuses,
    methods: Set<HTTPMethod> = RetryPolicy.idempotentMethods,
    faults: Set<HTTPError.Code> = RetryPolicy.passingFaults
  ) {
    self.limit = limit
    self.firstWait = firstWait
    self.longestWait = longestWait
    self.budget = budget
    self.statuses = statuses
    self.methods = methods
    self.faults = faults
  }

  /// The statuses that are usually temporary.
  ///
  /// By 520 to 524 Cloudflare says that the server behind it does not answer; by 529 some services say that they are
  /// overloaded.
  /// https://developers.cloudflare.com/support/troubleshooting/http-status-codes/cloudflare-5xx-errors/
  public static let passingStatuses: Set<Int> = [
    408, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524, 529,
  ]

  /// The methods that have the same effect when they are sent twice (RFC 9110, section 9.2.2).
  public static let idempotentMethods: Set<HTTPMethod> = [.get, .head, .put, .delete, .options]

  /// The connection faults that are usually temporary.
  public static let passingFaults: Set<HTTPError.Code> = [
    .nameLookup, .connection, .connectTimeout, .brokenAnswer,
  ]

  /// No retries.
  public static let never = RetryPolicy(limit: 0)
}

/// A pure function that decides how a request continues after a response; it does not run on the worker
/// thread.
///
/// The date is the time at which the response ended, for waits that are given as a date.
public typealias Judge = @Sendable (HTTPResponse, Date) -> Verdict

/// The decision of a judge about a response.
public enum Verdict: Sendable, Hashable {
  /// The response is the result of the request, whatever its status.
  case done
  /// Send the request again after the time in `Retry-After`, or else a back-off, within the policy's limit
  /// and budget; when these are used up, the response is the result.
  case retry
  /// Send the request again after exactly this wait.
  case retryAfter(Duration)
  /// The quota is used up: the request and all others of its lane wait until this date. If the request
  /// cannot wait that long, the response is the result at once. If the server does not say until when,
  /// pass nil; they wait for a back-off.
  case coolDown(until: Date?)
  /// The pause that the lane has just kept was a little too short, as clocks differ and servers round:
  /// like `coolDown`, but a request that probes the lane is sent again, too.
  case extendCoolDown(until: Date)
  /// The response is the result, but all other requests of its lane wait until this date: some servers
  /// ask clients to slow down along with a successful response.
  case doneThenCoolDown(until: Date)
}
