/// The name of an element of HTML in lower case, to `switch` over.
// Names are compared a hundred times for each tag. Up to sixteen bytes they are two numbers, which the
// compiler makes of the names in a `switch`, too. Longer ones mean nothing, and only their ends are sought:
// a checksum tells them apart.
struct ElementName: Equatable {
  private var words: (UInt64, UInt64) = (0, 0)
  private var checksum: UInt64 = 0

  /// The number of bytes.
  let count: Int

  init(_ bytes: ArraySlice<UInt8>) {
    count = bytes.count
    var shift: UInt64 = 0
    for byte in bytes {
      let letter = UInt64(byte.lowercasedASCII)
      switch shift {
      case 0..<64: words.0 |= letter << shift
      case 64..<128: words.1 |= letter << (shift - 64)
      // FNV-1a.
      default: checksum = (checksum ^ letter) &* 0x100_0000_01B3
      }
      shift += 8
    }
  }

  /// - Parameter name: At most sixteen letters in lower case.
  @inline(__always)
  init(_ name: StaticString) {
    count = name.utf8CodeUnitCount
    words = Self.words(of: name)
  }

  @inline(__always)
  static func ~= (text: StaticString, name: ElementName) -> Bool {
    let words = words(of: text)
    return name.count == text.utf8CodeUnitCount && name.words.0 == words.0
      && name.words.1 == words.1
  }

  @inline(__always)
  static func == (name: ElementName, text: StaticString) -> Bool { text ~= name }

  static func == (one: ElementName, other: ElementName) -> Bool {
    one.count == other.count && one.words == other.words && one.checksum == other.checksum
  }

  /// Computed when the program is compiled.
  @inline(__always)
  private static func words(of text: StaticString) -> (UInt64, UInt64) {
    (word(of: text, at: 0), word(of: text, at: 8))
  }

  @inline(__always)
  private static func word(of text: StaticString, at start: Int) -> UInt64 {
    var word: UInt64 = 0
    for position in 0..<8 where start + position < text.utf8CodeUnitCount {
      word |= UInt64(unsafe text.utf8Start[start + position]) << UInt64(8 * position)
    }
    return word
  }
}
