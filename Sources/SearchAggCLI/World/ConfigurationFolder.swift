/// The folders of the XDG base directory specification, version 0.8.
enum ConfigurationFolder {
  /// The folder of the user's configuration; nil if neither variable is set.
  static func path(in context: Context) -> String? {
    folder("XDG_CONFIG_HOME", else: ".config", in: context)
  }

  /// The folder of state that outlives a run.
  static func state(in context: Context) -> String? {
    folder("XDG_STATE_HOME", else: ".local/state", in: context)
  }

  /// The folder of files that may be removed at any time.
  static func cache(in context: Context) -> String? {
    folder("XDG_CACHE_HOME", else: ".cache", in: context)
  }

  /// A relative value is ignored, as the specification asks.
  private static func folder(
    _ variable: String, else fallback: String, in context: Context
  ) -> String? {
    if let folder = context.variable(variable), folder.hasPrefix("/") {
      return "\(folder)/searchagg"
    }
    guard let home = context.variable("HOME"), home.hasPrefix("/") else { return nil }
    return "\(home)/\(fallback)/searchagg"
  }
}
