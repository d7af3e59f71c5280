internal import CLibXML2

/// Converts bytes in other encodings to UTF-8.
enum TextEncoding {
  /// Returns whether all bytes are valid UTF-8.
  @unsafe
  static func isUTF8(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var position = 0
    while position < bytes.count {
      let length = unsafe sequenceLength(at: position, in: bytes)
      guard length > 0 else { return false }
      position += length
    }
    return true
  }

  /// Returns whether most bytes beyond ASCII belong to UTF-8 characters.
  ///
  /// Two bytes of Windows-1252 may look like one character, as in `Ë»`; three hardly ever do.
  @unsafe
  static func isMostlyUTF8(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var evidence = 0
    var position = 0
    while position < bytes.count {
      let length = unsafe sequenceLength(at: position, in: bytes)
      switch length {
      case 0: evidence -= 1
      case 1: break
      case 2: evidence += 1
      case _: evidence += 4
      }
      position += max(length, 1)
    }
    return evidence > 0
  }

  /// Reads UTF-8, and each invalid byte as Windows-1252: many texts mix both.
  @unsafe
  static func westernUTF8(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
    unsafe western(bytes) { unsafe sequenceLength(at: $0, in: bytes) }
  }

  /// Reads each byte as Windows-1252, except in the sequences whose length `kept` returns.
  @unsafe
  static func western(
    _ bytes: UnsafeRawBufferPointer, keeping kept: (Int) -> Int = { _ in 0 }
  ) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count + bytes.count / 8)
    var position = 0
    while position < bytes.count {
      let length = kept(position)
      for offset in position..<position + length { unsafe text.append(bytes[offset]) }
      if length == 0 { append(Windows1252.scalar(unsafe bytes[position]), to: &text) }
      position += max(length, 1)
    }
    return text
  }

  /// Reads units of 16 or 32 bits; invalid ones become U+FFFD.
  @unsafe
  static func wide(
    _ bytes: UnsafeRawBufferPointer, width: Int, isBigEndian: Bool
  ) -> [UInt8] {
    var units: [UInt32] = []
    units.reserveCapacity(bytes.count / width)
    var position = 0
    while position + width <= bytes.count {
      var unit: UInt32 = 0
      for offset in 0..<width {
        let byte = unsafe bytes[position + (isBigEndian ? offset : width - 1 - offset)]
        unit = unit << 8 | UInt32(byte)
      }
      units.append(unit)
      position += width
    }
    let text =
      width == 4
      ? String(decoding: units, as: UTF32.self)
      : String(decoding: units.map { UInt16(truncatingIfNeeded: $0) }, as: UTF16.self)
    return Array(text.utf8)
  }

  /// Reads an encoding by its name; nil if libxml2 does not know it, or too many bytes are invalid.
  @unsafe
  static func named(_ name: String, _ bytes: UnsafeRawBufferPointer) -> [UInt8]? {
    // libxml2 would report conversion errors on standard error.
    unsafe xmlSetStructuredErrorFunc(nil) { _, _ in }
    defer { xmlSetStructuredErrorFunc(nil, nil) }
    guard let handler = unsafe xmlFindCharEncodingHandler(name) else { return nil }
    defer { unsafe xmlCharEncCloseFunc(handler) }
    guard let output = unsafe xmlBufferCreate(), let input = unsafe xmlBufferCreate() else {
      return nil
    }
    defer {
      unsafe xmlBufferFree(output)
      unsafe xmlBufferFree(input)
    }
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count + bytes.count / 2)
    var faults = 0
    var position = 0
    // In pieces, so that moving the rest of one is cheap.
    while true {
      guard unsafe xmlBufferLength(input) > 0 || position < bytes.count else { return text }
      let end = min(position + pieceSize, bytes.count)
      let isFed = end > position
      if isFed {
        let piece = unsafe UnsafeRawBufferPointer(rebasing: bytes[position..<end])
        guard
          let start = unsafe piece.bindMemory(to: xmlChar.self).baseAddress,
          unsafe xmlBufferAdd(input, start, Int32(piece.count)) == 0
        else { return nil }
        position = end
      }
      let before = unsafe xmlBufferLength(input)
      let result = unsafe xmlCharEncInFunc(handler, output, input)
      unsafe drain(output, into: &text)
      let left = unsafe xmlBufferLength(input)
      if left == 0 || (left < before && result >= 0) { continue }
      // A character may continue in the next piece.
      if left < longestCharacter, position < bytes.count, isFed { continue }
      faults += 1
      guard faults <= 8 + bytes.count / 100 else { return nil }
      append("\u{FFFD}", to: &text)
      unsafe xmlBufferShrink(input, 1)
    }
  }

  private static let pieceSize = 4096
  private static let longestCharacter: Int32 = 8

  @unsafe
  private static func drain(_ buffer: xmlBufferPtr, into text: inout [UInt8]) {
    let count = unsafe xmlBufferLength(buffer)
    guard count > 0, let start = unsafe xmlBufferContent(buffer) else { return }
    unsafe text.append(contentsOf: UnsafeBufferPointer(start: start, count: Int(count)))
    unsafe xmlBufferEmpty(buffer)
  }

  static func append(_ scalar: Unicode.Scalar, to text: inout [UInt8]) {
    text.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
  }

  /// The length of the UTF-8 character at a position, or 0 if it is invalid.
  @unsafe
  private static func sequenceLength(at start: Int, in bytes: UnsafeRawBufferPointer) -> Int {
    let first = unsafe bytes[start]
    if first < 0x80 { return 1 }
    let length =
      switch first {
      case 0xC2...0xDF: 2
      case 0xE0...0xEF: 3
      case 0xF0...0xF4: 4
      case _: 0
      }
    guard length > 0, start + length <= bytes.count else { return 0 }
    for offset in 1..<length where unsafe bytes[start + offset] & 0xC0 != 0x80 { return 0 }
    let second = unsafe bytes[start + 1]
    switch first {
    case 0xE0 where second < 0xA0, 0xED where second > 0x9F, 0xF0 where second < 0x90,
      0xF4 where second > 0x8F:
      return 0
    case _: return length
    }
  }
}

/// The code page of texts without a declared encoding that are not UTF-8.
enum Windows1252 {
  /// The character of a byte.
  static func scalar(_ byte: UInt8) -> Unicode.Scalar {
    scalar(numbered: UInt32(byte)) ?? Unicode.Scalar(byte)
  }

  /// The character of a number from 128 to 159; nil for any other, and the five unassigned ones.
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
