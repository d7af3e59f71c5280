package import FoundationEssentials

/// Dates in feeds, which follow one of the standards, or nearly.
package enum LooseDate {
  /// Returns the date in a text, truncated to whole milliseconds, or nil.
  ///
  /// Accepts all that `RFC3339` can allow, and `RFC822`; then the other forms of ISO 8601
  /// (`20031231T101455Z`, `2003-335`), days with slashes or dots, the year first, and parts of one
  /// digit (`2020/1/10 14:33:00`); seconds since 1970; finally month names of some other languages. Without a
  /// zone it is UTC. A date in the year 1, which Go and .NET write for a missing one, is refused.
  package static func parse(_ text: String) -> Date? {
    // No date is longer.
    guard text.utf8.count <= 200 else { return nil }
    let date = standard(text) ?? DateWords.translated(text).flatMap(standard)
    return date.flatMap { $0 < endOfYearOne ? nil : $0 }
  }

  private static let endOfYearOne = Date(
    timeIntervalSince1970: Double(CivilDate(year: 2, month: 1, day: 1).daysSince1970) * 86_400)

  private static func standard(_ text: String) -> Date? {
    var text = String(text.trimmed)
    return text.withUTF8 { bytes in
      unsafe RFC3339.parse(utf8: bytes, allowing: [.missingZone, .shortForms])
        ?? RFC822.parse(utf8: bytes) ?? otherForm(bytes) ?? seconds(bytes)
    }
  }

  /// Seconds since 1970, from 2001 to 2033.
  @unsafe
  private static func seconds(_ bytes: UnsafeBufferPointer<UInt8>) -> Date? {
    guard bytes.count == 10, unsafe bytes[0] == UInt8(ascii: "1") else { return nil }
    var scanner = unsafe DateScanner(bytes)
    return scanner.number(digits: 10).map { Date(timeIntervalSince1970: Double($0)) }
  }

  @unsafe
  private static func otherForm(_ bytes: UnsafeBufferPointer<UInt8>) -> Date? {
    var scanner = unsafe DateScanner(bytes)
    var time = CivilTime()
    guard readDay(from: &scanner, into: &time) else { return nil }
    scanner.skipBlanks()
    if scanner.next | 0x20 == UInt8(ascii: "t") {
      scanner.skip()
      scanner.skipBlanks()
    }
    if scanner.next == UInt8(ascii: ",") {
      scanner.skip()
      scanner.skipBlanks()
    }
    guard !scanner.isAtEnd else { return time.date }
    guard readTime(from: &scanner, into: &time), ZoneOffset.read(from: &scanner, into: &time) else {
      return nil
    }
    scanner.skipBlanks()
    return scanner.isAtEnd ? time.date : nil
  }

  private static func readDay(from scanner: inout DateScanner, into time: inout CivilTime) -> Bool {
    guard let year = scanner.number(digits: 4) else { return false }
    time.year = year
    let separator = scanner.next
    guard [UInt8(ascii: "-"), UInt8(ascii: "/"), UInt8(ascii: ".")].contains(separator) else {
      return readBasicDay(from: &scanner, into: &time)
    }
    scanner.skip()
    guard let (first, digits) = scanner.number(digits: 1...3) else { return false }
    if digits == 3 { return setDay(first, of: &time) }
    time.month = first
    guard scanner.take(separator) else { return scanner.isAtEnd }
    guard let day = scanner.number(digits: 1...2)?.value else { return false }
    time.day = day
    return true
  }

  /// `20031231`, or the day of the year in `2003335`.
  private static func readBasicDay(
    from scanner: inout DateScanner, into time: inout CivilTime
  ) -> Bool {
    var ahead = scanner
    if let rest = ahead.number(digits: 1...4), rest.digits == 3 {
      scanner = ahead
      return setDay(rest.value, of: &time)
    }
    guard let month = scanner.number(digits: 2), let day = scanner.number(digits: 2) else {
      return false
    }
    time.month = month
    time.day = day
    return true
  }

  /// The day of a year, counted from 1.
  private static func setDay(_ number: Int, of time: inout CivilTime) -> Bool {
    guard (1...366).contains(number) else { return false }
    let first = CivilDate(year: time.year, month: 1, day: 1).daysSince1970
    let day = CivilDate(daysSince1970: first + number - 1)
    guard day.year == time.year else { return false }
    time.month = day.month
    time.day = day.day
    return true
  }

  private static func readTime(from scanner: inout DateScanner, into time: inout CivilTime) -> Bool
  {
    guard let (hour, digits) = scanner.number(digits: 1...6) else { return false }
    switch digits {
    case 1, 2: time.hour = hour
    case 4:
      time.hour = hour / 100
      time.minute = hour % 100
      return true
    case 6:
      time.hour = hour / 10_000
      time.minute = hour / 100 % 100
      time.second = hour % 100
      return readFraction(from: &scanner, into: &time)
    default: return false
    }
    guard scanner.take(UInt8(ascii: ":")), let minute = scanner.number(digits: 1...2)?.value else {
      return false
    }
    time.minute = minute
    guard scanner.take(UInt8(ascii: ":")) else { return true }
    guard let second = scanner.number(digits: 1...2)?.value else { return false }
    time.second = second
    return readFraction(from: &scanner, into: &time)
  }

  private static func readFraction(
    from scanner: inout DateScanner, into time: inout CivilTime
  ) -> Bool {
    guard scanner.take(UInt8(ascii: ".")) || scanner.take(UInt8(ascii: ",")) else { return true }
    guard let milliseconds = scanner.milliseconds() else { return false }
    time.millisecond = milliseconds
    return true
  }
}

