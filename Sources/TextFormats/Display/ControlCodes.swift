internal import CProcessor

/// Removes codes from remote text that would control a terminal or disguise the text.
///
/// Removed are C0 and C1 controls and DEL, whole escape sequences in their 7-bit and 8-bit forms
/// (ECMA-48, and the strings of OSC, DCS, SOS, PM and APC), the bidirectional controls of Unicode
/// (UAX 9), the byte order mark and tag characters. Line breaks of any kind become a line feed, and a
/// tab becomes a space.
package enum ControlCodes {
  /// Returns a text without control codes, but with its line breaks.
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

  /// Appends UTF-8 without control codes.
  @unsafe
  package static func append(
    _ utf8: UnsafeBufferPointer<UInt8>, isSingleLine: Bool, to bytes: inout [UInt8]
  ) {
    let first = unsafe firstCode(in: utf8, from: 0)
    unsafe bytes.append(contentsOf: UnsafeBufferPointer(rebasing: utf8[..<first]))
    guard first < utf8.count else { return }
    var stripper = unsafe ControlCodeStripper(utf8, from: first, isSingleLine: isSingleLine)
    unsafe stripper.run(into: &bytes)
  }

  /// Appends UTF-8 without control codes.
  @unsafe
  package static func append(
    _ utf8: UnsafeBufferPointer<UInt8>, isSingleLine: Bool, to block: inout ByteBlock
  ) {
    let first = unsafe appendUpToCode(utf8, to: &block)
    guard first < utf8.count else { return }
    var rest: [UInt8] = []
    var stripper = unsafe ControlCodeStripper(utf8, from: first, isSingleLine: isSingleLine)
    unsafe stripper.run(into: &rest)
    unsafe rest.withUnsafeBufferPointer { unsafe block.append($0) }
  }

  /// Appends UTF-8 up to the first control code (line feeds included), and returns its position, or the end.
  @unsafe
  @inline(__always)
  private static func appendUpToCode(
    _ utf8: UnsafeBufferPointer<UInt8>, to block: inout ByteBlock
  ) -> Int {
    let plain = unsafe appendPlain(utf8, orQuote: false, to: &block)
    guard plain < utf8.count else { return plain }
    let first = unsafe firstCode(in: utf8, from: plain)
    unsafe block.append(UnsafeBufferPointer(rebasing: utf8[plain..<first]))
    return first
  }

  /// Appends UTF-8 up to the first byte that may begin a control code, and returns the position of that byte, or the
  /// end.
  ///
  /// - Parameter orQuote: Whether the quotation marks and backslashes of JSON count, too.
  @unsafe
  @inline(__always)
  static func appendPlain(
    _ utf8: UnsafeBufferPointer<UInt8>, orQuote: Bool, to block: inout ByteBlock
  ) -> Int {
    var count = 0
    unsafe block.append(atMost: utf8.count) { place in
      count = unsafe copyPlain(utf8, orQuote: orQuote, to: place)
      return count
    }
    return count
  }

  /// Writes the same from a place on, which has room for the whole text.
  @unsafe
  @inline(__always)
  static func copyPlain(
    _ utf8: UnsafeBufferPointer<UInt8>, orQuote: Bool, to place: UnsafeMutablePointer<UInt8>
  ) -> Int {
    guard let start = utf8.baseAddress else { return 0 }
    return unsafe copy_plain(place, start, utf8.count, orQuote)
  }

  /// Appends UTF-8 if it has no control codes, not even line feeds; returns whether it has none.
  @unsafe
  package static func appendWhole(
    _ utf8: UnsafeBufferPointer<UInt8>, to block: inout ByteBlock
  ) -> Bool {
    let start = block.count
    if unsafe appendUpToCode(utf8, to: &block) == utf8.count { return true }
    block.removeAll(after: start)
    return false
  }

  /// Appends a text without control codes, as UTF-8.
  package static func append(_ text: String, isSingleLine: Bool, to block: inout ByteBlock) {
    let isDone: Void? = unsafe text.utf8.withContiguousStorageIfAvailable {
      unsafe append($0, isSingleLine: isSingleLine, to: &block)
    }
    if isDone != nil { return }
    var text = text
    text.withUTF8 { unsafe append($0, isSingleLine: isSingleLine, to: &block) }
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

  /// Returns the position of the first control code (line feeds included), or the end.
  static func firstCode(in utf8: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    var position = start
    while true {
      position = unsafe firstCandidate(in: utf8, from: position, orQuote: false)
      guard position < utf8.count else { return utf8.count }
      if unsafe controlLength(in: utf8, at: position) > 0 { return position }
      position += unsafe sequenceLength(leading: utf8[position])
    }
  }

  /// Returns the position of the first byte that may begin a control code, or the end.
  ///
  /// - Parameter orQuote: Whether the quotation marks and backslashes of JSON count, too.
  // Sixteen bytes at a time; the rest of a text of eight bytes or more together with bytes before it.
  @inline(__always)
  static func firstCandidate(
    in utf8: UnsafeBufferPointer<UInt8>, from start: Int, orQuote: Bool
  ) -> Int {
    guard let base = unsafe UnsafeRawPointer(utf8.baseAddress) else { return start }
    let count = utf8.count
    var position = start
    while position + 16 <= count {
      let place = unsafe base + position
      if unsafe !are_plain(place, orQuote) {
        let found = unsafe mark_codes(place, place + 8, orQuote)
        if found.first != 0 { return position + found.first.trailingZeroBitCount / 8 }
        if found.second != 0 { return position + 8 + found.second.trailingZeroBitCount / 8 }
      }
      position += 16
    }
    guard position < count else { return count }
    if count < 8 {
      while position < count, unsafe !isCandidate(utf8[position], orQuote: orQuote) {
        position += 1
      }
      return position
    }
    let last = unsafe base + (count - 8)
    if position + 8 <= count {
      let found = unsafe mark_codes(base + position, last, orQuote)
      if found.first != 0 { return position + found.first.trailingZeroBitCount / 8 }
      return found.second == 0 ? count : count - 8 + found.second.trailingZeroBitCount / 8
    }
    let found = unsafe mark_codes(last, last, orQuote).first
    let rest = found & .max << ((8 - (count - position)) * 8)
    return rest == 0 ? count : count - 8 + rest.trailingZeroBitCount / 8
  }

  private static func isCandidate(_ byte: UInt8, orQuote: Bool) -> Bool {
    switch byte {
    case 0x22, 0x5C: orQuote
    case 0..<0x20, 0x7F, 0xC2, 0xD8, 0xE2, 0xEF, 0xF3: true
    default: false
    }
  }

  /// Returns the length of the control character at a byte, or 0 if it is not one.
  static func controlLength(in utf8: UnsafeBufferPointer<UInt8>, at position: Int)
    -> Int
  {
    func byte(_ offset: Int) -> UInt8 {
      position + offset < utf8.count ? unsafe utf8[position + offset] : 0
    }
    switch byte(0) {
    case 0..<0x20, 0x7F: return 1
    case 0xC2:  // U+0080 to U+009F: C1.
      return byte(1) < 0xA0 ? 2 : 0
    case 0xD8:  // U+061C: Arabic letter mark.
      return byte(1) == 0x9C ? 2 : 0
    case 0xE2 where byte(1) == 0x80:
      switch byte(2) {
      case 0x8E, 0x8F, 0xA8...0xAE: return 3  // U+200E, U+200F, U+2028 to U+202E.
      default: return 0
      }
    case 0xE2 where byte(1) == 0x81:  // U+2066 to U+206F: isolates, and controls long deprecated.
      return byte(2) >= 0xA6 && byte(2) <= 0xAF ? 3 : 0
    case 0xEF:  // U+FEFF: byte order mark.
      return byte(1) == 0xBB && byte(2) == 0xBF ? 3 : 0
    case 0xF3:  // U+E0000 to U+E007F: tags, which hide a text within a text.
      return byte(1) == 0xA0 && (byte(2) == 0x80 || byte(2) == 0x81) ? 4 : 0
    default:
      return 0
    }
  }

  /// Returns whether a character is removed or replaced.
  static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    var text = String(scalar)
    return text.withUTF8 { unsafe firstCode(in: $0, from: 0) == 0 }
  }

  /// Returns the length of the UTF-8 sequence that a byte begins; a `String` contains only valid ones.
  static func sequenceLength(leading byte: UInt8) -> Int {
    if byte < 0x80 { return 1 }
    if byte < 0xE0 { return 2 }
    return byte < 0xF0 ? 3 : 4
  }
}

