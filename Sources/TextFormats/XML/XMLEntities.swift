/// The entities that a document type declares as plain text; all others mean nothing.
struct XMLEntities {
  private static let countLimit = 256
  private static let lengthLimit = 256

  private static let longestName = 64

  /// The texts in UTF-8.
  private var texts: [String: [UInt8]] = [:]

  /// Returns the text that the reference at an index means, and the index after its semicolon; nil
  /// when no entity of that name is declared.
  func reference(at start: Int, in source: [UInt8]) -> (text: [UInt8], end: Int)? {
    guard !texts.isEmpty else { return nil }
    let name = source[(start + 1)...].prefix(Self.longestName)
    guard let end = name.firstIndex(of: UInt8(ascii: ";")),
      let text = texts[String(decoding: source[start + 1..<end], as: UTF8.self)]
    else { return nil }
    return (text, end + 1)
  }

  /// Reads the declaration that continues at an index, and returns the index after it.
  ///
  /// References in a value are those of HTML; it never leads to another entity of its own, so that
  /// nothing grows by steps.
  mutating func declaration(at start: Int, in source: [UInt8]) -> Int {
    var position = start
    var quote: UInt8?
    var valueStart = start
    var value: Range<Int>?
    while position < source.count {
      let byte = source[position]
      if let open = quote {
        if byte == open {
          value = value ?? valueStart..<position
          quote = nil
        }
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
        valueStart = position + 1
      } else if byte == UInt8(ascii: ">") {
        break
      }
      position += 1
    }
    if let value { declare(source[start..<value.lowerBound], as: source[value]) }
    return min(position + 1, source.count)
  }

  private mutating func declare(_ head: ArraySlice<UInt8>, as value: ArraySlice<UInt8>) {
    // `name "`; after SYSTEM or PUBLIC it is an address, and with % before it none for documents.
    let words = String(decoding: head.dropLast(), as: UTF8.self).split(
      whereSeparator: \.isWhitespace)
    guard words.count == 1, let name = words.first, name != "%",
      value.count <= Self.lengthLimit, texts.count < Self.countLimit
    else { return }
    let text = Entities.decode(String(decoding: value, as: UTF8.self))
    let key = String(name)
    if texts[key] == nil {
      texts[key] = text.utf8.filter { $0 >= 0x20 || $0 == 0x0A || $0 == 0x09 }
    }
  }
}