/// Translates the words of other languages in a date.
private enum DateWords {
  /// Returns a text with English or numeric months, or nil if it contains no known words.
  static func translated(_ text: String) -> String? {
    let lower = text.lowercased()
    if let korean = korean(lower) { return korean }
    var result = ""
    var isTranslated = false
    var word = ""
    for character in lower + " " {
      if character.isLetter {
        word.append(character)
        continue
      }
      let isWeekday = result.isEmpty && (character == "," || character == ".")
      if !isWeekday, let month = month(word) {
        // In `2004-július-13` the month takes the place of a number.
        result +=
          result.hasSuffix("-") ? (month < 10 ? "0\(month)" : "\(month)") : english[month - 1]
        isTranslated = true
      } else if result.isEmpty {
        // The day of the week is redundant.
        guard character.isNumber else {
          word = ""
          continue
        }
      } else {
        result += word
      }
      word = ""
      result.append(character)
    }
    return isTranslated ? result : nil
  }

  /// `2004년 05월 28일 01:31:15` and `2004-05-25 오후 11:23:17`, which are in Korean time.
  private static func korean(_ text: String) -> String? {
    let isAfternoon = text.contains("오후")
    guard text.contains("년") || isAfternoon || text.contains("오전") else { return nil }
    var result = ""
    for character in text {
      switch character {
      case "년", "월":
        result.append("-")
      case "일", "오", "전", "후": result.append(" ")
      case " " where result.hasSuffix("-") || result.hasSuffix(" "): break
      default: result.append(character)
      }
    }
    let half = isAfternoon ? " pm" : text.contains("오전") ? " am" : ""
    return result + half + " +09:00"
  }

  private static let english = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
  ]

  private static func month(_ word: String) -> Int? {
    guard word.utf8.count >= 3 else { return nil }
    return beginnings.first { word.hasPrefix($0.0) }?.1
  }

  /// The beginnings of month names in English, German, French, Spanish, Italian, Portuguese, Dutch,
  /// Hungarian and Greek; a longer one precedes its prefix.
  private static let beginnings: [(String, Int)] = [
    ("jan", 1), ("ene", 1), ("gen", 1), ("ιαν", 1), ("feb", 2), ("fév", 2), ("fev", 2), ("φεβ", 2),
    ("mär", 3), ("mar", 3), ("mrt", 3), ("már", 3), ("maar", 3), ("μαρ", 3), ("μάρ", 3), ("μάώ", 3),
    ("apr", 4), ("avr", 4), ("abr", 4), ("ápr", 4), ("απρ", 4), ("mai", 5), ("may", 5), ("mag", 5),
    ("mei", 5), ("máj", 5), ("máu", 5), ("μαϊ", 5), ("μαι", 5), ("μάι", 5), ("μαώ", 5), ("jun", 6),
    ("juin", 6), ("giu", 6), ("jún", 6), ("ιουν", 6), ("ιούν", 6), ("ιον", 6), ("jul", 7),
    ("juil", 7), ("lug", 7), ("júl", 7), ("ιουλ", 7), ("ιούλ", 7), ("ιολ", 7), ("aug", 8),
    ("aoû", 8), ("aou", 8), ("ago", 8), ("αυγ", 8), ("αύγ", 8), ("sep", 9), ("set", 9),
    ("szep", 9), ("σεπ", 9), ("oct", 10), ("okt", 10), ("ott", 10), ("out", 10), ("οκτ", 10),
    ("nov", 11), ("νοε", 11), ("νοέ", 11), ("dec", 12), ("dez", 12), ("déc", 12), ("dic", 12),
    ("δεκ", 12),
  ]
}
