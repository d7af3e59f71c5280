internal import CLibXML2

/// Character references of HTML in otherwise plain texts.
package enum Entities {
  /// Replaces each reference by its character, in one pass: `&amp;lt;` becomes `&lt;`.
  ///
  /// Knows numbers and the names of HTML 4 and `&apos;`, each with its semicolon; anything else
  /// stays as it is.
  package static func decode(_ text: String) -> String {
    var text = text
    return text.withUTF8 { unsafe decode(utf8: $0) }
  }

  /// The same of UTF-8 that is already at hand.
  @unsafe
  package static func decode(utf8 bytes: UnsafeBufferPointer<UInt8>) -> String {
    // A bare `&`, as in an address, is none.
    let isCoded = bytes.indices.contains { position in
      unsafe bytes[position] == UInt8(ascii: "&") && end(ofReferenceAt: position, in: bytes) != nil
    }
    guard isCoded else { return unsafe String(decoding: bytes, as: UTF8.self) }
    var decoded: [UInt8] = []
    decoded.reserveCapacity(bytes.count)
    unsafe append(decodingUTF8: bytes, to: &decoded)
    return String(decoding: decoded, as: UTF8.self)
  }

  /// The same, appended to bytes.
  @unsafe
  package static func append(
    decodingUTF8 bytes: UnsafeBufferPointer<UInt8>, to decoded: inout [UInt8]
  ) {
    let count = bytes.count
    var runStart = 0
    var position = 0
    while position < count {
      guard unsafe bytes[position] == UInt8(ascii: "&"),
        let end = unsafe end(ofReferenceAt: position, in: bytes),
        let scalar = unsafe scalar(UnsafeBufferPointer(rebasing: bytes[position + 1..<end]))
      else {
        position += 1
        continue
      }
      unsafe decoded.append(contentsOf: bytes[runStart..<position])
      decoded.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
      position = end + 1
      runStart = position
    }
    unsafe decoded.append(contentsOf: bytes[runStart...])
  }

  /// The longest name is `thetasym`, the longest number `#x10FFFF`, some zeros before it apart.
  private static let lengthLimit = 16

  /// Where the reference that begins at `start` has its semicolon; nil when it is none.
  @unsafe
  static func end(
    ofReferenceAt start: Int, in bytes: UnsafeBufferPointer<UInt8>
  ) -> Int? {
    var position = start + 1
    let limit = min(bytes.count, start + lengthLimit)
    while position < limit {
      switch unsafe bytes[position] {
      case UInt8(ascii: ";"): return position > start + 1 ? position : nil
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        break
      case UInt8(ascii: "#") where position == start + 1: break
      case _: return nil
      }
      position += 1
    }
    return nil
  }

  /// The character of a reference, given without its `&` and semicolon; nil for an unknown name.
  @unsafe
  static func scalar(_ reference: UnsafeBufferPointer<UInt8>) -> Unicode.Scalar? {
    let text = unsafe String(decoding: reference, as: UTF8.self)
    switch text {
    case "amp": return "&"
    case "lt": return "<"
    case "gt": return ">"
    case "quot": return "\""
    case "apos": return "'"
    case "nbsp": return "\u{A0}"
    case _: break
    }
    if text.hasPrefix("#x") || text.hasPrefix("#X") {
      return UInt32(text.dropFirst(2), radix: 16).flatMap(scalar(numbered:))
    }
    if text.hasPrefix("#") { return UInt32(text.dropFirst()).flatMap(scalar(numbered:)) }
    guard let entity = unsafe htmlEntityLookup(text) else { return nil }
    return unsafe scalar(numbered: entity.pointee.value)
  }

  /// Numbers 128 to 159 are Windows-1252's in practice (HTML standard, section 13.2.5.80).
  private static func scalar(numbered number: UInt32) -> Unicode.Scalar? {
    guard number != 0 else { return "\u{FFFD}" }
    return Windows1252.scalar(numbered: number) ?? Unicode.Scalar(number) ?? "\u{FFFD}"
  }
}
