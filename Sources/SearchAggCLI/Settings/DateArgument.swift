internal import FoundationEssentials
internal import Glibc
internal import TextFormats

/// A moment as users write it: see `searchagg help dates`.
enum DateArgument {
  /// The reason why a text is not a date.
  struct Fault: Error, Hashable {
    let reason: String
  }

  private static let weekdays = [
    "sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday",
  ]
  private static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
  ]
  private static let units: [String: String] = [
    "m": "m", "min": "m", "mins": "m", "minute": "m", "minutes": "m", "h": "h", "hour": "h",
    "hours": "h", "d": "d", "day": "d", "days": "d", "w": "w", "week": "w", "weeks": "w",
  ]

  /// Reads RFC 3339, a day or a month (its beginning here), a word such as `yesterday` or
  /// `last monday`, or a duration back from now.
  static func parse(_ text: String, now: Date) throws(Fault) -> Date {
    let today = LocalTime.day(at: now).daysSince1970
    let words = text.lowercased().split(separator: " ").map(String.init)
    switch words {
    case ["now"]: return now
    case ["today"]: return try midnight(of: CivilDate(daysSince1970: today))
    case ["yesterday"]: return try midnight(of: CivilDate(daysSince1970: today - 1))
    case let words where words.count == 2 && words[0] == "last":
      guard let weekday = weekdays.firstIndex(of: words[1]) else {
        throw Fault(reason: "'last' must be followed by a weekday, as in 'last monday'")
      }
      // 1970-01-01 was a Thursday.
      let back = (today + 4 - weekday) % 7
      return try midnight(of: CivilDate(daysSince1970: today - (back == 0 ? 7 : back)))
    case _: break
    }
    if let day = try day(text) { return try midnight(of: day) }
    if let length = try duration(words) {
      return now.addingTimeInterval(-(length / Duration.seconds(1)))
    }
    if let moment = RFC3339.parse(text) { return moment }
    throw Fault(
      reason: "not a date; write 2026-11-20, 2026-11-20T09:00:00Z, yesterday or 3d "
        + "(see: searchagg help dates)")
  }

  private static func midnight(of day: CivilDate) throws(Fault) -> Date {
    guard let date = LocalTime.midnight(of: day) else {
      throw Fault(reason: "this day is outside the calendar of the system")
    }
    return date
  }

  /// Reads `2026-11-20` or `2026-11`; nil for a text of another form.
  private static func day(_ text: String) throws(Fault) -> CivilDate? {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard (2...3).contains(parts.count), parts[0].count == 4,
      parts.dropFirst().allSatisfy({ (1...2).contains($0.count) })
    else { return nil }
    let numbers = parts.compactMap { part in
      part.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(part) : nil
    }
    guard numbers.count == parts.count else { return nil }
    let (year, month) = (numbers[0], numbers[1])
    guard (1...12).contains(month) else { throw Fault(reason: "there is no month \(parts[1])") }
    guard parts.dropFirst().allSatisfy({ $0.count == 2 }) else {
      throw Fault(reason: "months and days have two digits, as in 2026-01-09")
    }
    let first = CivilDate(year: year, month: month, day: 1)
    guard numbers.count == 3 else { return first }
    let next = CivilDate(year: month == 12 ? year + 1 : year, month: month % 12 + 1, day: 1)
    let days = next.daysSince1970 - first.daysSince1970
    guard (1...days).contains(numbers[2]) else {
      throw Fault(reason: "\(months[month - 1]) \(parts[0]) has \(days) days")
    }
    return CivilDate(year: year, month: month, day: numbers[2])
  }

  /// Reads `3d`, `3days` or `3 days ago`; nil for a text of another form.
  private static func duration(_ words: [String]) throws(Fault) -> Duration? {
    var words = words
    if words.last == "ago" { words.removeLast() }
    let text = words.joined()
    let number = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    let unit = text.dropFirst(number.count)
    guard !number.isEmpty, words.count <= 2,
      unit.allSatisfy({ $0.isASCII && $0.isLetter })
    else { return nil }
    if unit.isEmpty {
      throw Fault(reason: "a unit is missing, as in \(number)h, \(number)d or \(number)w")
    }
    guard let letter = units[String(unit)] else {
      throw Fault(reason: "unknown unit '\(unit)'; use minutes, hours, days or weeks (m, h, d, w)")
    }
    guard Double(number) != nil else { throw Fault(reason: "'\(number)' is not a number") }
    guard let length = DurationArgument.parse("\(number)\(letter)", units: ["m", "h", "d", "w"])
    else { throw Fault(reason: "that is more than 100 years ago") }
    return length
  }
}

/// Days in this place's time, by the system's zone files.
///
/// FoundationEssentials has no time zones: there every zone is GMT.
enum LocalTime {
  /// The moment at which a day begins here; nil for a day outside the system's calendar.
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

  /// The offset of the time here at a moment, in seconds east of UTC.
  static func offset(at moment: Date) -> Int {
    let bound = 1e15
    var seconds = time_t(min(max(moment.timeIntervalSince1970, -bound), bound).rounded(.down))
    var parts = tm()
    guard localtime_r(&seconds, &parts) != nil else { return 0 }
    return parts.tm_gmtoff
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

  /// The longest duration that is accepted: a hundred years.
  private static let longestSeconds = 100.0 * 366 * 86_400

  /// Reads a number with one of the units; a bare number is in seconds where `s` is allowed.
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
