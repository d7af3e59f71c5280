internal import TextFormats

/// Server text for use in messages.
enum OneLine {
  /// Returns a text on one line: control codes and runs of blanks become one blank, secrets are
  /// masked, and anything beyond `limit` characters is cut.
  static func of(_ text: String, limit: Int = 200, without secrets: [String] = []) -> String {
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
    for secret in secrets where secret.utf8.count >= 4 { line.replace(secret, with: "(secret)") }
    return line.count <= limit ? line : String(line.prefix(limit - 1)) + "…"
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
