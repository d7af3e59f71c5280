/// When output is coloured.
enum ColourMode: String, CaseIterable, Sendable {
  case auto, always, never

  /// Whether a stream is coloured: flags win; `NO_COLOR` and `CLICOLOR_FORCE` count when they are
  /// set and not empty (no-color.org, bixense.com/clicolors); else a capable terminal is.
  func isOn(for terminal: Terminal?, in context: Context) -> Bool {
    switch self {
    case .always: true
    case .never: false
    case .auto:
      if context.variable("NO_COLOR") != nil {
        false
      } else if let force = context.variable("CLICOLOR_FORCE"), force != "0" {
        true
      } else {
        terminal?.isCapable ?? false
      }
    }
  }
}
