package import FoundationEssentials
internal import Glibc
package import TextFormats

/// Days and times of day in the local time zone, by the system's zone files.
///
/// FoundationEssentials knows no time zone but GMT.
package enum LocalTime {
  /// The moment of a time of day here; nil for a day outside the system's calendar.
  ///
  /// - Parameter second: Seconds on the clock since midnight. A time that a change of the clock skips is
  ///   the one that it shows then.
  package static func moment(of day: CivilDate, second: Int) -> Date? {
    var parts = tm()
    guard let year = Int32(exactly: day.year - 1900) else { return nil }
    parts.tm_year = year
    parts.tm_mon = Int32(day.month - 1)
    parts.tm_mday = Int32(day.day)
    parts.tm_hour = Int32(second / 3600)
    parts.tm_min = Int32(second / 60 % 60)
    parts.tm_sec = Int32(second % 60)
    parts.tm_isdst = -1
    let seconds = mktime(&parts)
    // mktime carries the 31st of a short month over to the next one.
    guard parts.tm_mday == Int32(day.day), parts.tm_mon == Int32(day.month - 1) else { return nil }
    return Date(timeIntervalSince1970: Double(seconds))
  }

  /// The offset of the time here at a moment, in seconds east of UTC.
  static func offset(at moment: Date) -> Int { parts(of: moment)?.tm_gmtoff ?? 0 }

  /// The day here at a moment.
  package static func day(at moment: Date) -> CivilDate { dayAndSecond(at: moment).day }

  /// The day here at a moment, and the seconds on the clock since midnight.
  package static func dayAndSecond(at moment: Date) -> (day: CivilDate, second: Int) {
    let parts = parts(of: moment) ?? tm()
    let day = CivilDate(
      year: Int(parts.tm_year) + 1900, month: Int(parts.tm_mon) + 1, day: Int(parts.tm_mday))
    return (day, Int(parts.tm_hour) * 3600 + Int(parts.tm_min) * 60 + Int(parts.tm_sec))
  }

  /// The parts of a moment here; nil outside the system's calendar.
  private static func parts(of moment: Date) -> tm? {
    let bound = 1e15
    var seconds = time_t(min(max(moment.timeIntervalSince1970, -bound), bound).rounded(.down))
    var parts = tm()
    return localtime_r(&seconds, &parts) == nil ? nil : parts
  }
}
