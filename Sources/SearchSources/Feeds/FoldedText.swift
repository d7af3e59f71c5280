#if os(Linux)
  @_spi(_Unicode) internal import Swift
#endif

/// A text in which case, accents and the kind of blanks do not count.
struct FoldedText {
  private var scalars: [Unicode.Scalar] = []

  init(_ text: some StringProtocol) {
    let text = String(text)
    scalars.reserveCapacity(text.utf8.count)
    if text.utf8.allSatisfy({ $0 < 0x80 }) {
      for byte in text.utf8 {
        let isUpper = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
        append(Unicode.Scalar(isUpper ? byte | 0x20 : byte))
      }
    } else {
      for scalar in Self.decomposed(text.lowercased()) { append(scalar) }
    }
  }

  var isEmpty: Bool { scalars.isEmpty }

  /// Whether a text stands in this one, and is no part of a longer word.
  func contains(_ other: FoldedText) -> Bool {
    guard let first = other.scalars.first, let last = other.scalars.last else { return true }
    let count = other.scalars.count
    guard count <= scalars.count else { return false }
    for start in 0...(scalars.count - count) where scalars[start] == first {
      let end = start + count
      guard scalars[start..<end].elementsEqual(other.scalars) else { continue }
      let isWithinWord =
        start > 0 && Self.isOneWord(scalars[start - 1], first)
        || end < scalars.count && Self.isOneWord(last, scalars[end])
      if !isWithinWord { return true }
    }
    return false
  }

  private mutating func append(_ scalar: Unicode.Scalar) {
    if scalar.properties.isWhitespace {
      if scalars.last != " " { scalars.append(" ") }
    } else if scalar.properties.generalCategory != .nonspacingMark {
      scalars.append(scalar)
    }
  }

  private static func isOneWord(_ left: Unicode.Scalar, _ right: Unicode.Scalar) -> Bool {
    isInWord(left) && isInWord(right) && !isUnspaced(left) && !isUnspaced(right)
  }

  private static func isInWord(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isAlphabetic || scalar.properties.numericType != nil || scalar == "_"
  }

  /// Whether it is of a script that has no blanks between words, or joins endings to them: Thai to
  /// Khmer, Chinese, Japanese and Korean.
  private static func isUnspaced(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x0E00...0x0EFF, 0x1000...0x109F, 0x1100...0x11FF, 0x1780...0x17FF, 0x2E80...0xD7FF,
      0xF900...0xFAFF, 0x20000...0x3FFFF:
      true
    case _: false
    }
  }

  // The standard library of Apple's platforms does not show its decomposition; there accents count.
  private static func decomposed(_ text: String) -> [Unicode.Scalar] {
    #if os(Linux)
      Array(text._nfd)
    #else
      Array(text.unicodeScalars)
    #endif
  }
}
