internal import Application
internal import ArgumentParser
internal import SearchEngine
internal import SearchModel
internal import SearchSources

/// `searchagg sources`: the networks that can be asked.
struct SourcesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sources",
    abstract: "List the networks, check them, and show the requests they would get.",
    discussion: """
      EXAMPLES:
          searchagg sources
          searchagg sources check mastodon hackernews
          searchagg sources show github --query '#swiftlang'
          searchagg sources login bluesky

      A network of your own is declared in the configuration file: see `searchagg help json-sources`.

      \(CredentialGuide.text)
      """,
    subcommands: [
      SourcesList.self, SourcesCheck.self, SourcesShow.self, SourcesLogin.self, SourcesLogout.self,
      SourcesAdd.self, SourcesRemove.self, SourcesExport.self,
    ],
    defaultSubcommand: SourcesList.self)
}

/// The configuration file that a command on sources reads.
enum ConfigOption: SettingSelection {
  static let settings = Setting.all.filter { $0.name == "config" }
}

/// The same, and the time limit of its requests.
enum RequestOptions: SettingSelection {
  static let settings = Setting.all.filter { ["timeout", "config"].contains($0.name) }
}

extension SettingOptions {
  /// The sources with their servers and credentials, and the settings of a run that they need.
  func world(
    in context: Context
  ) throws -> (directory: SourceDirectory, settings: RunSettings) {
    let configuration = try Configuration(named: texts["config"], in: context)
    var settings = try RunSettings(
      from: SettingsReader(context: context, configuration: configuration, options: texts))
    settings.limits.since = nil
    settings.limits.until = nil
    settings.limits.newest = nil
    // Kept responses say nothing about how a source answers now.
    settings.cacheFolder = nil
    for line in configuration.warnings { context.report(line) }
    return (try SourceDirectory(configuration: configuration, in: context), settings)
  }
}

extension SourceDirectory {
  /// The setup of a source that the command line names.
  func setup(named name: String) throws(CommandFailure) -> SourceSetup {
    guard let setup = setup(of: SourceName(rawValue: name)) else {
      throw CommandFailure(
        .usage,
        Suggestion.refusal(of: name, as: "source", among: setups.map(\.source.name.rawValue)))
    }
    return setup
  }
}
