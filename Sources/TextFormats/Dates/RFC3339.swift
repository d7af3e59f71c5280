package import FoundationEssentials

/// Dates in the format of RFC 3339, for the years 1 to 9999.
package enum RFC3339 {
  // MARK: Writing

  /// Returns whether a date lies in the years that can be written.
  package static func canWrite(_ date: Date) -> Bool {
    EpochTime.writable.contains(EpochTime.milliseconds(of: date))
  }

  /// Returns the date in UTC with milliseconds, `2026-11-21T09:00:00.000Z`; a date that cannot be
  /// written as the nearest one that can.
  package static func format(_ date: Date) -> String {
    var text: [UInt8] = []
    text.reserveCapacity(24)
    if !append(date, to: &text) {
      let isEarly = date.timeIntervalSince1970 < 0
      let nearest = isEarly ? EpochTime.writable.lowerBound : EpochTime.writable.upperBound
      append(Date(timeIntervalSince1970: Double(nearest) / 1000), to: &text)
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Returns the date in UTC without a fraction, `2026-11-21T09:00:00Z`.
  package static func formatSeconds(_ date: Date) -> String { format(date).prefix(19) + "Z" }

  /// Returns the day in UTC, `2026-11-21`.
  package static func formatDay(_ date: Date) -> String { String(format(date).prefix(10)) }

  /// Appends the date in UTC with milliseconds, `2026-11-21T09:00:00.000Z`.
  ///
  /// - Returns: Whether it can be written; if not, nothing is appended.
  @discardableResult
  package static func append(_ date: Date, to bytes: inout [UInt8]) -> Bool {
    guard canWrite(date) else { return false }
    unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: length) { text in
      guard let place = text.baseAddress else { return }
      unsafe write(date, to: place)
      unsafe bytes.append(contentsOf: UnsafeBufferPointer(text))
    }
    return true
  }

  /// The number of bytes of a date with milliseconds.
  static let length = 24

  /// Writes a date that can be written, from a place on.
  static func write(_ date: Date, to place: UnsafeMutablePointer<UInt8>) {
    var writer = RFC3339Writer()
    _ = unsafe writer.write(date, to: place)
  }

  /// Writes the day after a number of days since 0000-01-01, up to the `T` after it.
  static func write(dayAfter days: Int, to place: UnsafeMutablePointer<UInt8>) {
    let civil = CivilDate(daysSince1970: days - 719_528)
    let year = UInt32(truncatingIfNeeded: civil.year)
    unsafe write(pair: year / 100, to: place, then: nil)
    unsafe write(pair: year % 100, to: place + 2, then: "-")
    unsafe write(pair: UInt32(truncatingIfNeeded: civil.month), to: place + 5, then: "-")
    unsafe write(pair: UInt32(truncatingIfNeeded: civil.day), to: place + 8, then: "T")
  }

  /// Writes a time of day in milliseconds, up to the `Z` after it.
  static func write(milliseconds: UInt32, to place: UnsafeMutablePointer<UInt8>) {
    let (seconds, fraction) = milliseconds.quotientAndRemainder(dividingBy: 1000)
    unsafe write(pair: seconds / 3600, to: place, then: ":")
    unsafe write(pair: seconds / 60 % 60, to: place + 3, then: ":")
    unsafe write(pair: seconds % 60, to: place + 6, then: ".")
    unsafe place[9] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: fraction / 100)
    unsafe write(pair: fraction % 100, to: place + 10, then: "Z")
  }

  @inline(__always)
  private static func write(
    pair number: UInt32, to place: UnsafeMutablePointer<UInt8>, then sign: Unicode.Scalar?
  ) {
    unsafe place[0] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number / 10)
    unsafe place[1] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number % 10)
    if let sign { unsafe place[2] = UInt8(ascii: sign) }
  }

  // MARK: Reading

  /// The deviations from RFC 3339 that a caller accepts.
  package struct Allowance: OptionSet, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    /// A time without a zone, which is then UTC.
    package static let missingZone = Allowance(rawValue: 1)
    /// The shorter forms of W3C's profile: `2026`, `2026-11`, `2026-11-21`, `2026-11-21T09:00Z`; each
    /// means its first moment, in UTC if it has no time. An offset may be of hours only.
    package static let shortForms = Allowance(rawValue: 2)
  }

  /// Returns the date in a text, truncated to whole milliseconds, or nil.
  ///
  /// Besides RFC 3339 it accepts what networks write: a blank instead of `T`, lowercase letters, an
  /// offset without a colon, or after a blank and before the zone's name, a zone named `GMT` or `UTC`, a
  /// comma before the fraction. A leap second is the moment at which the next minute begins.
  package static func parse(_ text: String, allowing allowance: Allowance = []) -> Date? {
    var text = text
    return text.withUTF8 { unsafe parse(utf8: $0, allowing: allowance) }
  }

  /// Returns the date in UTF-8 text, or nil.
  @unsafe
  package static func parse(
    utf8 bytes: UnsafeBufferPointer<UInt8>, allowing allowance: Allowance = []
  ) -> Date? {
    if let time = unsafe usual(bytes) { return time.date }
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

  /// Reads `2026-11-21T09:00:00Z`, with milliseconds or without, as most networks write; nil for any other
  /// form.
  private static func usual(_ bytes: UnsafeBufferPointer<UInt8>) -> CivilTime? {
    let hasFraction = bytes.count == length
    guard hasFraction || bytes.count == length - 4, let start = bytes.baseAddress,
      let day = unsafe pairs(at: start, as: 0x2D30_302D_3030_3030),  // 0000-00-
      let clock = unsafe pairs(at: start + 8, as: 0x3030_3A30_3054_3030)  // 00T00:00
    else { return nil }
    var time = CivilTime()
    time.year = pair(0, in: day) * 100 + pair(2, in: day)
    time.month = pair(5, in: day)
    time.day = pair(0, in: clock)
    time.hour = pair(3, in: clock)
    time.minute = pair(6, in: clock)
    if hasFraction {
      guard let rest = unsafe pairs(at: start + 16, as: 0x5A30_3030_2E30_303A)  // :00.000Z
      else { return nil }
      time.second = pair(1, in: rest)
      time.millisecond = pair(4, in: rest) * 10 + Int(unsafe start[22] &- UInt8(ascii: "0"))
    } else {
      guard let rest = unsafe pairs(at: start + 12, as: 0x5A30_303A_3030_3A30)  // 0:00:00Z
      else { return nil }
      time.second = pair(5, in: rest)
    }
    return time
  }

  /// Reads eight bytes of a date, and returns at the place of each digit its value times ten plus that of the
  /// next one; nil unless digits and signs are where the form has them.
  ///
  /// - Parameter form: The bytes with a zero for each digit, the first one lowest.
  // All bytes at a time: a digit less its zero is 0 to 9, a sign less itself is 0.
  @inline(__always)
  private static func pairs(at place: UnsafePointer<UInt8>, as form: UInt64) -> UInt64? {
    let bytes = UInt64(
      littleEndian: unsafe UnsafeRawPointer(place).loadUnaligned(as: UInt64.self))
    let digits = bytes ^ form
    // A zero is 0x30, which no sign of a date is: 0x76 in its place makes values above 9 exceed 0x7F.
    var bounds: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 64, by: 8) {
      bounds |= (form >> shift & 0xFF == 0x30 ? 0x76 : 0x7F) << shift
    }
    guard ((digits &+ bounds) | digits) & 0x8080_8080_8080_8080 == 0 else { return nil }
    return digits &* 10 &+ digits >> 8
  }

  private static func pair(_ place: UInt64, in pairs: UInt64) -> Int {
    Int(truncatingIfNeeded: pairs >> (place * 8) & 0xFF)
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
    switch scanner.next {
    case UInt8(ascii: "Z"), UInt8(ascii: "z"): scanner.skip()
    case UInt8(ascii: " "):
      scanner.skip()
      guard scanner.isAtSign else { return readZoneName(from: &scanner) && scanner.isAtEnd }
      guard readOffset(from: &scanner, into: &time, allowing: allowance) else { return false }
      if scanner.take(UInt8(ascii: " ")), scanner.word() == nil { return false }
    default:
      guard readOffset(from: &scanner, into: &time, allowing: allowance) else { return false }
    }
    return scanner.isAtEnd
  }

  private static func readZoneName(from scanner: inout DateScanner) -> Bool {
    let name = scanner.word()
    return name == "gmt" || name == "utc"
  }

  private static func readOffset(
    from scanner: inout DateScanner, into time: inout CivilTime, allowing allowance: Allowance
  ) -> Bool {
    let offset = scanner.offset(
      minuteDigits: 2...2, canEndAfterHours: allowance.contains(.shortForms))
    guard let offset else { return false }
    time.offset = offset
    return true
  }
}
