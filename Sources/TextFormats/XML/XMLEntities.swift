/// The entities that a document type declares as plain text; all others mean nothing.
struct XMLEntities {
  private static let countLimit = 256
  private static let lengthLimit = 256

  private var texts: [String: [Unicode.Scalar]] = [:]

  subscript(name: ArraySlice<UInt8>) -> [Unicode.Scalar]? {
    texts.isEmpty ? nil : texts[String(decoding: name, as: UTF8.self)]
  }

  /// Reads the declaration that goes on at a place, and returns the place behind it.
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
    // `name "`; with SYSTEM or PUBLIC behind the name it stands elsewhere, with % before it is none.
    let words = String(decoding: head.dropLast(), as: UTF8.self).split(
      whereSeparator: \.isWhitespace)
    guard words.count == 1, let name = words.first, name != "%",
      value.count <= Self.lengthLimit, texts.count < Self.countLimit
    else { return }
    let text = Entities.decode(String(decoding: value, as: UTF8.self))
    let key = String(name)
    if texts[key] == nil { texts[key] = Array(text.unicodeScalars) }
  }
}
