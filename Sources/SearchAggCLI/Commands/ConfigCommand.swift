internal import Application
internal import ArgumentParser
internal import SearchModel
internal import SearchSources
internal import SharedHistory
internal import TextFormats

/// `searchagg config`: the settings, where they come from, and what is wrong with them.
struct ConfigCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "config",
    abstract: "Show the settings, find the configuration file, and check both.",
    discussion: """
      EXAMPLES:
          searchagg config show
          searchagg config check
          "$EDITOR" "$(searchagg config path)"

      See `searchagg help config` for what a configuration file contains.
      """,
    subcommands: [ConfigShow.self, ConfigPath.self, ConfigCheck.self])
}

/// `searchagg config show`.
struct ConfigShow: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Show each setting, its value, and where it was set.",
    discussion: "Passwords and queries in addresses are shown as ***.")

  @Option(help: "Print a table or JSON.")
  var format = ReportFormat.text

  @OptionGroup var options: SettingOptions<ConfigOption>

  func run(in context: Context) async throws -> CommandStatus {
    let configuration = try Configuration(named: options.texts["config"], in: context)
    for line in configuration.warnings { context.report(line) }
    let reader = SettingsReader(context: context, configuration: configuration)
    var rows = Setting.all.filter { $0.name != "config" }.map { setting in
      let text = reader.text(of: setting)?.combined
      let value = text.map { text in
        switch setting.name {
        case "proxy": AddressText.masked(text.text)
        case "state", "tags-file": SharedAddress(text.text)?.name ?? text.text
        default: text.text
        }
      }
      return (name: setting.name, value: value ?? "", origin: text?.origin.inWords ?? "not set")
    }
    for setup in try SourceDirectory(configuration: configuration, in: context).setups {
      let name = setup.source.name.rawValue
      let variable = setup.addressVariable
      let origin =
        context.variable(variable).map { _ in SettingOrigin.variable(variable).inWords }
        ?? configuration.servers(of: name)?.path
      guard let origin else { continue }
      let addresses = setup.servers.map { AddressText.masked($0.address.text) }
      rows.append(("sources.\(name)", addresses.joined(separator: ","), origin))
    }
    for file in configuration.files {
      for source in file.networks.enabled
      where !rows.contains(where: { $0.0 == Self.row(of: source) }) {
        rows.append((Self.row(of: source), "true", file.shownPath))
      }
    }
    switch format {
    case .text:
      let table = TextTable(columns: [
        ["SETTING"] + rows.map(\.name), ["FROM"] + rows.map(\.origin),
        ["VALUE"] + rows.map(\.value),
      ])
      try context.write(table.text)
    case .json:
      let objects = rows.map { row -> JSONValue in
        .members([
          "setting": .string(row.name), "value": .string(row.value), "from": .string(row.origin),
        ])
      }
      try context.output.write(JSONValue.array(objects).visibleFileBytes)
    }
    return .success
  }

  /// The name of the row that shows that a network of the catalog is enabled.
  private static func row(of source: any Source) -> String { "sources.\(source.name).enabled" }
}

/// `searchagg config path`.
struct ConfigPath: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "path",
    abstract: "Print the path of your configuration file, which may not exist yet.")

  @OptionGroup var options: SettingOptions<ConfigOption>

  func run(in context: Context) async throws -> CommandStatus {
    guard
      let file = Configuration.places(named: options.texts["config"], in: context).last(where: {
        !$0.isProject
      })
    else {
      throw CommandFailure(
        .badConfiguration, "cannot tell where the configuration file is: set HOME")
    }
    try context.write("\(file.path)\n")
    return .success
  }
}

/// `searchagg config check`.
struct ConfigCheck: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Look for mistakes in the configuration files and variables.",
    discussion: "The exit status is 78 if there are any.")

  @OptionGroup var options: SettingOptions<ConfigOption>

  func run(in context: Context) async throws -> CommandStatus {
    let path = options.texts["config"]
    var faults: [String] = []
    for place in Configuration.places(named: path, in: context) {
      faults += try ConfigurationFile.unknownKeys(at: place.path, shownAs: place.shownPath)
    }
    faults += MisspelledNames.unknownVariables(of: context)
    // An unknown key keeps the whole file from being read.
    if faults.isEmpty {
      do {
        let configuration = try Configuration(named: path, in: context)
        faults += configuration.warnings
        let reader = SettingsReader(context: context, configuration: configuration)
        faults += WrittenSettings.faults(in: reader)
        faults += Self.faults(in: configuration.channels, for: reader)
        _ = try SourceDirectory(configuration: configuration, in: context)
      } catch let error as any ReportedError {
        faults.append(error.shown)
      }
    }
    for fault in faults { context.report(fault) }
    if faults.isEmpty { context.report("no mistakes found") }
    return faults.isEmpty ? .success : .badConfiguration
  }

  /// The channels that nothing can be sent to, and those that `notify` names but nobody has declared.
  private static func faults(in channels: Channels, for reader: SettingsReader) -> [String] {
    var faults = channels.all.compactMap { channel in
      message { try ChannelReceiver.check(channel) }
    }
    let origin = Setting.named("notify").flatMap(reader.text)?.origin ?? .default
    // Settings that cannot be read are named already.
    let named = (try? WrittenSettings(from: reader, for: .ask))?.channels ?? []
    faults += named.compactMap { name in
      message { _ = try channels.channel(named: name, refusal: origin.refusal) }
    }
    return faults
  }

  private static func message(of check: () throws -> Void) -> String? {
    do { try check() } catch { return (error as? any ReportedError)?.shown ?? "\(error)" }
    return nil
  }
}
