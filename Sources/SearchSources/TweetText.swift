internal import TextFormats

/// The text of a tweet: `t.co` replaced by what it stands for, `&amp;` decoded.
enum TweetText {
  /// A short address in the text and what it stands for.
  struct Link {
    /// Where it begins, in code points of the text as it was delivered, before `&amp;` is decoded.
    var start: Int?
    var short: String
    var expanded: String
  }

  /// Returns the text of a string node; nil for another kind.
  static func plain(_ node: JSONNode, expanding links: [Link]) -> String? {
    guard let bytes = node.stringBytes else { return nil }
    guard !links.isEmpty else { return Entities.decode(utf8: bytes) }
    let ranges = ranges(of: links, in: bytes)
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count + 64 * ranges.count)
    var position = 0
    for (range, expanded) in ranges {
      Entities.append(
        decodingUTF8: UnsafeBufferPointer(rebasing: bytes[position..<range.lowerBound]), to: &text)
      text.append(contentsOf: expanded.utf8)
      position = range.upperBound
    }
    Entities.append(decodingUTF8: UnsafeBufferPointer(rebasing: bytes[position...]), to: &text)
    return String(decoding: text, as: UTF8.self)
  }

  /// Where the links stand, in bytes, in order and without overlaps.
  ///
  /// X sometimes puts another text in place of the one that the offsets were counted in: what does
  /// not stand where it should is looked for.
  private static func ranges(
    of links: [Link], in text: UnsafeBufferPointer<UInt8>
  ) -> [(range: Range<Int>, expanded: String)] {
    var found: [(range: Range<Int>, expanded: String)] = []
    for link in links {
      var short = link.short
      short.withUTF8 { short in
        guard !short.isEmpty else { return }
        let isFree = { (range: Range<Int>) in !found.contains { $0.range.overlaps(range) } }
        if let start = link.start.flatMap({ byteOffset(ofCodePoint: $0, in: text) }),
          stands(short, at: start, in: text)
        {
          let range = start..<start + short.count
          if isFree(range) { found.append((range, link.expanded)) }
        } else if let range = search(short, in: text, where: isFree) {
          found.append((range, link.expanded))
        }
      }
    }
    return found.sorted { $0.range.lowerBound < $1.range.lowerBound }
  }

  private static func byteOffset(
    ofCodePoint index: Int, in text: UnsafeBufferPointer<UInt8>
  ) -> Int? {
    guard index >= 0 else { return nil }
    var seen = 0
    for position in text.indices where text[position] & 0xC0 != 0x80 {
      if seen == index { return position }
      seen += 1
    }
    return nil
  }

  private static func search(
    _ short: UnsafeBufferPointer<UInt8>, in text: UnsafeBufferPointer<UInt8>,
    where isFree: (Range<Int>) -> Bool
  ) -> Range<Int>? {
    guard short.count <= text.count else { return nil }
    for start in 0...text.count - short.count where stands(short, at: start, in: text) {
      let end = start + short.count
      // `t.co/ab` does not stand in `t.co/abc`.
      if end < text.count, isWordByte(text[end]) { continue }
      if isFree(start..<end) { return start..<end }
    }
    return nil
  }

  private static func stands(
    _ short: UnsafeBufferPointer<UInt8>, at start: Int, in text: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    guard start + short.count <= text.count else { return false }
    for offset in short.indices where text[start + offset] != short[offset] { return false }
    return true
  }

  private static func isWordByte(_ byte: UInt8) -> Bool {
    byte &- UInt8(ascii: "0") <= 9 || (byte | 0x20) &- UInt8(ascii: "a") <= 25
  }
}
