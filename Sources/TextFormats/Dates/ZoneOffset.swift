/// The zone after a time of day: an offset from UTC, or a name.
enum ZoneOffset {
  /// Reads a zone, if there is one, after blanks and `AM` or `PM`; false when something else follows.
  static func read(from scanner: inout DateScanner, into time: inout CivilTime) -> Bool {
    scanner.skipBlanks()
    if scanner.isAtEnd { return true }
    if scanner.isAtLetter {
      guard let name = scanner.word() else { return false }
      guard name == "am" || name == "pm", (1...12).contains(time.hour) else {
        time.offset = offset(of: name)
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
    let sign: Int
    switch scanner.next {
    case UInt8(ascii: "+"): sign = 1
    case UInt8(ascii: "-"): sign = -1
    case _: return false
    }
    scanner.skip()
    guard let hours = scanner.number(digits: 2), hours <= 23 else { return false }
    _ = scanner.take(UInt8(ascii: ":"))
    guard let (number, digits) = scanner.number(digits: 1...2) else { return false }
    // `+05:3` has lost its last digit.
    let minutes = digits == 1 ? number * 10 : number
    guard minutes <= 59 else { return false }
    time.offset = sign * (hours * 60 + minutes)
    return true
  }

  /// Minutes ahead of UTC. Names that are not RFC 822's say nothing sure and are taken for UTC, and so
  /// are the military letters, whose signs RFC 822 had wrong (RFC 2822, section 4.3).
  private static func offset(of name: String) -> Int {
    switch name {
    case "edt": -4 * 60
    case "est", "cdt": -5 * 60
    case "cst", "mdt": -6 * 60
    case "mst", "pdt": -7 * 60
    case "pst": -8 * 60
    case _: 0
    }
  }
}
