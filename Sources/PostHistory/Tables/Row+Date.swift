internal import FoundationEssentials

// Dates are columns of whole milliseconds since 1970.

extension SQLiteValue {
  static func date(_ date: Date?) -> SQLiteValue {
    .integer(date.map { Milliseconds($0).count })
  }
}

extension Row {
  /// The date in a column that has one in each row.
  func knownDate(_ name: StaticString) throws(SQLiteError) -> Date {
    Milliseconds(count: try integer(name)).date
  }

  func date(_ name: StaticString) throws(SQLiteError) -> Date? {
    try optionalInteger(name).map { Milliseconds(count: $0).date }
  }
}
