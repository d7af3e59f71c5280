extension ClientState {
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
