/// When a request is sent again, and how long it waits before.
///
/// Without a judge: idempotent methods, on connection faults and the statuses below, with
/// exponential back-off and full jitter (the wait is drawn evenly from nothing to the step's
/// bound).
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

  /// Describes a policy: two further attempts within a minute, unless told otherwise.
  public init(
    limit: Int = 2, firstWait: Duration = .milliseconds(500), longestWait: Duration = .seconds(10),
    budget: Duration = .seconds(60), statuses: Set<Int> = RetryPolicy.passingStatuses
  ) {
    self.limit = limit
    self.firstWait = firstWait
    self.longestWait = longestWait
    self.budget = budget
    self.statuses = statuses
  }

  /// The statuses that pass on their own: 408, 429, 500, 502, 503 and 504.
  public static let passingStatuses: Set<Int> = [408, 429, 500, 502, 503, 504]

  /// Sends once and never again.
  public static let never = RetryPolicy(limit: 0)
}
