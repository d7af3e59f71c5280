internal import ArgumentParser
internal import SearchEngine
internal import SearchModel
internal import SearchSources

/// What the commands about sources have in common: which configuration they read.
struct SourcesOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Read this configuration file, and no other.", valueName: "file"))
  var config: String?

  /// The sources with their servers and credentials, and the settings of a run.
  ///
  /// - Parameter timeout: What stands for a run's `--timeout`.
  func world(
    timeout: String? = nil, in context: Context
  ) throws -> (directory: SourceDirectory, settings: RunSettings) {
    let configuration = try Configuration(named: config, in: context)
    var options = try RunOptions.parse([])
    options.timeout = timeout
    var settings = try RunSettings(
      options, from: SettingsReader(context: context, configuration: configuration))
    settings.limits.since = nil
    settings.limits.until = nil
    settings.limits.newest = nil
    // What was kept says nothing of how a source answers now.
    settings.cacheFolder = nil
    for line in configuration.warnings { context.report(line) }
    return (try SourceDirectory(configuration: configuration, in: context), settings)
  }
}

extension SourceDirectory {
  /// The setup of a source that the command line names.
  func setup(named name: String) throws(CommandFailure) -> SourceSetup {
    guard let setup = setup(of: SourceName(rawValue: name)) else {
      throw CommandFailure(.usage, "there is no source '\(name)'; there are: \(names)")
    }
    return setup
  }
}
