/// How long each stage of a request may take; nil means without an end.
public struct Timeouts: Sendable, Hashable {
  /// Name lookup, connection and TLS together.
  public var connect: Duration?
  /// The longest pause between two bytes once connected, the wait for the first included.
  public var idle: Duration?
  /// One transfer from start to end; waiting in the queue does not count.
  public var total: Duration?
  /// Waiting in the queue before the first start.
  public var queue: Duration?

  /// Describes timeouts: nothing bounds the wait in the queue, unless told otherwise.
  public init(
    connect: Duration? = .seconds(10), idle: Duration? = .seconds(20),
    total: Duration? = .seconds(60), queue: Duration? = nil
  ) {
    self.connect = connect
    self.idle = idle
    self.total = total
    self.queue = queue
  }
}
