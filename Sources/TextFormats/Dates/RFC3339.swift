package import FoundationEssentials

/// Dates as RFC 3339 writes them.
package enum RFC3339 {
  /// Returns the date in UTC with milliseconds: `2026-11-21T09:00:00.000Z`, 24 characters for the
  /// years 0 to 9999.
  package static func format(_ date: Date) -> String {
    let milliseconds = Int((date.timeIntervalSince1970 * 1000).rounded())
    let seconds = Int((Double(milliseconds) / 1000).rounded(.down))
    let days = Int((Double(seconds) / 86_400).rounded(.down))
    let civil = CivilDate(daysSince1970: days)
    let second = seconds - days * 86_400
    var text: [UInt8] = []
    text.reserveCapacity(24)
    append(civil.year, digits: 4, to: &text)
    text.append(UInt8(ascii: "-"))
    append(civil.month, digits: 2, to: &text)
    text.append(UInt8(ascii: "-"))
    append(civil.day, digits: 2, to: &text)
    text.append(UInt8(ascii: "T"))
    append(second / 3600, digits: 2, to: &text)
    text.append(UInt8(ascii: ":"))
    append(second / 60 % 60, digits: 2, to: &text)
    text.append(UInt8(ascii: ":"))
    append(second % 60, digits: 2, to: &text)
    text.append(UInt8(ascii: "."))
    append(milliseconds - seconds * 1000, digits: 3, to: &text)
    text.append(UInt8(ascii: "Z"))
    return String(decoding: text, as: UTF8.self)
  }

  private static func append(_ number: Int, digits: Int, to text: inout [UInt8]) {
    var divisor = 1
    for _ in 1..<digits { divisor *= 10 }
    while divisor > 0 {
      text.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number / divisor % 10))
      divisor /= 10
    }
  }
}
