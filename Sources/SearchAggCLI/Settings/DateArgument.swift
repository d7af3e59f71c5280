internal import FoundationEssentials
internal import TextFormats

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A moment as users write it: `searchagg help dates`.
enum DateArgument {
  static let expected =
    "a date such as 2026-11-20, 2026-11-20T09:00:00Z, today, yesterday, now, 90m, 2h, 3d or 1w, "
    + "and no more than 100 years back"

  /// Reads RFC 3339, a day (its local midnight), `now`, `today`, `yesterday`, or a duration back
  /// from now.
  static func parse(_ text: String, now: Date) -> Date? {
    switch text {
    case "now": return now
    case "today": return LocalTime.midnight(of: LocalTime.day(at: now))
    case "yesterday":
      let today = LocalTime.day(at: now).daysSince1970
      return LocalTime.midnight(of: CivilDate(daysSince1970: today - 1))
    case _: break
    }
    if let day = day(text) { return LocalTime.midnight(of: day) }
    if let length = DurationArgument.parse(text, units: ["m", "h", "d", "w"]) {
      return now.addingTimeInterval(-(length / Duration.seconds(1)))
    }
    return RFC3339.parse(text)
  }

  private static func day(_ text: String) -> CivilDate? {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0].count == 4, parts[1].count == 2, parts[2].count == 2,
      let year = Int(parts[0]), let month = Int(parts[1]), let day = Int(parts[2]),
      year >= 0, (1...12).contains(month), (1...31).contains(day)
    else { return nil }
    return CivilDate(year: year, month: month, day: day)
  }
}

/// Days in this place's time, by the system's zone files.
///
/// FoundationEssentials has none: there every zone is GMT.
enum LocalTime {
  /// The moment at which a day begins here; nil for a day that no calendar of the system's reaches.
  static func midnight(of day: CivilDate) -> Date? {
    var parts = tm()
    guard let year = Int32(exactly: day.year - 1900) else { return nil }
    parts.tm_year = year
    parts.tm_mon = Int32(day.month - 1)
    parts.tm_mday = Int32(day.day)
    parts.tm_isdst = -1
    let seconds = mktime(&parts)
    // mktime carries the 31st of a short month over to the next one.
    guard parts.tm_mday == Int32(day.day), parts.tm_mon == Int32(day.month - 1) else { return nil }
    return Date(timeIntervalSince1970: Double(seconds))
  }

  /// The day here at a moment.
  static func day(at moment: Date) -> CivilDate {
    var seconds = time_t(moment.timeIntervalSince1970.rounded(.down))
    var parts = tm()
    localtime_r(&seconds, &parts)
    return CivilDate(
      year: Int(parts.tm_year) + 1900, month: Int(parts.tm_mon) + 1, day: Int(parts.tm_mday))
  }
}

/// A length of time as users write it: a number and a unit, such as `90m`, `1.5h` or `250ms`.
enum DurationArgument {
  static let expected = "a length of time such as 20, 20s, 1.5m or 500ms"

  private static let units: [(suffix: String, seconds: Double)] = [
    ("ms", 0.001), ("s", 1), ("m", 60), ("h", 3600), ("d", 86_400), ("w", 604_800),
  ]

  /// The longest that makes sense to count: a hundred years.
  private static let longestSeconds = 100.0 * 366 * 86_400

  /// Reads a number with one of the units; a bare number counts seconds where `s` is allowed.
  static func parse(_ text: String, units allowed: Set<String> = ["ms", "s", "m", "h"]) -> Duration?
  {
    let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    guard !digits.isEmpty, let number = Double(digits) else { return nil }
    let suffix =
      digits.count == text.count && allowed.contains("s") ? "s" : text.dropFirst(digits.count)
    guard allowed.contains(String(suffix)), let unit = units.first(where: { $0.suffix == suffix }),
      number * unit.seconds <= longestSeconds
    else { return nil }
    return .seconds(number * unit.seconds)
  }
}
