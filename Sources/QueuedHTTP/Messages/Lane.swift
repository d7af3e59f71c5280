/// The requests that share a limit, a pace and a cool-down; by default those to one origin.
///
/// Give two services behind one gateway a lane each, so that a 429 of one does not block the other.
public struct Lane: RawRepresentable, Hashable, Sendable {
  /// The name of the lane.
  public let rawValue: String

  /// Creates a lane from its name.
  public init(rawValue: String) { self.rawValue = rawValue }
}

/// The maximum rate of a lane: a token bucket that refills evenly.
public struct Pace: Sendable, Hashable {
  /// The size of the bucket, and the number of tokens added in each interval.
  public var requests: Int
  /// The time in which an empty bucket fills.
  public var interval: Duration

  /// Creates a pace of at most `requests` requests in each interval.
  public init(requests: Int, per interval: Duration) {
    self.requests = requests
    self.interval = interval
  }
}

/// The maximum number of waiting requests, and what happens to further ones.
public enum QueueCapacity: Sendable, Hashable {
  /// No limit except memory.
  case unbounded
  /// Further requests wait in front of the queue, in order of arrival whatever their priority, until
  /// there is room; `HTTPClient.waitForRoom()` holds producers back.
  case wait(above: Int)
  /// Further requests fail at once with `HTTPError.Code.queueFull`.
  case refuse(above: Int)
  /// For each further request, the oldest waiting one fails with `HTTPError.Code.queueFull`.
  case dropOldest(above: Int)
}

/// The priority of a waiting request.
public enum RequestPriority: Int, Sendable, CaseIterable, Comparable {
  /// After all others, but never postponed forever.
  case veryLow
  /// After normal requests.
  case low
  /// The default.
  case normal
  /// Before normal requests.
  case high
  /// Before all others.
  case veryHigh

  /// True if the first priority is lower than the second.
  public static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }
}

/// A name for requests that can be canceled together.
public struct RequestGroup: RawRepresentable, Hashable, Sendable {
  /// The name of the group.
  public let rawValue: String

  /// Creates a group from its name.
  public init(rawValue: String) { self.rawValue = rawValue }
}
