internal import Application
internal import ArgumentParser
internal import SearchModel
internal import SearchSources
internal import TextFormats

/// `searchagg sources enable NAME…`.
struct SourcesEnable: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "enable",
    abstract: "Search networks of the catalog in every run.",
    discussion: """
      Networks of the catalog are searched only when --source names them, until they are enabled in your \
      configuration file. A subject selects all of its networks.

      EXAMPLES:
          searchagg sources enable arxiv crossref
          searchagg sources enable science
      """)

  @Argument(help: ArgumentHelp("Networks of the catalog, or subjects.", valueName: "name"))
  var names: [String]

  @OptionGroup var options: SettingOptions<ConfigOption>

  func run(in context: Context) async throws -> CommandStatus {
    let change = try EnabledSources(named: options.texts["config"], in: context).set(
      names, to: true)
    context.report("enabled \(change.names.joined(separator: ", ")) in \(change.path)")
    return .success
  }
}

/// `searchagg sources disable NAME…`.
struct SourcesDisable: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "disable",
    abstract: "Search networks of the catalog only when they are named.")

  @Argument(help: ArgumentHelp("Networks of the catalog, or subjects.", valueName: "name"))
  var names: [String]

  @OptionGroup var options: SettingOptions<ConfigOption>

  func run(in context: Context) async throws -> CommandStatus {
    let change = try EnabledSources(named: options.texts["config"], in: context).set(
      names, to: false)
    context.report("disabled \(change.names.joined(separator: ", ")) in \(change.path)")
    return .success
  }
}

/// The networks of the catalog that the user's configuration file enables.
struct EnabledSources {
  private static let key = "enabled"

  private let file: OwnConfiguration

  /// - Parameter named: The configuration file that `--config` names; nil for the user's own.
  init(named: String?, in context: Context) throws {
    // Such a file must be there, as for every other command.
    if let named { _ = try Configuration(named: named, in: context) }
    file = try OwnConfiguration(named: named, in: context)
  }

  /// Enables or disables networks; returns those that were not so before. One that the file declares
  /// is no network of the catalog.
  func set(
    _ names: [String], to isEnabled: Bool
  ) throws -> (names: [String], path: String) {
    let wanted = try names.map(Self.networks).flatMap(\.self)
    let changed = try file.change { document throws -> [String] in
      var changed: [String] = []
      for name in wanted where Self.isEnabled(name, in: document) != isEnabled {
        let settings = document["sources"]?[name] ?? .object([])
        guard settings["kind"] == nil else {
          guard names.contains(name) else { continue }
          throw CommandFailure(
            .usage, "\(name) is declared in \(file.path): runs search it whenever it is ready")
        }
        let new =
          isEnabled
          ? settings.setting(Self.key, to: .bool(true)) : settings.removing(Self.key)
        document = document.setting(source: name, to: new)
        changed.append(name)
      }
      return changed
    }
    guard !changed.isEmpty else {
      throw CommandFailure(
        .nothing,
        "\(wanted.joined(separator: ", ")): already \(isEnabled ? "enabled" : "disabled") in "
          + "\(file.path); nothing changed")
    }
    return (changed, file.path)
  }

  private static func isEnabled(_ name: String, in document: JSONValue) -> Bool {
    document["sources"]?[name]?[key] == .bool(true)
  }

  /// The networks of the catalog that a name means.
  private static func networks(of name: String) throws -> [String] {
    if let entry = Catalog.entry(named: name) { return [entry.name.rawValue] }
    if let subject = Catalog.Subject(rawValue: name) {
      return Catalog.entries(about: subject).map(\.name.rawValue)
    }
    guard Sources.named(name) == nil else {
      throw CommandFailure(
        .usage, "\(name) is not in the catalog: runs search it whenever it is ready")
    }
    throw CommandFailure(
      .usage,
      Suggestion.refusal(
        of: name, as: "network of the catalog",
        among: Catalog.entries.map(\.name.rawValue) + Catalog.Subject.allCases.map(\.rawValue)))
  }
}
