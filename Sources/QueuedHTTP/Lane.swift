/// A key by which limits, pace and cool-down are kept; by default the origin of the address.
///
/// Two services behind one gateway get a lane each, so that the one's 429 does not freeze the
/// other.
public struct Lane: RawRepresentable, Hashable, Sendable {
  /// The text that tells the lane from others.
  public let rawValue: String

  /// Creates a lane by its text.
  public init(rawValue: String) { self.rawValue = rawValue }
}

/// How many requests a lane starts at most in an interval: a token bucket that refills evenly.
public struct Pace: Sendable, Hashable {
  /// The size of the bucket, and the tokens that an interval brings.
  public var requests: Int
  /// How long the bucket takes to fill from empty.
  public var interval: Duration

  /// Describes a pace: so many requests in each interval.
  public init(requests: Int, per interval: Duration) {
    self.requests = requests
    self.interval = interval
  }
}

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

/// How soon a waiting request is started beside the others: five classes, as operations had.
public enum RequestPriority: Int, Sendable, CaseIterable, Comparable {
  /// After all others, but never passed over for good.
  case veryLow
  /// After what is normal.
  case low
  /// The class of a request that names none.
  case normal
  /// Before what is normal.
  case high
  /// Before all others.
  case veryHigh

  /// Whether the first starts after the second.
  public static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }
}

/// A name that requests share so that they can be cancelled together.
public struct RequestGroup: RawRepresentable, Hashable, Sendable {
  /// The text that tells the group from others.
  public let rawValue: String

  /// Creates a group by its text.
  public init(rawValue: String) { self.rawValue = rawValue }
}
