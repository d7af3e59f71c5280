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

  /// `20261120T115803Z`
  static func compact(_ moment: Int) -> String {
    seconds(moment).filter { $0 != "-" && $0 != ":" }
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

/// Reads the dates that the networks take as parameters, as milliseconds since 1970.
enum DateReading {
  /// Reads `YYYY-MM-DD`.
  static func day(_ text: some StringProtocol) -> Int? {
    guard text.utf8.count == 10 else { return nil }
    return RFC3339.parse(String(text), allowing: .shortForms).map(milliseconds)
  }

  /// Reads RFC 3339 with any fraction and, unless `onlyUTC`, any offset.
  static func rfc3339(_ text: String, onlyUTC: Bool = false) -> Int? {
    // Networks refuse some of the variants that our reader accepts.
    let bytes = Array(text.utf8)
    guard bytes.count >= 20, bytes[10] == UInt8(ascii: "T"), !bytes.contains(UInt8(ascii: ",")),
      bytes.last == UInt8(ascii: "Z") || !onlyUTC && bytes[bytes.count - 3] == UInt8(ascii: ":")
    else { return nil }
    return RFC3339.parse(text).map(milliseconds)
  }

  /// Reads `YYYYMMDDhhmmss`.
  static func digits(_ text: String) -> Int? {
    guard text.utf8.count == 14, text.utf8.allSatisfy(\.isASCIIDigit) else {
      return nil
    }
    var parts: [String] = []
    var rest = text[...]
    for count in [4, 2, 2, 2, 2, 2] {
      parts.append(String(rest.prefix(count)))
      rest = rest.dropFirst(count)
    }
    let day = parts[..<3].joined(separator: "-")
    return rfc3339("\(day)T\(parts[3...].joined(separator: ":"))Z")
  }

  private static func milliseconds(_ date: Date) -> Int {
    Int((date.timeIntervalSince1970 * 1000).rounded())
  }
}
