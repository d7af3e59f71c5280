internal import Glibc

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
      default: evidence += 4
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

  /// Reads an encoding by its name; nil if the system does not know it, or too many bytes are invalid.
  @unsafe
  static func named(_ name: String, _ bytes: UnsafeRawBufferPointer) -> [UInt8]? {
    let converter = unsafe iconv_open("UTF-8", name)
    guard unsafe converter != UnsafeMutableRawPointer(bitPattern: -1) else { return nil }
    defer { unsafe iconv_close(converter) }
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count + bytes.count / 2)
    var faults = 0
    // It only reads what it takes as mutable.
    var next = unsafe UnsafeMutableRawPointer(mutating: bytes.baseAddress)?
      .assumingMemoryBound(to: CChar.self)
    var left = bytes.count
    while true {
      // Some encodings hold a letter back, as a mark may follow that belongs to it.
      let isAtEnd = left == 0
      var reason: Int32 = 0
      let piece = unsafe [UInt8](unsafeUninitializedCapacity: pieceSize) { piece, count in
        unsafe piece.withMemoryRebound(to: CChar.self) { piece in
          var output = piece.baseAddress
          var room = piece.count
          let result =
            isAtEnd
            ? unsafe iconv(converter, nil, nil, &output, &room)
            : unsafe iconv(converter, &next, &left, &output, &room)
          reason = result == -1 ? errno : 0
          count = piece.count - room
        }
      }
      text += piece
      if isAtEnd { return text }
      // Zero at the end, and E2BIG where the next piece goes on.
      guard reason == EILSEQ || reason == EINVAL, left > 0 else { continue }
      faults += 1
      guard faults <= 8 + bytes.count / 100 else { return nil }
      append("\u{FFFD}", to: &text)
      unsafe next = next.map { unsafe $0 + 1 }
      left -= 1
    }
  }

  private static let pieceSize = 4096

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
      default: 0
      }
    guard length > 0, start + length <= bytes.count else { return 0 }
    for offset in 1..<length where unsafe bytes[start + offset] & 0xC0 != 0x80 { return 0 }
    let second = unsafe bytes[start + 1]
    switch first {
    case 0xE0 where second < 0xA0, 0xED where second > 0x9F, 0xF0 where second < 0x90,
      0xF4 where second > 0x8F:
      return 0
    default: return length
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
