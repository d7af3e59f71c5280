/// The escapes `\uXXXX` of a string.
enum JSONEscape {
  /// The UTF-16 unit of the escape that begins at `position`; nil when none stands there.
  static func unit(in text: [UInt8], at position: Int) -> UInt16? {
    guard position + 6 <= text.count, text[position] == UInt8(ascii: "\\"),
      text[position + 1] == UInt8(ascii: "u")
    else { return nil }
    var unit: UInt16 = 0
    for byte in text[(position + 2)..<(position + 6)] {
      guard let digit = Character(UnicodeScalar(byte)).hexDigitValue else { return nil }
      unit = unit << 4 | UInt16(digit)
    }
    return unit
  }
}
