/// Finds where a value stands in a text that is known to be JSON.
///
/// simdjson does not say, and only the rare value that is refused needs to know.
package struct JSONLocator {
  private let text: [UInt8]
  private var offset = 0

  /// The place of the value that is reached by going down by ordinals: the n-th element of an array,
  /// the value of the n-th member of an object.
  ///
  /// A way that leads nowhere ends at the last value that it passed.
  package static func position(of ordinals: [Int], in text: [UInt8]) -> JSONPosition {
    var locator = JSONLocator(text: text)
    locator.skipBlanks()
    for ordinal in ordinals where !locator.descend(to: ordinal) { break }
    return JSONPosition(offset: locator.offset, in: text)
  }

  private init(text: [UInt8]) { self.text = text }

  private var byte: UInt8 { offset < text.count ? text[offset] : 0 }

  private mutating func descend(to ordinal: Int) -> Bool {
    let isObject = byte == UInt8(ascii: "{")
    guard isObject || byte == UInt8(ascii: "[") else { return false }
    offset += 1
    for index in 0...max(ordinal, 0) {
      skipBlanks()
      if isObject {
        skipString()
        skipBlanks()
        offset += 1  // The colon.
        skipBlanks()
      }
      if index == ordinal { break }
      skipValue()
      skipBlanks()
      guard byte == UInt8(ascii: ",") else { return false }
      offset += 1
    }
    return true
  }

  private mutating func skipValue() {
    var depth = 0
    repeat {
      switch byte {
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        depth += 1
        offset += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth -= 1
        offset += 1
      case UInt8(ascii: "\""): skipString()
      case UInt8(ascii: ","), UInt8(ascii: ":"): offset += 1
      case _: skipWord()
      }
      if depth > 0 { skipBlanks() }
    } while depth > 0 && offset < text.count
  }

  private mutating func skipString() {
    offset += 1
    while offset < text.count, byte != UInt8(ascii: "\"") {
      offset += byte == UInt8(ascii: "\\") ? 2 : 1
    }
    offset += 1
  }

  private mutating func skipWord() {
    repeat { offset += 1 } while offset < text.count && !",:]}[{ \t\r\n\"".utf8.contains(byte)
  }

  private mutating func skipBlanks() {
    while offset < text.count, " \t\r\n".utf8.contains(byte) { offset += 1 }
  }
}
