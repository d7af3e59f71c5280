/// The references that stand for characters with a meaning in HTML and XML.
package enum MarkupEscape {
  /// Returns the reference for a character; nil for one that may stay as it is.
  package static func reference(for byte: UInt8) -> String? {
    switch byte {
    case UInt8(ascii: "&"): "&amp;"
    case UInt8(ascii: "<"): "&lt;"
    case UInt8(ascii: ">"): "&gt;"
    case UInt8(ascii: "\""): "&quot;"
    case UInt8(ascii: "'"): "&#39;"
    default: nil
    }
  }

  /// Appends a byte of a text, or the reference for it.
  package static func append(_ byte: UInt8, to bytes: inout [UInt8]) {
    guard let reference = reference(for: byte) else { return bytes.append(byte) }
    bytes.append(contentsOf: reference.utf8)
  }

  /// A text as the content of an element, or of an attribute in double quotation marks.
  ///
  /// - Parameter kept: Characters that stay as they are.
  package static func escaped(_ text: String, keeping kept: String = "'") -> String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count)
    for byte in text.utf8 {
      if kept.utf8.contains(byte) { bytes.append(byte) } else { append(byte, to: &bytes) }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
