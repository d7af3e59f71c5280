/// Character references of HTML in otherwise plain texts.
package enum Entities {
  /// Replaces each reference by its character, in one pass: `&amp;lt;` becomes `&lt;`.
  ///
  /// A name without its semicolon is replaced where HTML allows that, and where no letter, digit or
  /// `=` follows, as in an address; anything else stays as it is.
  package static func decode(_ text: String) -> String {
    var text = text
    return text.withUTF8 { unsafe decode(utf8: $0) }
  }

  /// Decodes UTF-8 that is already at hand.
  @unsafe
  package static func decode(utf8 bytes: UnsafeBufferPointer<UInt8>) -> String {
    guard unsafe bytes.contains(UInt8(ascii: "&")) else {
      return unsafe String(decoding: bytes, as: UTF8.self)
    }
    var decoded: [UInt8] = []
    decoded.reserveCapacity(bytes.count)
    unsafe append(decodingUTF8: bytes, to: &decoded)
    return String(decoding: decoded, as: UTF8.self)
  }

  /// Decodes UTF-8 and appends it to bytes.
  @unsafe
  package static func append(
    decodingUTF8 bytes: UnsafeBufferPointer<UInt8>, to decoded: inout [UInt8]
  ) {
    let count = bytes.count
    var runStart = 0
    var position = 0
    while position < count {
      guard unsafe bytes[position] == UInt8(ascii: "&"),
        let reference = unsafe CharacterReference(at: position, in: bytes, within: .attribute)
      else {
        position += 1
        continue
      }
      unsafe decoded.append(contentsOf: bytes[runStart..<position])
      decoded.append(contentsOf: reference.text.utf8)
      position = reference.end
      runStart = position
    }
    unsafe decoded.append(contentsOf: bytes[runStart...])
  }

  /// Whether a text holds a reference that ends in a semicolon.
  package static func standWhole(in text: String) -> Bool {
    var text = text
    return text.withUTF8 { bytes in
      bytes.indices.contains { position in
        guard unsafe bytes[position] == UInt8(ascii: "&"),
          let reference = unsafe CharacterReference(at: position, in: bytes, within: .attribute)
        else { return false }
        return unsafe bytes[reference.end - 1] == UInt8(ascii: ";")
      }
    }
  }
}
