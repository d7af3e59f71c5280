internal import FoundationEssentials

/// What the merge sorts in a post's stead: all of the order but the last ties.
struct MergeKey {
  /// The three parts of a merged list, in their order.
  enum Era: Int32 {
    case dated
    case future
    case undated
  }

  /// Era and moment in one number that grows down the list.
  private let position: Int64
  /// The rank of its source and server among all.
  private let rank: Int32
  private let number: Int32

  /// Milliseconds are since the year 0, so that they are never negative.
  init(era: Era, milliseconds: Int64, rank: Int, entry: Int) {
    position = Int64(era.rawValue) << Self.eraShift | (Self.latest - milliseconds)
    self.rank = Int32(truncatingIfNeeded: rank)
    number = Int32(truncatingIfNeeded: entry)
  }

  /// The index of the post among the distinct ones.
  var entry: Int { Int(number) }

  /// A number for the era and the whole second.
  var second: Int64 {
    let milliseconds = Self.latest - position & (1 << Self.eraShift - 1)
    return Int64(era.rawValue) << Self.eraShift | milliseconds / 1000
  }

  var era: Era { Era(rawValue: Int32(position >> Self.eraShift)) ?? .undated }

  /// Whether it stands before another; nil when the posts themselves must decide.
  func isBefore(_ other: Self) -> Bool? {
    if position != other.position { return position < other.position }
    return rank == other.rank ? nil : rank < other.rank
  }

  /// Milliseconds from the first moment of the year 0 to a date; nil for one that RFC 3339, which
  /// ends with the year 9999, cannot write: such a date is a mistake.
  static func milliseconds(of date: Date) -> Int64? {
    let milliseconds = (date.timeIntervalSince1970 * 1000).rounded() + yearZero
    return milliseconds >= 0 && milliseconds <= Double(latest) ? Int64(milliseconds) : nil
  }

  private static let eraShift: Int64 = 56
  /// From 0000-01-01 to 1970-01-01, in milliseconds.
  private static let yearZero = 62_167_219_200_000.0
  /// The last millisecond of the year 9999, counted from the year 0.
  private static let latest: Int64 = 315_569_519_999_999
}
