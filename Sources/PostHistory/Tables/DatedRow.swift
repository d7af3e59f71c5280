package import FoundationEssentials
internal import SearchModel

// Both stores keep dates as columns of whole milliseconds since 1970.

/// A row of a result whose columns may be dates.
package protocol DatedRow: ~Copyable {
  associatedtype Failure: Error

  func integer(_ name: StaticString) throws(Failure) -> Int64
  func optionalInteger(_ name: StaticString) throws(Failure) -> Int64?
}

extension DatedRow where Self: ~Copyable {
  /// The date in a column that has one in each row.
  package func knownDate(_ name: StaticString) throws(Failure) -> Date {
    Milliseconds(count: try integer(name)).date
  }

  package func date(_ name: StaticString) throws(Failure) -> Date? {
    try optionalInteger(name).map { Milliseconds(count: $0).date }
  }
}

/// A value for a parameter of a statement, which may be a date.
package protocol DatedValue {
  static func integer(_ number: Int64?) -> Self
}

extension DatedValue {
  package static func date(_ date: Date?) -> Self { integer(date.map { Milliseconds($0).count }) }
}

extension Row: DatedRow {}
extension SQLiteValue: DatedValue {}
