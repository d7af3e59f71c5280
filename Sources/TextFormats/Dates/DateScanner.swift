/// Steps through the bytes of a date.
@safe
struct DateScanner {
  private let bytes: UnsafeBufferPointer<UInt8>
  private let count: Int
  private var position = 0

  @unsafe
  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    unsafe self.bytes = unsafe bytes
    count = bytes.count
  }

  var isAtEnd: Bool { position == count }

  /// The next byte, or 0 at the end.
  var next: UInt8 { position < count ? unsafe bytes[position] : 0 }

  var isAtDigit: Bool { next.isASCIIDigit }
  var isAtLetter: Bool { next.isASCIILetter }

  mutating func skip() { position += position < count ? 1 : 0 }

  /// Skips a byte if it is the next one.
  mutating func take(_ byte: UInt8) -> Bool {
    guard position < count, unsafe bytes[position] == byte else { return false }
    position += 1
    return true
  }

  /// Reads a number of exactly that many digits.
  mutating func number(digits: Int) -> Int? {
    guard position + digits <= count else { return nil }
    var number = 0
    for index in position..<position + digits {
      let byte = unsafe bytes[index]
      guard byte.isASCIIDigit else { return nil }
      number = number * 10 + Int(byte &- UInt8(ascii: "0"))
    }
    position += digits
    return number
  }

  /// Reads all digits that follow, if their number is in the range.
  mutating func number(digits range: ClosedRange<Int>) -> (value: Int, digits: Int)? {
    var length = 0
    while position + length < count, unsafe bytes[position + length].isASCIIDigit {
      length += 1
      if length > range.upperBound { return nil }
    }
    guard length >= range.lowerBound, let value = number(digits: length) else { return nil }
    return (value, length)
  }

  /// Reads the digits of a fraction, any number of them, truncated to milliseconds.
  mutating func milliseconds() -> Int? {
    guard isAtDigit else { return nil }
    var value = 0
    var scale = 100
    while isAtDigit {
      value += Int(next &- UInt8(ascii: "0")) * scale
      scale /= 10
      position += 1
    }
    return value
  }

  /// True before blanks and a minus with a digit: a negative number, and not a separator.
  var isBeforeNegative: Bool {
    var ahead = self
    ahead.skipBlanks()
    guard ahead.position > position, ahead.take(UInt8(ascii: "-")) else { return false }
    return ahead.isAtDigit
  }

  var isAtSign: Bool { next == UInt8(ascii: "+") || next == UInt8(ascii: "-") }

  /// Reads a signed offset such as `+02:00` or `-0730`, in minutes; a single digit of minutes counts
  /// as tens.
  ///
  /// - Parameter canEndAfterHours: Whether `+02` and `+2` are offsets, too.
  mutating func offset(minuteDigits: ClosedRange<Int>, canEndAfterHours: Bool) -> Int? {
    guard isAtSign else { return nil }
    let sign = next == UInt8(ascii: "-") ? -1 : 1
    skip()
    guard let hours = number(digits: 2) ?? (canEndAfterHours ? number(digits: 1) : nil), hours <= 23
    else { return nil }
    if !take(UInt8(ascii: ":")), canEndAfterHours, !isAtDigit { return sign * hours * 60 }
    guard let (number, digits) = number(digits: minuteDigits) else { return nil }
    let minutes = digits == 1 ? number * 10 : number
    guard minutes <= 59 else { return nil }
    return sign * (hours * 60 + minutes)
  }

  /// Reads the letters that follow, in lowercase; nil for none, or more than 12.
  mutating func word() -> String? {
    var letters: [UInt8] = []
    while isAtLetter {
      letters.append(next | 0x20)
      position += 1
      if letters.count > 12 { return nil }
    }
    return letters.isEmpty ? nil : String(decoding: letters, as: UTF8.self)
  }

  /// Skips blanks and comments in parentheses, which may be nested (RFC 5322, section 3.2.2).
  mutating func skipBlanks() {
    var depth = 0
    while position < count {
      switch unsafe bytes[position] {
      case UInt8(ascii: "("): depth += 1
      case UInt8(ascii: ")") where depth > 0: depth -= 1
      case UInt8(ascii: " "), 0x09...0x0D: break
      default: if depth == 0 { return }
      }
      position += 1
    }
  }
}

