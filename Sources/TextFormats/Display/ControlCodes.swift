/// Takes out of remote text what would command a terminal, or show other text than is there.
///
/// Gone are C0 and C1 controls and DEL, whole escape sequences in their 7-bit and 8-bit forms
/// (ECMA-48, and the strings of OSC, DCS, SOS, PM and APC), the bidirectional controls of Unicode
/// (UAX 9), the byte order mark and tag characters. Line breaks of any kind become a line feed, and a
/// tab becomes a space.
package enum ControlCodes {
  /// Returns a text without control codes; its line breaks stay.
  package static func stripped(_ text: String) -> String {
    stripped(text, isSingleLine: false)
  }

  /// Returns a text without control codes on one line: a line break becomes a space.
  package static func strippedToLine(_ text: String) -> String {
    stripped(text, isSingleLine: true)
  }

  /// Appends a text without control codes, as UTF-8.
  package static func append(_ text: String, isSingleLine: Bool, to bytes: inout [UInt8]) {
    // Not `withUTF8` at once: that needs a copy of the string, which is a retain of cold memory.
    let isDone: Void? = unsafe text.utf8.withContiguousStorageIfAvailable {
      unsafe append($0, isSingleLine: isSingleLine, to: &bytes)
    }
    if isDone != nil { return }
    var text = text
    text.withUTF8 { unsafe append($0, isSingleLine: isSingleLine, to: &bytes) }
  }

  private static func append(
    _ utf8: UnsafeBufferPointer<UInt8>, isSingleLine: Bool, to bytes: inout [UInt8]
  ) {
    let first = unsafe firstCode(in: utf8, from: 0)
    unsafe bytes.append(contentsOf: UnsafeBufferPointer(rebasing: utf8[..<first]))
    guard first < utf8.count else { return }
    var stripper = unsafe ControlCodeStripper(utf8, from: first, isSingleLine: isSingleLine)
    unsafe stripper.run(into: &bytes)
  }

  private static func stripped(_ text: String, isSingleLine: Bool) -> String {
    var utf8 = text
    let isClean = utf8.withUTF8 { unsafe firstCode(in: $0, from: 0) == $0.count }
    if isClean { return text }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count)
    append(text, isSingleLine: isSingleLine, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns where the first control code begins, a line feed among them; the end when there is none.
  static func firstCode(in utf8: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    var position = start
    while true {
      unsafe position = endOfVisibleASCII(in: utf8, from: position)
      guard position < utf8.count else { return utf8.count }
      let byte = unsafe utf8[position]
      if byte < 0x20 || byte == 0x7F { return position }
      if unsafe controlLength(in: utf8, at: position) > 0 { return position }
      position += sequenceLength(leading: byte)
    }
  }

  /// Returns how many bytes the control character takes that begins at a byte above ASCII; 0 when it
  /// is none.
  static func controlLength(in utf8: UnsafeBufferPointer<UInt8>, at position: Int) -> Int {
    func byte(_ offset: Int) -> UInt8 {
      position + offset < utf8.count ? unsafe utf8[position + offset] : 0
    }
    switch byte(0) {
    case 0xC2:  // U+0080 to U+009F: C1.
      return byte(1) < 0xA0 ? 2 : 0
    case 0xD8:  // U+061C: Arabic letter mark.
      return byte(1) == 0x9C ? 2 : 0
    case 0xE2 where byte(1) == 0x80:
      switch byte(2) {
      case 0x8E, 0x8F, 0xA8...0xAE: return 3  // U+200E, U+200F, U+2028 to U+202E.
      case _: return 0
      }
    case 0xE2 where byte(1) == 0x81:  // U+2066 to U+206F: isolates, and controls long deprecated.
      return byte(2) >= 0xA6 && byte(2) <= 0xAF ? 3 : 0
    case 0xEF:  // U+FEFF: byte order mark.
      return byte(1) == 0xBB && byte(2) == 0xBF ? 3 : 0
    case 0xF3:  // U+E0000 to U+E007F: tags, which hide a text within a text.
      return byte(1) == 0xA0 && (byte(2) == 0x80 || byte(2) == 0x81) ? 4 : 0
    case _:
      return 0
    }
  }

  /// Whether a character is one that is taken out or replaced.
  static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    var text = String(scalar)
    return text.withUTF8 { unsafe firstCode(in: $0, from: 0) == 0 }
  }

  /// Returns the length of the UTF-8 sequence that begins with a byte; a `String` holds no other.
  static func sequenceLength(leading byte: UInt8) -> Int {
    if byte < 0x80 { return 1 }
    if byte < 0xE0 { return 2 }
    return byte < 0xF0 ? 3 : 4
  }

  /// Returns where a run of visible ASCII ends.
  // Eight bytes at a time, as most text is such: the tests for "below 0x20", "0x7F" and "above
  // ASCII" of https://graphics.stanford.edu/~seander/bithacks.html#HasLessInWord.
  private static func endOfVisibleASCII(
    in utf8: UnsafeBufferPointer<UInt8>, from start: Int
  ) -> Int {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let highs: UInt64 = 0x8080_8080_8080_8080
    let raw = UnsafeRawBufferPointer(utf8)
    var position = start
    while position + 8 <= utf8.count {
      let word = unsafe raw.loadUnaligned(fromByteOffset: position, as: UInt64.self)
      let deleted = word ^ (ones &* 0x7F)
      let below = (word &- ones &* 0x20) & ~word
      guard (word | below | ((deleted &- ones) & ~deleted)) & highs == 0 else { break }
      position += 8
    }
    while position < utf8.count {
      let byte = unsafe utf8[position]
      guard byte >= 0x20 && byte < 0x7F else { break }
      position += 1
    }
    return position
  }
}
