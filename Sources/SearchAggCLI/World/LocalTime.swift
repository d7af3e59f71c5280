internal import FoundationEssentials
internal import TextFormats

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

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
