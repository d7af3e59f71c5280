internal import FoundationEssentials
internal import PostHistory

// Dates are columns of whole milliseconds since 1970.

extension PostgresValue {
  static func date(_ date: Date?) -> PostgresValue {
    .integer(date.map { Milliseconds($0).count })
  }
}

extension PostgresRow {
  /// The date in a column that has one in each row.
  func knownDate(_ name: StaticString) throws(PostgresError) -> Date {
    Milliseconds(count: try integer(name)).date
  }

  func date(_ name: StaticString) throws(PostgresError) -> Date? {
    try optionalInteger(name).map { Milliseconds(count: $0).date }
  }
}
