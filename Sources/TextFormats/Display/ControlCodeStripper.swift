/// Copies UTF-8 and leaves out its control codes: the slow path of `ControlCodes`.
///
/// It reads the buffer it was made with, so it must not outlive it.
@unsafe struct ControlCodeStripper {
  private let utf8: UnsafeBufferPointer<UInt8>
  private let lineBreak: UInt8
  private var position: Int
  /// Whether nothing that ends a control string stands ahead: looked for once, or a text full of
  /// unended strings would take the square of its length.
  private var endsAreUsedUp = false

  init(_ utf8: UnsafeBufferPointer<UInt8>, from start: Int, isSingleLine: Bool) {
    unsafe self.utf8 = unsafe utf8
    unsafe position = start
    unsafe lineBreak = isSingleLine ? UInt8(ascii: " ") : UInt8(ascii: "\n")
  }

  /// Appends what is left of the text.
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
    case _: break
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
    case _: break
    }
  }

  /// Goes on behind what follows an ESC.
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
    case _:
      break
    }
  }

  /// Goes on behind the parameters and the final byte of a CSI.
  private mutating func skipControlSequence() {
    while unsafe (0x20...0x3F).contains(byte(at: position)) { unsafe position += 1 }
    if unsafe (0x40...0x7E).contains(byte(at: position)) { unsafe position += 1 }
  }

  /// Goes on behind the end of a control string: ST, BEL, CAN or SUB. One that never ends loses its
  /// introducer only: the rest can do no harm, and may be what the author meant to say.
  private mutating func skipControlString() {
    guard unsafe !endsAreUsedUp else { return }
    var index = unsafe position
    while unsafe index < utf8.count {
      switch unsafe (utf8[index], byte(at: index + 1)) {
      case (0x07, _), (0x18, _), (0x1A, _):
        unsafe position = index + 1
        return
      case (0x1B, UInt8(ascii: "\\")), (0xC2, 0x9C):
        unsafe position = index + 2
        return
      case _:
        index += 1
      }
    }
    unsafe endsAreUsedUp = true
  }
}
