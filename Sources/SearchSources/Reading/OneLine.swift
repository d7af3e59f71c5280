internal import TextFormats

/// Server text for use in messages.
enum OneLine {
  /// Returns a text on one line: control codes and runs of blanks become one blank, secrets are
  /// masked in all spellings, and anything beyond `limit` characters is cut.
  static func of(_ text: String, limit: Int = 200, without secrets: [String] = []) -> String {
    // Without these marks a text is spelled as it is.
    let isSpelled = text.utf8.contains {
      $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "\\") || $0 == UInt8(ascii: "&")
    }
    // As most are.
    if isPlainLine(text, limit), !isSpelled || secrets.isEmpty,
      !secrets.contains(where: { ByteSearch.contains($0, in: text) })
    {
      return text
    }
    var line = String()
    var needsBlank = false
    for scalar in text.unicodeScalars.prefix(4096) {
      if isGap(scalar) {
        needsBlank = !line.isEmpty
        continue
      }
      if needsBlank { line.unicodeScalars.append(" ") }
      needsBlank = false
      line.unicodeScalars.append(scalar)
    }
    let hidden = SpelledText.secrets(secrets).sorted { $0.count > $1.count }
    if !hidden.isEmpty {
      line = String(decoding: SpelledText.masking(hidden, in: Array(line.utf8)), as: UTF8.self)
    }
    return line.count <= limit ? line : String(line.prefix(limit - 1)) + "…"
  }

  /// True for a short text in visible ASCII with single blanks between its words.
  private static func isPlainLine(_ text: String, _ limit: Int) -> Bool {
    guard text.utf8.count <= limit else { return false }
    var isAfterBlank = true
    for byte in text.utf8 {
      guard byte >= 0x20, byte < 0x7F, byte > 0x20 || !isAfterBlank else { return false }
      isAfterBlank = byte == 0x20
    }
    return !isAfterBlank
  }

  /// True if a character becomes a blank.
  private static func isGap(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII { return scalar.value <= 0x20 || scalar.value == 0x7F }
    if scalar.properties.isWhitespace { return true }
    return switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }
}
