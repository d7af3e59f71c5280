internal import TextFormats

/// Spellings of one character that searches do not tell apart.
enum Folding {
  /// Returns the character that stands for one beyond ASCII, which is in lower case and NFC; nil for one
  /// that is left out.
  ///
  /// - Parameter previous: The character before it, folded.
  static func scalar(
    for scalar: Unicode.Scalar, after previous: Unicode.Scalar?
  ) -> Unicode.Scalar? {
    if let plain = plainScalar(for: scalar) { return plain }
    switch scalar.value {
    case 0xC0...0x24F: return latin[Int(scalar.value) - 0xC0]
    case 0x1E00...0x1EFF: return furtherLatin[Int(scalar.value) - 0x1E00]
    // A letter that is written as an apostrophe.
    case 0x02BC: return "'"
    case 0x2010, 0x2011: return "-"
    case 0x03C2: return "\u{3C3}"
    case 0xFF01...0xFF5E: return Unicode.Scalar(scalar.value - 0xFF01 + 0x21)
    default: break
    }
    let properties = scalar.properties
    // Soft hyphens, joiners, directions and other characters that are not seen.
    if properties.isDefaultIgnorableCodePoint { return nil }
    // A vowel sign or a voicing mark of another script makes another letter.
    let isMark = properties.generalCategory == .nonspacingMark
    return isMark && previous.map(isLatin) ?? false ? nil : scalar
  }

  /// Returns the same for a character in either case that can be folded without Unicode's tables; nil for any other.
  ///
  /// A text of such characters alone is in NFC.
  static func plainScalar(for scalar: Unicode.Scalar) -> Unicode.Scalar? {
    switch scalar.value {
    case 0x21...0x7E: Unicode.Scalar(UInt8(scalar.value).lowercasedASCII)
    case 0xC0...0x24F:
      latin[Int(scalar.value) - 0xC0].isASCII
        ? plainScalar(for: latin[Int(scalar.value) - 0xC0]) : nil
    case 0x2018, 0x2019: "'"
    // Dashes, quotation marks, bullets and the like.
    case 0x2012...0x2017, 0x201A...0x2027: scalar
    // Kana without marks, ideographs, syllables of Hangul, pictures.
    case 0x3041...0x3096, 0x30A1...0x30FA, 0x4E00...0x9FFF, 0xAC00...0xD7A3, 0x1F300...0x1F6FF,
      0x1F900...0x1F9FF:
      scalar
    default: nil
    }
  }

  private static func isLatin(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x61...0x7A, 0xC0...0xD6, 0xD8...0xF6, 0xF8...0x2AF, 0x1E00...0x1EFF: true
    default: false
    }
  }

  /// The letters from U+00C0 to U+024F without their marks.
  // Written down, as taking them from Unicode's tables takes longer than matching a hundred posts.
  private static let latin = Array(
    """
    AAAAAAÆCEEEEIIIIÐNOOOOO×ØUUUUYÞßaaaaaaæceeeeiiiiðnooooo÷øuuuuyþy\
    AaAaAaCcCcCcCcDdĐđEeEeEeEeEeGgGgGgGgHhĦħIiIiIiIiIıĲĳJjKkĸLlLlLlĿ\
    ŀŁłNnNnNnŉŊŋOoOoOoŒœRrRrRrSsSsSsSsTtTtŦŧUuUuUuUuUuUuWwYyYZzZzZzſ\
    ƀƁƂƃƄƅƆƇƈƉƊƋƌƍƎƏƐƑƒƓƔƕƖƗƘƙƚƛƜƝƞƟOoƢƣƤƥƦƧƨƩƪƫƬƭƮUuƱƲƳƴƵƶƷƸƹƺƻƼƽƾƿ\
    ǀǁǂǃǄǅǆǇǈǉǊǋǌAaIiOoUuUuUuUuUuǝAaAaÆæǤǥGgKkOoOoƷʒjǱǲǳGgǶǷNnAaÆæØø\
    AaAaEeEeIiIiOoOoRrRrUuUuSsTtȜȝHhȠȡȢȣȤȥAaEeOoOoOoOoYyȴȵȶȷȸȹȺȻȼȽȾȿ\
    ɀɁɂɃɄɅɆɇɈɉɊɋɌɍɎɏ
    """.unicodeScalars)

  /// The letters from U+1E00 to U+1EFF without their marks.
  private static let furtherLatin = Array(
    """
    AaBbBbBbCcDdDdDdDdDdEeEeEeEeEeFfGgHhHhHhHhHhIiIiKkKkKkLlLlLlLlMm\
    MmMmNnNnNnNnOoOoOoOoPpPpRrRrRrRrSsSsSsSsSsTtTtTtTtUuUuUuUuUuVvVv\
    WwWwWwWwWwXxXxYyZzZzZzhtwyẚſẜẝẞẟAaAaAaAaAaAaAaAaAaAaAaAaEeEeEeEe\
    EeEeEeEeIiIiOoOoOoOoOoOoOoOoOoOoOoOoUuUuUuUuUuUuUuYyYyYyYyỺỻỼỽỾỿ
    """.unicodeScalars)
}
