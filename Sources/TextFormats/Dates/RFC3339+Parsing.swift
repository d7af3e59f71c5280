package import FoundationEssentials

extension RFC3339 {
  /// What a caller lets pass beyond RFC 3339.
  package struct Allowance: OptionSet, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    /// A time without a zone, which is then UTC.
    package static let missingZone = Allowance(rawValue: 1)
    /// The shorter forms of W3C's profile: `2026`, `2026-11`, `2026-11-21`, `2026-11-21T09:00Z`; what
    /// is left out begins at its first moment, in UTC where no time stands.
    package static let shortForms = Allowance(rawValue: 2)
  }

  /// Returns the moment that a text spells, cut to whole milliseconds; nil when it is none.
  ///
  /// Beside RFC 3339 it takes what networks write: a blank for the `T`, lower case, an offset without
  /// colon, a zone named `GMT` or `UTC`, a comma before the fraction. A leap second is the moment that
  /// the next minute begins.
  package static func parse(_ text: String, allowing allowance: Allowance = []) -> Date? {
    var text = text
    return text.withUTF8 { unsafe parse(utf8: $0, allowing: allowance) }
  }

  /// The same of UTF-8 that is already at hand.
  @unsafe
  package static func parse(
    utf8 bytes: UnsafeBufferPointer<UInt8>, allowing allowance: Allowance = []
  ) -> Date? {
    var scanner = unsafe DateScanner(bytes)
    var time = CivilTime()
    guard let year = scanner.number(digits: 4) else { return nil }
    time.year = year
    if scanner.isAtEnd { return allowance.contains(.shortForms) ? time.date : nil }
    guard scanner.take(UInt8(ascii: "-")), let month = scanner.number(digits: 2) else { return nil }
    time.month = month
    if scanner.isAtEnd { return allowance.contains(.shortForms) ? time.date : nil }
    guard scanner.take(UInt8(ascii: "-")), let day = scanner.number(digits: 2) else { return nil }
    time.day = day
    if scanner.isAtEnd { return allowance.contains(.shortForms) ? time.date : nil }
    guard readTime(from: &scanner, into: &time, allowing: allowance) else { return nil }
    return time.date
  }

  private static func readTime(
    from scanner: inout DateScanner, into time: inout CivilTime, allowing allowance: Allowance
  ) -> Bool {
    let separator = scanner.next
    guard separator | 0x20 == UInt8(ascii: "t") || separator == UInt8(ascii: " ") else {
      return false
    }
    scanner.skip()
    guard let hour = scanner.number(digits: 2), scanner.take(UInt8(ascii: ":")),
      let minute = scanner.number(digits: 2)
    else { return false }
    time.hour = hour
    time.minute = minute
    if scanner.take(UInt8(ascii: ":")) {
      guard let second = scanner.number(digits: 2) else { return false }
      time.second = second
      if scanner.take(UInt8(ascii: ".")) || scanner.take(UInt8(ascii: ",")) {
        guard let milliseconds = scanner.milliseconds() else { return false }
        time.millisecond = milliseconds
      }
    } else if !allowance.contains(.shortForms) {
      return false
    }
    if scanner.isAtEnd { return allowance.contains(.missingZone) }
    guard let offset = offset(from: &scanner) else { return false }
    time.offset = offset
    return scanner.isAtEnd
  }

  private static func offset(from scanner: inout DateScanner) -> Int? {
    let sign: Int
    switch scanner.next {
    case UInt8(ascii: "Z"), UInt8(ascii: "z"):
      scanner.skip()
      return 0
    case UInt8(ascii: " "):
      scanner.skip()
      let name = scanner.word()
      return name == "gmt" || name == "utc" ? 0 : nil
    case UInt8(ascii: "+"): sign = 1
    case UInt8(ascii: "-"): sign = -1
    case _: return nil
    }
    scanner.skip()
    guard let hours = scanner.number(digits: 2), hours <= 23 else { return nil }
    _ = scanner.take(UInt8(ascii: ":"))
    guard let minutes = scanner.number(digits: 2), minutes <= 59 else { return nil }
    return sign * (hours * 60 + minutes)
  }
}
