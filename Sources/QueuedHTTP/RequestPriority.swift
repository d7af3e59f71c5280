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
