/// Text that came from elsewhere, for a terminal.
enum TerminalText {
  /// Returns the text without what would steer a terminal: control codes, and the marks that turn the
  /// direction of writing.
  static func plain(_ text: String) -> String {
    var scalars = String.UnicodeScalarView()
    for scalar in text.unicodeScalars
    where scalar.properties.generalCategory != .control && !scalar.properties.isBidiControl {
      scalars.append(scalar)
    }
    return String(scalars)
  }
}
