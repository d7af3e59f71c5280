package import FoundationEssentials

/// Moments counted from 1970-01-01T00:00:00Z, without leap seconds.
package enum EpochTime {
  /// 0001-01-01T00:00:00Z up to 9999-12-31T23:59:59.999Z: what RFC 3339 can write.
  private static let writable: ClosedRange<Int64> = -62_135_596_800_000...253_402_300_799_999

  /// The moment; nil when it lies outside the years 1 to 9999.
  package static func date(milliseconds: Int64) -> Date? {
    guard writable.contains(milliseconds) else { return nil }
    return Date(timeIntervalSince1970: Double(milliseconds) / 1000)
  }

  /// The moment; nil when it lies outside the years 1 to 9999.
  package static func date(seconds: Int64) -> Date? {
    let (milliseconds, overflow) = seconds.multipliedReportingOverflow(by: 1000)
    return overflow ? nil : date(milliseconds: milliseconds)
  }

  /// The moment, cut to whole milliseconds; nil when it lies outside the years 1 to 9999.
  package static func date(seconds: Double) -> Date? {
    // Half a microsecond more, as .123 of today's seconds is stored a little below or above itself.
    guard let milliseconds = Int64(exactly: (seconds * 1000 + 0.0005).rounded(.down)) else {
      return nil
    }
    return date(milliseconds: milliseconds)
  }
}
