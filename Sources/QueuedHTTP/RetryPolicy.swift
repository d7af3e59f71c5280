public import FoundationEssentials

/// When a request is sent again, and how long it waits before.
///
/// Without a judge: the methods, statuses and faults below, with exponential back-off and full jitter
/// (the wait is drawn evenly from nothing to the step's bound).
public struct RetryPolicy: Sendable, Hashable {
  /// Further attempts after the first; 0 means none.
  public var limit: Int
  /// The bound of the first wait; each further one doubles it.
  public var firstWait: Duration
  /// The bound of every wait that is drawn.
  public var longestWait: Duration
  /// The longest time from the first start to the last, waits included.
  ///
  /// A wait that would lead beyond it ends the request at once, with an error that names the
  /// moment. A request that never started has all of it left, however long it has been queued.
  public var budget: Duration
  /// Statuses that are worth another attempt.
  public var statuses: Set<Int>
  /// The methods that are sent again.
  ///
  /// Adding `.post` is safe only where the server notices a request that it has seen before, by an
  /// idempotency key for example: an attempt that failed may have been carried out.
  public var methods: Set<HTTPMethod>
  /// The kinds of error that are worth another attempt.
  public var faults: Set<HTTPError.Code>
  /// Whether a request is sent again that was the first after a cool-down of its lane, and was told to
  /// wait once more.
  public var retriesProbes = true

  /// Describes a policy: two further attempts within a minute, unless told otherwise.
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

  /// The statuses that pass on their own: 408, 429, 500, 502, 503 and 504.
  public static let passingStatuses: Set<Int> = [408, 429, 500, 502, 503, 504]

  /// The methods that mean the same when they are sent twice (RFC 9110, section 9.2.2).
  public static let idempotentMethods: Set<HTTPMethod> = [.get, .head, .put, .delete, .options]

  /// The faults of a connection that the next attempt may not meet again.
  public static let passingFaults: Set<HTTPError.Code> = [
    .nameLookup, .connection, .connectTimeout, .brokenAnswer,
  ]

  /// Sends once and never again.
  public static let never = RetryPolicy(limit: 0)
}

/// A pure function of a response that says how the request goes on; it runs off the worker thread.
///
/// The date is the moment at which the response ended, for waits that are given as a moment.
public typealias Judge = @Sendable (HTTPResponse, Date) -> Verdict

/// A judge's word on a response.
public enum Verdict: Sendable, Hashable {
  /// The response is the request's end, whatever its status.
  case done
  /// Worth another attempt after what `Retry-After` asks for, else a back-off, within the policy's
  /// limit and budget; the response is the end when these are spent.
  case retry
  /// The same, after just this wait.
  case retryAfter(Duration)
  /// The quota is spent: the request and all others of its lane wait until this moment. When that
  /// is beyond the time left, the response is the end at once. Where the server names no moment it
  /// is nil, and they wait for a back-off.
  case coolDown(until: Date?)
  /// The response is the request's end and is good, but all others of its lane wait until this
  /// moment: some networks say "slow down" beside what was asked for.
  case doneThenCoolDown(until: Date)
}
