/// How soon a waiting request is started beside the others: five classes, as operations had.
public enum RequestPriority: Int, Sendable, CaseIterable, Comparable {
  case veryLow, low, normal, high, veryHigh

  public static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }
}
