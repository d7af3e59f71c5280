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

  /// Appends the same to a block.
  package static func append(_ date: Date, to block: inout ByteBlock) -> Bool {
    guard canWrite(date) else { return false }
    unsafe block.append(atMost: length) { place in
      unsafe write(date, to: place)
      return length
    }
    return true
  }

  /// The number of bytes of a date with milliseconds.
  static let length = 24

  /// Writes a date that can be written, from a place on.
  static func write(_ date: Date, to place: UnsafeMutablePointer<UInt8>) {
    // Counted from the year 0, so that divisions need no rounding down.
    let milliseconds = Int(EpochTime.milliseconds(of: date)) + 62_167_219_200_000
    let (days, rest) = milliseconds.quotientAndRemainder(dividingBy: 86_400_000)
    let civil = CivilDate(daysSince1970: days - 719_528)
    let (seconds, fraction) = UInt32(truncatingIfNeeded: rest)
      .quotientAndRemainder(dividingBy: 1000)
    let year = UInt32(truncatingIfNeeded: civil.year)
    unsafe write(pair: year / 100, to: place, then: nil)
    unsafe write(pair: year % 100, to: place + 2, then: "-")
    unsafe write(pair: UInt32(truncatingIfNeeded: civil.month), to: place + 5, then: "-")
    unsafe write(pair: UInt32(truncatingIfNeeded: civil.day), to: place + 8, then: "T")
    unsafe write(pair: seconds / 3600, to: place + 11, then: ":")
    unsafe write(pair: seconds / 60 % 60, to: place + 14, then: ":")
    unsafe write(pair: seconds % 60, to: place + 17, then: ".")
    unsafe place[20] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: fraction / 100)
    unsafe write(pair: fraction % 100, to: place + 21, then: "Z")
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
    /// means its first moment, in UTC if it has no time.
    package static let shortForms = Allowance(rawValue: 2)
  }

  /// Returns the date in a text, truncated to whole milliseconds, or nil.
  ///
  /// Besides RFC 3339 it accepts what networks write: a blank instead of `T`, lowercase letters, an
  /// offset without a colon, a zone named `GMT` or `UTC`, a comma before the fraction. A leap second
  /// is the moment at which the next minute begins.
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
    guard hasFraction || bytes.count == length - 4, unsafe bytes[4] == UInt8(ascii: "-"),
      unsafe bytes[7] == UInt8(ascii: "-"), unsafe bytes[10] == UInt8(ascii: "T"),
      unsafe bytes[13] == UInt8(ascii: ":"), unsafe bytes[16] == UInt8(ascii: ":"),
      unsafe bytes[bytes.count - 1] == UInt8(ascii: "Z"),
      unsafe !hasFraction || bytes[19] == UInt8(ascii: ".")
    else { return nil }
    var areDigits = true
    func digit(_ position: Int) -> Int {
      let digit = unsafe bytes[position] &- UInt8(ascii: "0")
      if digit > 9 { areDigits = false }
      return Int(digit)
    }
    func pair(_ position: Int) -> Int { digit(position) * 10 + digit(position + 1) }
    var time = CivilTime()
    time.year = pair(0) * 100 + pair(2)
    time.month = pair(5)
    time.day = pair(8)
    time.hour = pair(11)
    time.minute = pair(14)
    time.second = pair(17)
    if hasFraction { time.millisecond = digit(20) * 100 + pair(21) }
    return areDigits ? time : nil
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
      let name = scanner.word()
      guard name == "gmt" || name == "utc" else { return false }
    case _:
      guard let offset = scanner.offset(minuteDigits: 2...2) else { return false }
      time.offset = offset
    }
    return scanner.isAtEnd
  }
}
