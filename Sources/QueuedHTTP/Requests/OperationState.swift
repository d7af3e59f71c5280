/// The state of an operation.
public enum OperationState: Sendable, Hashable {
  /// Created, not started.
  case ready
  /// Waiting for its first start.
  case queued
  /// Holding a slot.
  case running
  /// Waiting to be sent again, or to follow a redirect into another lane.
  case waitingToRetry
  /// Ended with a response, or with an error other than a cancellation.
  case finished
  /// Canceled.
  case cancelled
}