/// Copies UTF-8 without its control codes: the slow path of `ControlCodes`.
///
/// It must not outlive the buffer that it reads.
@unsafe private struct ControlCodeStripper {
  private let utf8: UnsafeBufferPointer<UInt8>
  private let lineBreak: UInt8
  private var position: Int
  /// True if no terminator of a control string follows. Searched for once; otherwise a text full of
  /// unterminated strings would take quadratic time.
  private var hasNoTerminator = false

  init(_ utf8: UnsafeBufferPointer<UInt8>, from start: Int, isSingleLine: Bool) {
    unsafe self.utf8 = unsafe utf8
    unsafe position = start
    unsafe lineBreak = isSingleLine ? UInt8(ascii: " ") : UInt8(ascii: "\n")
  }

  /// Appends the rest of the text.
  mutating func run(into bytes: inout [UInt8]) {
    while unsafe position < utf8.count {
      let next = unsafe ControlCodes.firstCode(in: utf8, from: position)
      unsafe bytes.append(contentsOf: utf8[position..<next])
      unsafe position = next
      if unsafe position < utf8.count { unsafe skipCode(into: &bytes) }
    }
  }

  private func byte(at index: Int) -> UInt8 { unsafe index < utf8.count ? utf8[index] : 0 }

  private mutating func skipCode(into bytes: inout [UInt8]) {
    let code = unsafe byte(at: position)
    if code >= 0x80 {
      unsafe skipCharacter(into: &bytes)
      return
    }
    unsafe position += 1
    switch code {
    case 0x0A: unsafe bytes.append(lineBreak)
    case 0x0D: if unsafe byte(at: position) != 0x0A { unsafe bytes.append(lineBreak) }
    case 0x09: bytes.append(UInt8(ascii: " "))
    case 0x1B: unsafe skipEscapeSequence()
    default: break
    }
  }

