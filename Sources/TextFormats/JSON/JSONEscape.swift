/// The escapes `\uXXXX` of a string.
enum JSONEscape {
  /// Returns where the first character stands that a string must not hold as it is; the end when there
  /// is none.
  // Eight bytes at a time: see `ControlCodes`.
  static func firstSpecial(in utf8: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let highs: UInt64 = 0x8080_8080_8080_8080
    let raw = UnsafeRawBufferPointer(utf8)
    var position = start
    while position + 8 <= utf8.count {
      let word = unsafe raw.loadUnaligned(fromByteOffset: position, as: UInt64.self)
      let quote = word ^ (ones &* 0x22)
      let backslash = word ^ (ones &* 0x5C)
      let below = (word &- ones &* 0x20) & ~word
      let equal = ((quote &- ones) & ~quote) | ((backslash &- ones) & ~backslash)
      guard (below | equal) & highs == 0 else { break }
      position += 8
    }
    while position < utf8.count {
      let byte = unsafe utf8[position]
      if byte < 0x20 || byte == 0x22 || byte == 0x5C { break }
      position += 1
    }
    return position
  }

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
