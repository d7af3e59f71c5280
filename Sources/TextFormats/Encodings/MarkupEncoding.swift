/// Finds out in which encoding an XML document or another text of the web is.
///
/// A byte order mark says it for certain, then the form of the first characters; then come the
/// transport's word and the document's own (RFC 7303, section 3). Neither is always right: text that
/// is UTF-8 is hardly ever anything else. What fits nothing is UTF-8 with stray bytes of Windows-1252
/// where most of it is UTF-8, and all of it Windows-1252 where not.
package enum MarkupEncoding {
  /// Returns the text as UTF-8 without a byte order mark.
  ///
  /// - Parameter charset: What the transport says, such as the parameter of a `Content-Type`.
  @unsafe
  package static func utf8(_ bytes: UnsafeRawBufferPointer, charset: String?) -> [UInt8] {
    if let (length, width, isBigEndian) = unsafe mark(of: bytes) {
      let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[length...])
      guard width > 1 else { return unsafe TextEncoding.westernUTF8(rest) }
      return unsafe TextEncoding.wide(rest, width: width, isBigEndian: isBigEndian)
    }
    if let (width, isBigEndian) = unsafe form(of: bytes) {
      return unsafe TextEncoding.wide(bytes, width: width, isBigEndian: isBigEndian)
    }
    if unsafe begins(bytes, with: [0x4C, 0x6F, 0xA7, 0x94]),
      let text = unsafe TextEncoding.named("IBM037", bytes)
    {
      return text
    }
    let declared = unsafe declaration(of: bytes).flatMap { EncodingLabel($0) }
    let said = charset.flatMap { EncodingLabel($0) }
    let isUTF8 = unsafe TextEncoding.isUTF8(bytes)
    if isUTF8, declared == .utf8 { return unsafe Array(bytes) }
    for label in [said, declared] {
      switch label {
      case .utf8?, .western?: if isUTF8 { return unsafe Array(bytes) }
      case .other(let name)?:
        if let text = unsafe TextEncoding.named(name, bytes) { return text }
      // Units of 16 bits would have been seen by their form.
      case .utf16?, nil: break
      }
    }
    if isUTF8 { return unsafe Array(bytes) }
    let isWestern = said == .western || declared == .western && said == nil
    return unsafe isWestern || !TextEncoding.isMostlyUTF8(bytes)
      ? TextEncoding.western(bytes) : TextEncoding.westernUTF8(bytes)
  }

  /// The length of a byte order mark, and what it says of the units behind it.
  @unsafe
  private static func mark(
    of bytes: UnsafeRawBufferPointer
  ) -> (length: Int, width: Int, isBigEndian: Bool)? {
    if unsafe begins(bytes, with: [0xEF, 0xBB, 0xBF]) { return (3, 1, false) }
    if unsafe begins(bytes, with: [0xFF, 0xFE, 0, 0]) { return (4, 4, false) }
    if unsafe begins(bytes, with: [0, 0, 0xFE, 0xFF]) { return (4, 4, true) }
    if unsafe begins(bytes, with: [0xFF, 0xFE]) { return (2, 2, false) }
    if unsafe begins(bytes, with: [0xFE, 0xFF]) { return (2, 2, true) }
    return nil
  }

  /// The units that a `<` is written in, where that is the first character (XML 1.0, appendix F).
  @unsafe
  private static func form(
    of bytes: UnsafeRawBufferPointer
  ) -> (width: Int, isBigEndian: Bool)? {
    if unsafe begins(bytes, with: [0x3C, 0, 0, 0]) { return (4, false) }
    if unsafe begins(bytes, with: [0, 0, 0, 0x3C]) { return (4, true) }
    if unsafe begins(bytes, with: [0x3C, 0]) { return (2, false) }
    if unsafe begins(bytes, with: [0, 0x3C]) { return (2, true) }
    return nil
  }

  @unsafe
  private static func begins(_ bytes: UnsafeRawBufferPointer, with start: [UInt8]) -> Bool {
    guard bytes.count >= start.count else { return false }
    return unsafe bytes.prefix(start.count).elementsEqual(start)
  }

  /// What the XML declaration says, which must stand near the beginning.
  @unsafe
  private static func declaration(of bytes: UnsafeRawBufferPointer) -> Substring? {
    let start = unsafe String(decoding: bytes.prefix(1024), as: UTF8.self)
    guard let begin = start.firstRange(of: "<?xml"),
      let end = start[begin.upperBound...].firstRange(of: "?>"),
      let word = start[begin.upperBound..<end.lowerBound].firstRange(of: "encoding")
    else { return nil }
    let rest = start[word.upperBound..<end.lowerBound]
    return rest.drop { $0.isWhitespace || $0 == "=" || $0 == "\"" || $0 == "'" }
      .prefix { !$0.isWhitespace && $0 != "\"" && $0 != "'" }
  }
}
