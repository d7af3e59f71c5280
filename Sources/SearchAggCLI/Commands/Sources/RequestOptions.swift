internal import Application
internal import SearchEngine
internal import SearchModel
internal import SearchSources

/// The configuration file that a command on sources reads.
enum ConfigOption: SettingSelection {
  static let settings = Setting.only(["config"])
}

/// The same, and the time limit of its requests.
enum RequestOptions: SettingSelection {
  static let settings = Setting.only(["timeout", "config"])
}

extension SettingOptions {
  /// The sources with their servers and credentials, and the settings of a run that they need.
  ///
  /// - Parameter named: The sources that were named, which may be off.
  func world(
    naming named: [String] = [], in context: Context
  ) throws -> (directory: SourceDirectory, settings: RunSettings) {
    let configuration = try Configuration(named: texts["config"], in: context)
    let settings = try RunSettings(
      from: SettingsReader(context: context, configuration: configuration, options: texts),
      for: .ask)
    for line in configuration.warnings { context.report(line) }
    let directory = try SourceDirectory(
      configuration: configuration, naming: Set(named.map(SourceName.init(rawValue:))), in: context)
    return (directory, settings)
  }
}

extension SourceDirectory {
  /// The setup of a source that the command line names.
  func setup(named name: String) throws -> SourceSetup {
    guard let setup = setup(of: SourceName(rawValue: name)) else {
      throw CommandFailure(
        .usage,
        Suggestion.refusal(
          of: name, as: "source",
          among: setups.map(\.source.name.rawValue) + Catalog.entries.map(\.name.rawValue)))
    }
    return setup
  }
}
