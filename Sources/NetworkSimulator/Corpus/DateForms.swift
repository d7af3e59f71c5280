internal import FoundationEssentials
internal import TextFormats

/// The date formats of the networks, from milliseconds since 1970.
enum DateForms {
  private static let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// `2026-11-20T11:58:03.120Z`
  static func milliseconds(_ moment: Int) -> String {
    RFC3339.format(Date(timeIntervalSince1970: Double(moment) / 1000))
  }

  /// `2026-11-20T11:58:03.000Z`, as X writes every date.
  static func wholeMilliseconds(_ moment: Int) -> String { milliseconds(moment / 1000 * 1000) }

  /// `2026-11-20T11:58:03Z`
  static func seconds(_ moment: Int) -> String { local(moment) + "Z" }

  /// `2026-11-20T11:58Z`
  static func minutes(_ moment: Int) -> String { milliseconds(moment).prefix(16) + "Z" }

  /// `2026-11-20T11:58:03.120000Z`
  static func microseconds(_ moment: Int) -> String { milliseconds(moment).dropLast() + "000Z" }

  /// `2026-11-20T06:58:03-05:00`: the same moment as seen with an offset of that many hours.
  static func offset(_ moment: Int, hours: Int) -> String {
    let sign = hours < 0 ? "-" : "+"
    return local(moment + hours * 3_600_000) + sign + two(abs(hours)) + ":00"
  }

  /// `2026-11-20`
  static func day(_ moment: Int) -> String { String(milliseconds(moment).prefix(10)) }

  /// `Fri, 20 Nov 2026 11:58:03 +0000`, as the first search API wrote it.
  static func rfc822(_ moment: Int) -> String {
    let (civil, weekday, time) = parts(moment)
    return "\(weekday), \(two(civil.day)) \(months[civil.month - 1]) \(civil.year) \(time) +0000"
  }

  /// `Fri Nov 20 11:58:03 +0000 2026`, as API 1.1 wrote it.
  static func classic(_ moment: Int) -> String {
    let (civil, weekday, time) = parts(moment)
    return "\(weekday) \(months[civil.month - 1]) \(two(civil.day)) \(time) +0000 \(civil.year)"
  }

  /// `Fri, 20 Nov 2026 11:58:03 GMT`, as HTTP writes it.
  static func http(_ moment: Int) -> String { rfc822(moment).dropLast(5) + "GMT" }

  private static func local(_ moment: Int) -> String { String(milliseconds(moment).prefix(19)) }

  private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

  private static func parts(_ moment: Int) -> (CivilDate, weekday: String, time: String) {
    let days = Int((Double(moment) / 86_400_000).rounded(.down))
    let weekday = weekdays[((days % 7) + 7) % 7]
    return (CivilDate(daysSince1970: days), weekday, String(local(moment).suffix(8)))
  }
}

/// Parses the networks' date parameters strictly, as milliseconds since 1970.
enum DateReading {
  /// Parses `YYYY-MM-DD`.
  static func day(_ text: some StringProtocol) -> Int? {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0].utf8.count == 4, let year = digits(parts[0]),
      parts[1].utf8.count == 2, let month = digits(parts[1]), (1...12).contains(month),
      parts[2].utf8.count == 2, let day = digits(parts[2])
    else { return nil }
    let civil = CivilDate(year: year, month: month, day: day)
    // The 31st of a 30-day month turns into another day.
    guard CivilDate(daysSince1970: civil.daysSince1970) == civil else { return nil }
    return civil.daysSince1970 * 86_400_000
  }

  /// Parses RFC 3339 with any fraction and, unless `onlyUTC`, any offset.
  static func rfc3339(_ text: String, onlyUTC: Bool = false) -> Int? {
    let halves = text.split(separator: "T", maxSplits: 1, omittingEmptySubsequences: false)
    guard halves.count == 2, let day = day(halves[0]) else { return nil }
    guard let zoneStart = halves[1].firstIndex(where: { $0 == "Z" || $0 == "+" || $0 == "-" }),
      let offset = offset(halves[1][zoneStart...]), !onlyUTC || halves[1][zoneStart...] == "Z"
    else { return nil }
    let clock = halves[1][..<zoneStart].split(
      separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    let fields = clock[0].split(separator: ":", omittingEmptySubsequences: false)
    guard fields.count == 3, fields.allSatisfy({ $0.utf8.count == 2 }),
      let hour = digits(fields[0]), hour < 24, let minute = digits(fields[1]), minute < 60,
      let second = digits(fields[2]), second < 61
    else { return nil }
    var milliseconds = 0
    if clock.count == 2 {
      guard let fraction = digits((clock[1] + "00").prefix(3)), !clock[1].isEmpty else {
        return nil
      }
      milliseconds = fraction
    }
    return day + ((hour * 60 + minute) * 60 + second) * 1000 + milliseconds - offset
  }

  private static func offset(_ text: Substring) -> Int? {
    if text == "Z" { return 0 }
    let fields = text.dropFirst().split(separator: ":", omittingEmptySubsequences: false)
    guard fields.count == 2, fields.allSatisfy({ $0.utf8.count == 2 }),
      let hours = digits(fields[0]),
      let minutes = digits(fields[1])
    else { return nil }
    return (hours * 60 + minutes) * (text.hasPrefix("-") ? -60_000 : 60_000)
  }

  private static func digits(_ text: some StringProtocol) -> Int? {
    guard text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
      return nil
    }
    return Int(text)
  }
}
