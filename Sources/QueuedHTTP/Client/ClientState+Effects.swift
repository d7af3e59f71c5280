extension ClientState {
  /// The actions to perform outside the lock.
  struct Effects: Sendable {
    var settlements: [Settlement] = []
    /// Waiters for which the queue has room now.
    var admitted: [CapacityWaiter] = []
    var needsWake = false
    /// Attempts that the interceptor changes before they are sent.
    var adaptations: [Adaptation] = []
    /// Requests that ended while the interceptor worked for them.
    var interrupted: [RequestID] = []
  }

  /// The consequences of a plan.
  struct RetryDecision: Sendable {
    var effects = Effects()
    var isRepeated = false
    /// The wait before the retry, or of the lane; nil if the request has ended.
    var wait: Duration?
    /// The lane that cools down; nil if none does.
    var cooled: Lane?
  }
}
