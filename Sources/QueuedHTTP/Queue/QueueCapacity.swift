/// How many requests may wait in the queue, and what happens to one more.
public enum QueueCapacity: Sendable, Hashable {
  /// As many as memory holds.
  case unbounded
  /// One more than this stands in line before the queue, in the order of arrival whatever its
  /// priority, and comes in when there is room; `HTTPClient.waitForRoom()` holds producers back.
  case wait(above: Int)
  /// One more than this ends at once with `HTTPError.Code.queueFull`.
  case refuse(above: Int)
  /// With one more than this, the one that waits longest ends with `HTTPError.Code.queueFull`.
  case dropOldest(above: Int)
}
