internal import TextFormats

/// Hashtags in texts, as far as they can be told from their bytes alone.
enum Hashtag {
  /// Returns whether a text has a topic of ASCII letters, digits and underscores as a hashtag, whatever its
  /// case. False says nothing: the topic may have another spelling.
  static func occurs(
    _ topic: UnsafeBufferPointer<UInt8>, in text: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    guard !topic.isEmpty, topic.allSatisfy(isOfName) else { return false }
    var start = 0
    while let mark = ByteSearch.first(UInt8(ascii: "#"), in: text, from: start) {
      start = mark + 1
      let end = start + topic.count
      guard end <= text.count else { return false }
      let isWhole = end == text.count || !continues(text[end])
      if isWhole,
        ByteSearch.occurs(topic, at: start, in: text)
          || isEqual(UnsafeBufferPointer(rebasing: text[start..<end]), topic)
      {
        return true
      }
    }
    return false
  }

  private static func isEqual(
    _ one: UnsafeBufferPointer<UInt8>, _ other: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    for position in one.indices
    where one[position].lowercasedASCII != other[position].lowercasedASCII {
      return false
    }
    return true
  }

  private static func isOfName(_ byte: UInt8) -> Bool {
    byte.isASCIILetterOrDigit || byte == UInt8(ascii: "_")
  }

  /// True if a hashtag goes on with a byte, or may do so.
  private static func continues(_ byte: UInt8) -> Bool {
    isOfName(byte) || byte == UInt8(ascii: "-") || byte >= 0x80
  }
}
