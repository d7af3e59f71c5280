/// How many requests of a client are where, and how those that ended did.
public struct QueueCounts: Sendable, Hashable {
  /// Waiting for a start, those of `cooling` among them.
  public var queued = 0
  /// Waiting for a start in a lane that cools down.
  public var cooling = 0
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

  /// Connections that were opened since the client was made.
  public var connectionsOpened = 0
  /// How often a request, or a redirect of one, went over a connection that was open.
  public var connectionsReused = 0

  /// Counts nothing.
  public init() {}

  /// Those that have not ended.
  public var underWay: Int { queued + running + waitingToRetry }
}
