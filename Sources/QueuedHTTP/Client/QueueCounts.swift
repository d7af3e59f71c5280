/// How many requests of a client are where, and how those that ended did.
public struct QueueCounts: Sendable, Hashable {
  /// Waiting for a start.
  public var queued = 0
  /// Holding a slot.
  public var running = 0
  /// Waiting to be sent again.
  public var waitingToRetry = 0
  /// Ended with a response.
  public var done = 0
  /// Ended with an error that is no cancellation.
  public var failed = 0
  /// Ended by a cancellation or the shutdown.
  public var cancelled = 0

  /// Counts nothing.
  public init() {}

  /// Those that have not ended.
  public var underWay: Int { queued + running + waitingToRetry }
}
