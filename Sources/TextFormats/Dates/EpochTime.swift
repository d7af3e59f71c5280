package import FoundationEssentials

/// Dates counted from 1970-01-01T00:00:00Z, without leap seconds, in the years 1 to 9999.
package enum EpochTime {
  /// 0001-01-01T00:00:00Z up to 9999-12-31T23:59:59.999Z, in milliseconds.
  static let writable: ClosedRange<Int64> = -62_135_596_800_000...253_402_300_799_999

  /// The milliseconds up to a date; `Int64.min` if it is not finite or out of all bounds.
  static func milliseconds(of date: Date) -> Int64 {
    Int64(exactly: (date.timeIntervalSince1970 * 1000).rounded()) ?? .min
  }

  /// Returns the date, or nil outside the years 1 to 9999.
  package static func date(milliseconds: Int64) -> Date? {
    guard writable.contains(milliseconds) else { return nil }
    return Date(timeIntervalSince1970: Double(milliseconds) / 1000)
  }

  /// Returns the date, or nil outside the years 1 to 9999.
  package static func date(seconds: Int64) -> Date? {
    let (milliseconds, overflow) = seconds.multipliedReportingOverflow(by: 1000)
    return overflow ? nil : date(milliseconds: milliseconds)
  }

  /// Returns the date with every digit of its seconds, or nil outside the years 1 to 9999.
  package static func exactDate(seconds: Double) -> Date? {
    date(seconds: seconds) == nil ? nil : Date(timeIntervalSince1970: seconds)
  }

  /// Returns the date truncated to whole milliseconds, or nil outside the years 1 to 9999.
  package static func date(seconds: Double) -> Date? {
    // Add half a microsecond: .123 of today's seconds is stored slightly below or above itself.
    guard let milliseconds = Int64(exactly: (seconds * 1000 + 0.0005).rounded(.down)) else {
      return nil
    }
    return date(milliseconds: milliseconds)
  }
}