/// The zone after a time of day: an offset from UTC, or a name.
enum ZoneOffset {
  /// Reads an optional zone after blanks and `AM` or `PM`; returns false if something else follows.
  static func read(from scanner: inout DateScanner, into time: inout CivilTime) -> Bool {
    scanner.skipBlanks()
    if scanner.isAtEnd { return true }
    if scanner.isAtLetter {
      guard var name = scanner.word() else { return false }
      // `10:57 a.m.`
      var ahead = scanner
      if name == "a" || name == "p", ahead.take(UInt8(ascii: ".")), ahead.word() == "m" {
        name += "m"
        _ = ahead.take(UInt8(ascii: "."))
        scanner = ahead
      }
      if name == "gmt" || name == "utc", scanner.isAtSign {
        return readOffset(from: &scanner, into: &time)
      }
      guard name == "am" || name == "pm", (1...12).contains(time.hour) else {
        time.offset = offset(of: name)
        // A place, such as `Europe/Paris`, counts as UTC.
        while scanner.take(UInt8(ascii: "/")) || scanner.take(UInt8(ascii: "_")) {
          guard scanner.word() != nil else { return false }
        }
        return true
      }
      time.hour = time.hour % 12 + (name == "pm" ? 12 : 0)
      scanner.skipBlanks()
      if scanner.isAtEnd { return true }
      if scanner.isAtLetter {
        time.offset = scanner.word().map(offset) ?? 0
        return true
      }
    }
    return readOffset(from: &scanner, into: &time)
  }

  private static func readOffset(from scanner: inout DateScanner, into time: inout CivilTime)
    -> Bool
  {
    // `+05:3` has lost its last digit.
    guard let offset = scanner.offset(minuteDigits: 1...2, canEndAfterHours: true) else {
      return false
    }
    time.offset = offset
    // Some say it twice: `+01:00Z`, `+0000 GMT`, `+0100 +0100`.
    scanner.skipBlanks()
    if scanner.isAtSign {
      return scanner.offset(minuteDigits: 1...2, canEndAfterHours: true) == offset
    }
    guard scanner.isAtLetter else { return true }
    return scanner.word().map { ambiguous.contains($0) || known($0) != nil } ?? false
  }

  /// Minutes east of UTC. Names with several meanings, such as IST and BST, count as UTC, unless RFC 822
  /// defines them, and so do the military letters, whose signs it got wrong (RFC 2822, section 4.3).
  private static func offset(of name: String) -> Int { known(name) ?? 0 }

  private static func known(_ name: String) -> Int? { american(name) ?? others[name] }

  /// Names that mean UTC, or several zones: an offset before them says which.
  private static let ambiguous: Set = ["z", "gmt", "utc", "ist", "bst", "ast", "adt", "pht", "wet"]

  /// Names with one meaning in the time zone database.
  private static let others = [
    "hst": -10 * 60, "akst": -9 * 60, "akdt": -8 * 60, "nst": -210, "ndt": -150, "brt": -3 * 60,
    "brst": -2 * 60, "west": 60, "cet": 60, "met": 60, "mez": 60, "wat": 60, "cest": 2 * 60,
    "mest": 2 * 60, "mesz": 2 * 60, "eet": 2 * 60, "cat": 2 * 60, "sast": 2 * 60, "eest": 3 * 60,
    "msk": 3 * 60, "eat": 3 * 60, "trt": 3 * 60, "msd": 4 * 60, "pkt": 5 * 60, "npt": 345,
    "wib": 7 * 60, "ict": 7 * 60, "hkt": 8 * 60, "sgt": 8 * 60, "awst": 8 * 60, "jst": 9 * 60,
    "kst": 9 * 60, "acst": 570, "acdt": 630, "aest": 10 * 60, "aedt": 11 * 60, "nzst": 12 * 60,
    "nzdt": 13 * 60,
  ]

  private static func american(_ name: String) -> Int? {
    switch name {
    case "edt": -4 * 60
    // Without a word on summer time, it is not.
    case "est", "cdt", "et": -5 * 60
    case "cst", "mdt", "ct": -6 * 60
    case "mst", "pdt", "mt": -7 * 60
    case "pst", "pt": -8 * 60
    default: nil
    }
  }
}
