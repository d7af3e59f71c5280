package import FoundationEssentials

/// The date formats of mail, feeds and HTTP: RFC 822, 2822 and 850, and C's `asctime`.
package enum RFC822 {
  /// Returns the date in a text, truncated to whole milliseconds, or nil.
  ///
  /// Accepts `Wed, 27 Oct 2010 03:56:39 +0000`, `Mon Sep 17 22:41:52 +0000 2012` and variants: the
  /// weekday is optional and never checked, since servers get it wrong; two-digit years are 1950 to
  /// 2049; seconds, time and zone may be missing (then UTC); comments are ignored.
  package static func parse(_ text: String) -> Date? {
    var text = text
    return text.withUTF8 { unsafe parse(utf8: $0) }
  }

  /// Returns the date in UTF-8 text, or nil.
  @unsafe
  package static func parse(utf8 bytes: UnsafeBufferPointer<UInt8>) -> Date? {
    var scanner = unsafe DateScanner(bytes)
    var time = CivilTime()
    scanner.skipBlanks()
    var month: Int?
    if scanner.isAtLetter {
      guard let word = scanner.word() else { return nil }
      month = Self.month(word)
      if month == nil {
        guard isWeekday(word) else { return nil }
        skipSeparators(in: &scanner)
      }
    }
    if month == nil, scanner.isAtLetter { month = scanner.word().flatMap(Self.month) }
    let read: Bool
    if let month {
      time.month = month
      read = readMonthFirst(from: &scanner, into: &time)
    } else {
      read = readDayFirst(from: &scanner, into: &time)
    }
    scanner.skipBlanks()
    guard read, scanner.isAtEnd else { return nil }
    return date(of: time)
  }

  /// `27 Oct 2010 03:56:39 +0000`, `06-Nov-94 08:49:37 GMT`
  private static func readDayFirst(
    from scanner: inout DateScanner, into time: inout CivilTime
  ) -> Bool {
    guard let day = day(from: &scanner) else { return false }
    skipSeparators(in: &scanner)
    guard let month = scanner.word().flatMap(month) else { return false }
    // PHP writes its missing date as `30 Nov -0001`.
    guard !scanner.isBeforeNegative else { return false }
    skipSeparators(in: &scanner)
    guard let year = year(from: &scanner) else { return false }
    time.day = day
    time.month = month
    time.year = year
    // `22 December 2017 - 15:09`
    skipSeparators(in: &scanner)
    guard scanner.isAtDigit else { return true }
    guard readTime(from: &scanner, into: &time) else { return false }
    return ZoneOffset.read(from: &scanner, into: &time)
  }

  /// `17 22:41:52 +0000 2012`, `1 12:34:56 2004`, `17, 2012 22:41:52`, all after the month.
  private static func readMonthFirst(
    from scanner: inout DateScanner, into time: inout CivilTime
  ) -> Bool {
    skipSeparators(in: &scanner)
    guard let day = day(from: &scanner) else { return false }
    time.day = day
    skipSeparators(in: &scanner)
    var ahead = scanner
    if let year = year(from: &ahead), ahead.next != UInt8(ascii: ":") {
      scanner = ahead
      time.year = year
      skipSeparators(in: &scanner)
      guard scanner.isAtDigit else { return true }
      return readTime(from: &scanner, into: &time) && ZoneOffset.read(from: &scanner, into: &time)
    }
    guard readTime(from: &scanner, into: &time) else { return false }
    scanner.skipBlanks()
    if !scanner.isAtDigit, !ZoneOffset.read(from: &scanner, into: &time) { return false }
    scanner.skipBlanks()
    guard let year = year(from: &scanner) else { return false }
    time.year = year
    return true
  }

  /// A day of the month, such as `16` or `16th`.
  private static func day(from scanner: inout DateScanner) -> Int? {
    guard let day = scanner.number(digits: 1...2)?.value else { return nil }
    var ahead = scanner
    if let ending = ahead.word(), ["st", "nd", "rd", "th"].contains(ending) { scanner = ahead }
    return day
  }

  private static func readTime(
    from scanner: inout DateScanner, into time: inout CivilTime
  ) -> Bool {
    guard let hour = scanner.number(digits: 1...2)?.value, scanner.take(UInt8(ascii: ":")),
      let minute = scanner.number(digits: 2)
    else { return false }
    time.hour = hour
    time.minute = minute
    guard scanner.take(UInt8(ascii: ":")) else { return true }
    guard let second = scanner.number(digits: 1...2)?.value else { return false }
    time.second = second
    guard scanner.take(UInt8(ascii: ".")) else { return true }
    guard let milliseconds = scanner.milliseconds() else { return false }
    time.millisecond = milliseconds
    return true
  }

  /// A year of four digits, or of two or three by older software (RFC 2822, section 4.3).
  private static func year(from scanner: inout DateScanner) -> Int? {
    guard let (value, digits) = scanner.number(digits: 2...4) else { return nil }
    switch digits {
    case 2: return value < 50 ? value + 2000 : value + 1900
    case 3: return value + 1900
    default: return value
    }
  }

  /// 24:00 is the beginning of the next day.
  private static func date(of time: CivilTime) -> Date? {
    guard time.hour == 24, time.minute == 0, time.second == 0 else { return time.date }
    var time = time
    time.hour = 0
    return time.date?.addingTimeInterval(86_400)
  }

  private static func skipSeparators(in scanner: inout DateScanner) {
    scanner.skipBlanks()
    while [UInt8(ascii: ","), UInt8(ascii: "."), UInt8(ascii: "-")].contains(scanner.next) {
      scanner.skip()
      scanner.skipBlanks()
    }
  }

  private static let months = [
    "january", "february", "march", "april", "may", "june", "july", "august", "september",
    "october", "november", "december",
  ]

  /// `oct`, `sept` and `october` are the tenth, ninth and tenth month.
  private static func month(_ word: String) -> Int? {
    guard word.utf8.count >= 3 else { return nil }
    return months.firstIndex { $0.hasPrefix(word) }.map { $0 + 1 }
  }

  private static func isWeekday(_ word: String) -> Bool {
    ["mon", "tue", "wed", "thu", "fri", "sat", "sun"].contains { word.hasPrefix($0) }
  }
}