  private mutating func skipCharacter(into bytes: inout [UInt8]) {
    let (first, second, third) = unsafe (
      byte(at: position), byte(at: position + 1), byte(at: position + 2)
    )
    unsafe position += ControlCodes.controlLength(in: utf8, at: position)
    switch (first, second, third) {
    case (0xC2, 0x85, _), (0xE2, 0x80, 0xA8), (0xE2, 0x80, 0xA9):  // NEL, U+2028, U+2029.
      unsafe bytes.append(lineBreak)
    case (0xC2, 0x9B, _): unsafe skipControlSequence()
    case (0xC2, 0x90, _), (0xC2, 0x98, _), (0xC2, 0x9D...0x9F, _): unsafe skipControlString()
    default: break
    }
  }

  /// Skips the rest of a sequence after ESC.
  private mutating func skipEscapeSequence() {
    let kind = unsafe byte(at: position)
    switch kind {
    case UInt8(ascii: "["):
      unsafe position += 1
      unsafe skipControlSequence()
    case UInt8(ascii: "P"), UInt8(ascii: "X"), UInt8(ascii: "]"), UInt8(ascii: "^"),
      UInt8(ascii: "_"):
      unsafe position += 1
      unsafe skipControlString()
    case 0x20...0x7E:
      while unsafe (0x20...0x2F).contains(byte(at: position)) { unsafe position += 1 }
      if unsafe (0x30...0x7E).contains(byte(at: position)) { unsafe position += 1 }
    default:
      break
    }
  }

  /// Skips the parameters and the final byte of a CSI sequence.
  private mutating func skipControlSequence() {
    while unsafe (0x20...0x3F).contains(byte(at: position)) { unsafe position += 1 }
    if unsafe (0x40...0x7E).contains(byte(at: position)) { unsafe position += 1 }
  }

  /// Skips a control string up to ST, BEL, CAN or SUB. An unterminated one loses only its introducer:
  /// the rest is harmless, and may be meant as text.
  private mutating func skipControlString() {
    guard unsafe !hasNoTerminator else { return }
    var index = unsafe position
    while unsafe index < utf8.count {
      switch unsafe (utf8[index], byte(at: index + 1)) {
      case (0x07, _), (0x18, _), (0x1A, _):
        unsafe position = index + 1
        return
      case (0x1B, UInt8(ascii: "\\")), (0xC2, 0x9C):
        unsafe position = index + 2
        return
      default:
        index += 1
      }
    }
    unsafe hasNoTerminator = true
  }
}
