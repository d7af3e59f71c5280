package import FoundationEssentials

/// Dates as feeds write them: by one of the standards, or nearly.
package enum LooseDate {
  /// Returns the moment that a text spells, cut to whole milliseconds; nil when it is none.
  ///
  /// Takes what `RFC3339` takes, with all that it allows, and what `RFC822` takes; then the other
  /// forms of ISO 8601 (`20031231T101455Z`, `2003-335`), days written with slashes or dots, the year
  /// first, and parts of one digit (`2020/1/10 14:33:00`); last the months of some other languages.
  /// Without a zone it is UTC.
  package static func parse(_ text: String) -> Date? {
    // Nothing that spells a date is longer.
    guard text.utf8.count <= 200 else { return nil }
    return standard(text) ?? DateWords.translated(text).flatMap(standard)
  }

  private static func standard(_ text: String) -> Date? {
    var text = text
    return text.withUTF8 { bytes in
      let trimmed = unsafe trimmed(bytes)
      return unsafe RFC3339.parse(utf8: trimmed, allowing: [.missingZone, .shortForms])
        ?? RFC822.parse(utf8: trimmed) ?? otherForm(trimmed)
    }
  }

  @unsafe
  private static func trimmed(
    _ bytes: UnsafeBufferPointer<UInt8>
  ) -> UnsafeBufferPointer<UInt8> {
    var start = 0
    var end = bytes.count
    while start < end, unsafe bytes[start] <= 0x20 { start += 1 }
    while end > start, unsafe bytes[end - 1] <= 0x20 { end -= 1 }
    return unsafe UnsafeBufferPointer(rebasing: bytes[start..<end])
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
    case _: return false
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
