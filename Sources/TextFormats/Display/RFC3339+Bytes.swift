package import FoundationEssentials

extension RFC3339 {
  /// Whether a date lies in the years 0 to 9999, the only ones that RFC 3339 can write.
  package static func canWrite(_ date: Date) -> Bool {
    let seconds = date.timeIntervalSince1970
    return seconds >= -62_167_219_200 && seconds < 253_402_300_799.9995
  }

  /// Appends the date in UTC with milliseconds, `2026-11-21T09:00:00.000Z`, without a string between.
  ///
  /// - Returns: Whether it could be written; if not, nothing is appended.
  @discardableResult
  package static func append(_ date: Date, to bytes: inout [UInt8]) -> Bool {
    guard canWrite(date) else { return false }
    // Counted from the year 0, so that divisions need no rounding down.
    let milliseconds = Int((date.timeIntervalSince1970 * 1000).rounded()) + 62_167_219_200_000
    let (days, rest) = milliseconds.quotientAndRemainder(dividingBy: 86_400_000)
    let (seconds, fraction) = rest.quotientAndRemainder(dividingBy: 1000)
    let civil = CivilDate(daysSince1970: days - 719_528)
    append(pair: civil.year / 100, to: &bytes)
    append(pair: civil.year % 100, to: &bytes)
    bytes.append(UInt8(ascii: "-"))
    append(pair: civil.month, to: &bytes)
    bytes.append(UInt8(ascii: "-"))
    append(pair: civil.day, to: &bytes)
    bytes.append(UInt8(ascii: "T"))
    append(pair: seconds / 3600, to: &bytes)
    bytes.append(UInt8(ascii: ":"))
    append(pair: seconds / 60 % 60, to: &bytes)
    bytes.append(UInt8(ascii: ":"))
    append(pair: seconds % 60, to: &bytes)
    bytes.append(UInt8(ascii: "."))
    bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: fraction / 100))
    append(pair: fraction % 100, to: &bytes)
    bytes.append(UInt8(ascii: "Z"))
    return true
  }

  private static func append(pair number: Int, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number / 10))
    bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number % 10))
  }
}
