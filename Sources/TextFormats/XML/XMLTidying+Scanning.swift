extension XMLTidying {
  /// Whether a text stands at the position.
  func isNext(_ text: StaticString) -> Bool { stands(text, at: position) }

  private func stands(_ text: StaticString, at place: Int) -> Bool {
    let count = text.utf8CodeUnitCount
    guard place + count <= source.count else { return false }
    for offset in 0..<count where unsafe source[place + offset] != text.utf8Start[offset] {
      return false
    }
    return true
  }

  /// Where a text stands next; nil when it does not come again.
  func place(of text: StaticString, from start: Int) -> Int? {
    let first = unsafe text.utf8Start.pointee
    var place = start
    while place < source.count {
      if source[place] == first, stands(text, at: place) { return place }
      place += 1
    }
    return nil
  }

  /// The name that begins at a place; nil when none does.
  func name(at start: Int) -> Range<Int>? {
    guard start < source.count, Self.beginsName(source[start]) else { return nil }
    var end = start + 1
    while end < source.count, Self.isInName(source[end]) { end += 1 }
    return start..<end
  }

  /// Takes text up to a place, without what XML has no characters for.
  mutating func takeText(upTo end: Int) {
    var start = position
    while position < end {
      let length = strangeLength(at: position, before: end)
      guard length > 0 else {
        position += 1
        continue
      }
      result.append(contentsOf: source[start..<position])
      // The control codes of U+0080 to U+009F are meant as Windows-1252.
      if source[position] == 0xC2 {
        TextEncoding.append(Windows1252.scalar(source[position + 1]), to: &result)
      }
      position += length
      start = position
    }
    result.append(contentsOf: source[start..<end])
    position = end
  }

  /// Takes text up to the first of some bytes.
  mutating func takeText(until stops: [UInt8]) {
    var end = position
    while end < source.count, !stops.contains(source[end]) { end += 1 }
    takeText(upTo: end)
  }

  /// The length of a character that cannot stay as it is; 0 for any other.
  private func strangeLength(at place: Int, before end: Int) -> Int {
    switch source[place] {
    case 0x09, 0x0A, 0x0D: 0
    case 0..<0x20: 1
    case 0xC2 where place + 1 < end && (0x80...0x9F).contains(source[place + 1]): 2
    case 0xEF where place + 2 < end && source[place + 1] == 0xBF && source[place + 2] >= 0xBE: 3
    case _: 0
    }
  }

  private static func beginsName(_ byte: UInt8) -> Bool {
    (byte | 0x20) &- UInt8(ascii: "a") <= 25 || byte == UInt8(ascii: "_")
  }

  private static func isInName(_ byte: UInt8) -> Bool {
    beginsName(byte) || byte &- UInt8(ascii: "0") <= 9 || byte == UInt8(ascii: "-")
      || byte == UInt8(ascii: ".") || byte == UInt8(ascii: ":")
  }
}
