/// The columns that text takes on a terminal: 2 for East Asian wide characters and emoji, 0 for
/// characters that combine with the one before (UAX 11, UTS 51).
package enum DisplayWidth {
  /// Returns the columns of a text on one line.
  package static func columns(of text: some StringProtocol) -> Int {
    // Visible ASCII takes one column a byte.
    if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return text.utf8.count }
    return text.reduce(0) { $0 + columns(of: $1) }
  }

  /// Returns the columns of one character as perceived by people: the sum of its parts, as terminals
  /// without shaping count them, but 2 for an emoji sequence.
  package static func columns(of character: Character) -> Int {
    if let ascii = character.asciiValue { return ascii >= 0x20 && ascii < 0x7F ? 1 : 0 }
    var width = 0
    var isEmoji = false
    var isJoined = false
    for scalar in character.unicodeScalars {
      switch scalar.value {
      // A variation selector turns a symbol into an emoji, as in ❤ and ❤️.
      case 0xFE0F: if isEmoji { width = 2 }
      // Two regional indicators are a flag, and one alone is as wide.
      case 0x1F1E6...0x1F1FF: width = 2
      case 0x200D: isJoined = true
      // Skin tones color the emoji before them.
      case 0x1F3FB...0x1F3FF where width > 0: break
      case _ where isJoined && isEmoji && scalar.properties.isEmoji: break
      default:
        isEmoji = isEmoji || scalar.properties.isEmoji
        width += columns(of: scalar)
      }
    }
    return width
  }

  /// True if a character is East Asian wide or an emoji, beside which a line may be broken.
  package static func isWide(_ character: Character) -> Bool {
    guard let first = character.unicodeScalars.first, !character.isASCII else { return false }
    return columns(of: first) == 2 || (first.properties.isEmoji && columns(of: character) == 2)
  }

  private static func columns(of scalar: Unicode.Scalar) -> Int {
    if scalar.value >= 0x20, scalar.value < 0x7F { return 1 }
    let properties = scalar.properties
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .control, .format, .surrogate: return 0
    default: break
    }
    if properties.isDefaultIgnorableCodePoint { return 0 }
    // The vowels and finals of Korean syllables join the consonant before them.
    if (0x1160...0x11FF).contains(scalar.value) || (0xD7B0...0xD7FF).contains(scalar.value) {
      return 0
    }
    return properties.isEmojiPresentation || isWide(scalar.value) ? 2 : 1
  }

  private static func isWide(_ value: UInt32) -> Bool {
    guard value >= 0x1100 else { return false }
    var low = 0
    var high = wideRanges.count
    while low < high {
      let middle = (low + high) / 2
      if value > wideRanges[middle].upperBound {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return low < wideRanges.count && wideRanges[low].contains(value)
  }

  /// East Asian Wide and Fullwidth of EastAsianWidth.txt, Unicode 16, joined across unassigned gaps;
  /// emoji have their own property.
  private static let wideRanges: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2329...0x232A, 0x2630...0x2637, 0x268A...0x268F, 0x2E80...0x303E,
    0x3041...0xA4CF, 0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19,
    0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18DFF, 0x1AFF0...0x1B2FF,
    0x1D300...0x1D376, 0x1F200...0x1F265, 0x20000...0x2FFFD, 0x30000...0x3FFFD,
  ]
}
