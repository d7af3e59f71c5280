package import FoundationEssentials
internal import TextFormats

/// A moment as users write it: see `searchagg help dates`.
package enum DateArgument {
  /// The reason a text is not a date.
  package struct Fault: Error, Hashable {
    package let reason: String
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
  /// Units of the calendar, in months; `m` alone is a minute.
  private static let calendarUnits: [String: Int] = [
    "month": 1, "months": 1, "mo": 1, "y": 12, "year": 12, "years": 12,
  ]
  /// The most months back from now: a hundred years.
  private static let mostMonths = 1200

  /// Reads RFC 3339, a day or a month (its beginning here), a word such as `yesterday` or
  /// `last monday`, each of them also with a time of day, or a time back from now.
  package static func parse(_ text: String, now: Date) throws(Fault) -> Date {
    let words = text.lowercased().split(separator: " ").map(String.init)
    if words == ["now"] { return now }
    if words == ["last", "week"] { return now.addingTimeInterval(-7 * 86_400) }
    if words == ["last", "month"] { return try moment(monthsBefore: now, 1) }
    if let day = try day(words, now: now) { return try midnight(of: day) }
    if let moment = try momentOfDay(words, now: now) { return moment }
    if let months = try calendarMonths(words) { return try moment(monthsBefore: now, months) }
    if let length = try duration(words) {
      return now.addingTimeInterval(-(length / Duration.seconds(1)))
    }
    if let moment = RFC3339.parse(text) { return moment }
    throw Fault(
      reason: "not a date; write 2026-11-20, 2026-11-20T09:00:00Z, yesterday or 3d "
        + "(see: searchagg help dates)")
  }

  // MARK: - Days and times of day

  private static func midnight(of day: CivilDate) throws(Fault) -> Date {
    try moment(of: day, second: 0)
  }

  private static func moment(of day: CivilDate, second: Int) throws(Fault) -> Date {
    guard let date = LocalTime.moment(of: day, second: second) else {
      throw Fault(reason: "this day is outside the calendar of the system")
    }
    return date
  }

  /// Reads a day: `today`, `last monday`, `2026-11-20`, or `2026-11` for its first; nil for others.
  private static func day(_ words: [String], now: Date) throws(Fault) -> CivilDate? {
    let today = LocalTime.day(at: now).daysSince1970
    switch words {
    case ["today"]: return CivilDate(daysSince1970: today)
    case ["yesterday"]: return CivilDate(daysSince1970: today - 1)
    case let words where words.count == 2 && words[0] == "last":
      guard let weekday = weekdays.firstIndex(of: words[1]) else {
        throw Fault(reason: "'last' must be followed by a weekday, week or month: 'last monday'")
      }
      // 1970-01-01 was a Thursday.
      let back = (today + 4 - weekday) % 7
      return CivilDate(daysSince1970: today - (back == 0 ? 7 : back))
    case let words where words.count == 1: return try writtenDay(words[0])
    default: return nil
    }
  }

  /// Reads `2026-11-20` or `2026-11`; nil for a text of another form.
  private static func writtenDay(_ text: String) throws(Fault) -> CivilDate? {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard (2...3).contains(parts.count), parts[0].count == 4,
      parts.dropFirst().allSatisfy({ (1...2).contains($0.count) })
    else { return nil }
    let numbers = parts.compactMap { part in
      part.utf8.allSatisfy(\.isASCIIDigit) ? Int(part) : nil
    }
    guard numbers.count == parts.count else { return nil }
    let (year, month) = (numbers[0], numbers[1])
    guard (1...12).contains(month) else { throw Fault(reason: "there is no month \(parts[1])") }
    guard parts.dropFirst().allSatisfy({ $0.count == 2 }) else {
      throw Fault(reason: "months and days have two digits, as in 2026-01-09")
    }
    guard numbers.count == 3 else { return CivilDate(year: year, month: month, day: 1) }
    let days = CivilDate.days(in: month, of: year)
    guard (1...days).contains(numbers[2]) else {
      throw Fault(reason: "\(months[month - 1]) \(parts[0]) has \(days) days")
    }
    return CivilDate(year: year, month: month, day: numbers[2])
  }

  /// Reads a day with a time here, `yesterday 09:00` or `2026-11-20T09:00`, or a time alone, which is
  /// the latest such moment that is not in the future; nil for a text of another form.
  private static func momentOfDay(_ words: [String], now: Date) throws(Fault) -> Date? {
    var words = words
    // `2026-11-20t09:00`: with an offset it is RFC 3339.
    if words.count == 1, let mark = words[0].firstIndex(of: "t"),
      let day = try writtenDay(String(words[0][..<mark]))
    {
      let clock = words[0][words[0].index(after: mark)...]
      if let offset = clock.firstIndex(where: { "z+-".contains($0) }) {
        return try momentWithoutSeconds(day, clock[..<offset], clock[offset...])
      }
      guard let second = try second(of: clock) else {
        throw Fault(reason: "the time is missing, as in \(words[0][..<mark])T09:00")
      }
      return try moment(of: day, second: second)
    }
    guard let last = words.popLast(), let second = try second(of: last[...]) else { return nil }
    if words.isEmpty {
      let today = LocalTime.day(at: now)
      let moment = try moment(of: today, second: second)
      if moment <= now { return moment }
      return try Self.moment(of: CivilDate(daysSince1970: today.daysSince1970 - 1), second: second)
    }
    guard let day = try day(words, now: now) else { return nil }
    return try moment(of: day, second: second)
  }

  /// Reads `09:00` with an offset, which RFC 3339 has only with seconds; nil for any other time.
  private static func momentWithoutSeconds(
    _ day: CivilDate, _ clock: Substring, _ offset: Substring
  ) throws(Fault) -> Date? {
    guard clock.utf8.count == 5, try second(of: clock) != nil else { return nil }
    func digits(_ number: Int, _ count: Int) -> String {
      let text = "\(number)"
      return String(repeating: "0", count: max(count - text.count, 0)) + text
    }
    let date = "\(digits(day.year, 4))-\(digits(day.month, 2))-\(digits(day.day, 2))"
    return RFC3339.parse("\(date)T\(clock):00\(offset.uppercased())")
  }

  /// Reads `9:00`, `09:00` or `09:00:30` as seconds since midnight; nil for a text of another form.
  private static func second(of clock: Substring) throws(Fault) -> Int? {
    let parts = clock.split(separator: ":", omittingEmptySubsequences: false)
    guard (2...3).contains(parts.count), (1...2).contains(parts[0].count),
      parts.dropFirst().allSatisfy({ $0.count == 2 }),
      parts.allSatisfy({ $0.utf8.allSatisfy(\.isASCIIDigit) })
    else { return nil }
    let numbers = parts.compactMap { Int($0) }
    guard numbers[0] < 24, numbers.dropFirst().allSatisfy({ $0 < 60 }) else {
      throw Fault(reason: "there is no time \(clock); a day ends at 23:59:59")
    }
    return numbers.reduce(0) { $0 * 60 + $1 } * (numbers.count == 2 ? 60 : 1)
  }

  // MARK: - Times back from now

  /// The moment some months before another, at the same time of day here; where that month is too
  /// short, on its last day.
  private static func moment(monthsBefore now: Date, _ count: Int) throws(Fault) -> Date {
    let (today, second) = LocalTime.dayAndSecond(at: now)
    let month = today.year * 12 + today.month - 1 - count
    let (year, number) = (month / 12, month % 12 + 1)
    let day = min(today.day, CivilDate.days(in: number, of: year))
    return try moment(of: CivilDate(year: year, month: number, day: day), second: second)
  }

  /// Reads `1y`, `1month` or `2 months ago` in months; nil for a text of another form.
  private static func calendarMonths(_ words: [String]) throws(Fault) -> Int? {
    guard let (number, unit) = numberAndUnit(words), let months = calendarUnits[unit] else {
      return nil
    }
    guard let count = Int(number) else {
      throw Fault(reason: "'\(number)' is not a whole number of months or years")
    }
    guard count <= mostMonths / months else {
      throw Fault(reason: "that is more than 100 years ago")
    }
    return count * months
  }

  /// Reads `3d`, `3days` or `3 days ago`; nil for a text of another form.
  private static func duration(_ words: [String]) throws(Fault) -> Duration? {
    guard let (number, unit) = numberAndUnit(words) else { return nil }
    if unit.isEmpty, number.count == 8 {
      let (year, rest) = (number.prefix(4), number.dropFirst(4))
      throw Fault(reason: "write it with hyphens: \(year)-\(rest.prefix(2))-\(rest.dropFirst(2))")
    }
    if unit.isEmpty {
      throw Fault(reason: "a unit is missing, as in \(number)h, \(number)d or \(number)w")
    }
    guard let letter = units[unit] else {
      throw Fault(
        reason: "unknown unit '\(unit)'; use minutes, hours, days, weeks, months or years "
          + "(m, h, d, w, month, y)")
    }
    guard Double(number) != nil else { throw Fault(reason: "'\(number)' is not a number") }
    guard let length = DurationArgument.parse("\(number)\(letter)", units: ["m", "h", "d", "w"])
    else { throw Fault(reason: "that is more than 100 years ago") }
    return length
  }

  /// The number and the unit of `3d`, `3days` or `3 days ago`; nil for a text of another form.
  private static func numberAndUnit(_ words: [String]) -> (number: String, unit: String)? {
    var words = words
    if words.last == "ago" { words.removeLast() }
    let text = words.joined()
    let number = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    let unit = text.dropFirst(number.count)
    guard !number.isEmpty, words.count <= 2, unit.allSatisfy({ $0.isASCII && $0.isLetter })
    else { return nil }
    return (String(number), String(unit))
  }
}
