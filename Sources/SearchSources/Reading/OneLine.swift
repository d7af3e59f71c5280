internal import QueuedHTTP
internal import TextFormats

/// Server text for use in messages.
enum OneLine {
  /// Returns a text on one line: control codes and runs of blanks become one blank, secrets are
  /// masked, also as addresses spell them, and anything beyond `limit` characters is cut.
  static func of(_ text: String, limit: Int = 200, without secrets: [String] = []) -> String {
    var secrets = secrets
    if text.utf8.contains(UInt8(ascii: "%")) {
      secrets += secrets.flatMap(PercentEncoding.spellings)
    }
    // As most are.
    if isPlainLine(text, limit),
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
    // Shorter ones occur in any text, and hide nothing.
    for secret in secrets.sorted(by: { $0.utf8.count > $1.utf8.count })
    where secret.utf8.count >= 4 {
      line.replace(secret, with: "(secret)")
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
    case _: false
    }
  }
}
