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
      text: text, origin: origin, context: context, knownSources: configuration.knownSources,
      farther: setting.isAdditive ? Array(places(of: setting).dropFirst()) : [])
  }

  private func find(_ setting: Setting) -> (text: String, origin: SettingOrigin)? {
    let fallback = setting.defaultText.map { ($0, SettingOrigin.default) }
    guard let found = nearest(setting) else { return fallback }
    // It is short for a format, so that the format of a nearer place counts instead.
    if setting.name == "json", let format = Setting.named("format").flatMap(nearest),
      distance(of: format.origin) < distance(of: found.origin)
    {
      return fallback
    }
    return found
  }

  /// The text of a setting at the place that takes precedence; nil where no place has it.
  private func nearest(_ setting: Setting) -> (text: String, origin: SettingOrigin)? {
    if optionsOnly.contains(setting.name) {
      return options[setting.name].map { ($0, .option(setting.name)) }
    }
    return places(of: setting).first
  }

  /// The number of places that take precedence over one.
  private func distance(of origin: SettingOrigin) -> Int {
    switch origin {
    case .option: 0
    case .variable: 1
    case .file(let path, _):
      2 + (configuration.files.firstIndex { $0.shownPath == path } ?? configuration.files.count)
    case .default: .max
    }
  }

  /// The texts of all places, the one that takes precedence first.
  private func places(of setting: Setting) -> [(text: String, origin: SettingOrigin)] {
    var texts: [(text: String, origin: SettingOrigin)] = []
    if setting.places.contains(.option), let text = options[setting.name] {
      texts.append((text, .option(setting.name)))
    }
    if setting.places.contains(.variable), let text = context.variable(setting.variable) {
      texts.append((text, .variable(setting.variable)))
    }
    if setting.places.contains(.file) { texts += configuration.texts(of: setting.name) }
    return texts
  }
}
