/// The code page that texts without a word on their encoding are written in, if not in UTF-8.
enum Windows1252 {
  /// The character that a byte stands for.
  static func scalar(_ byte: UInt8) -> Unicode.Scalar {
    scalar(numbered: UInt32(byte)) ?? Unicode.Scalar(byte)
  }

  /// The character that the numbers 128 to 159 stand for; nil for any other, and the five that are
  /// free.
  static func scalar(numbered number: UInt32) -> Unicode.Scalar? {
    guard (128...159).contains(number), table[Int(number) - 128] != 0 else { return nil }
    return Unicode.Scalar(table[Int(number) - 128])
  }

  private static let table: [UInt32] = [
    0x20AC, 0, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039,
    0x0152, 0, 0x017D, 0, 0, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC,
    0x2122, 0x0161, 0x203A, 0x0153, 0, 0x017E, 0x0178,
  ]
}
