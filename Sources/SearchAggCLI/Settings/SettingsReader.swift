internal import Application
internal import FoundationEssentials
internal import SearchEngine
internal import SearchModel
internal import SearchSources
internal import TextFormats

/// Finds the text of each setting: in the option, else the variable, else the nearest configuration
/// file, else the default.
struct SettingsReader: Sendable {
  let context: Context
  let configuration: Configuration
  /// The options that were given, by name.
  var options: [String: String] = [:]
  /// The settings that count only as options.
  var optionsOnly: Set<String> = []

  /// The text of a setting; nil when nothing sets it and it has no default.
  func text(of setting: Setting) -> SettingText? {
    guard let (text, origin) = find(setting) else { return nil }
    return SettingText(
      text: text, origin: origin, context: context, catalogue: configuration.catalogue)
  }

  private func find(_ setting: Setting) -> (text: String, origin: SettingOrigin)? {
    if optionsOnly.contains(setting.name), options[setting.name] == nil {
      return setting.standard.map { ($0, .standard) }
    }
    // It is short for a format, so that the format of a nearer place counts instead.
    if setting.name == "json", let json = distance(of: "json"),
      distance(of: "format") ?? .max < json
    {
      return nil
    }
    if setting.isAdditive { return sum(of: setting) }
    if setting.places.contains(.option), let text = options[setting.name] {
      return (text, .option(setting.name))
    }
    if setting.places.contains(.variable), let text = context.variable(setting.variable) {
      return (text, .variable(setting.variable))
    }
    if setting.places.contains(.file), let found = configuration.text(of: setting.name) {
      return found
    }
    return setting.standard.map { ($0, .standard) }
  }

  /// The number of places that take precedence over the nearest one that has a setting; nil if none has it.
  private func distance(of name: String) -> Int? {
    if options[name] != nil { return 0 }
    if let setting = Setting.named(name), context.variable(setting.variable) != nil { return 1 }
    return configuration.files.firstIndex { $0.text(of: name) != nil }.map { $0 + 2 }
  }

  /// The lists of all places as one, and the place that takes precedence.
  private func sum(of setting: Setting) -> (text: String, origin: SettingOrigin)? {
    var texts: [(text: String, origin: SettingOrigin)] = []
    if setting.places.contains(.option), let text = options[setting.name] {
      texts.append((text, .option(setting.name)))
    }
    if setting.places.contains(.variable), let text = context.variable(setting.variable) {
      texts.append((text, .variable(setting.variable)))
    }
    if setting.places.contains(.file) { texts += configuration.texts(of: setting.name) }
    return texts.first.map { (texts.map(\.text).joined(separator: ","), $0.origin) }
  }
}
