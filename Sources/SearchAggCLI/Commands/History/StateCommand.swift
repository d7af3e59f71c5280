internal import Application
internal import ArgumentParser
internal import PostHistory
internal import SearchModel
internal import SharedHistory

/// `searchagg state`: what runs with `--new` remember.
struct StateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "state",
    abstract:
      "Forget which posts runs with --new have printed, and make the tables of a shared state.",
    discussion: """
      EXAMPLES:
        searchagg state forget '#swiftlang'
        searchagg state forget
        searchagg state init --state postgresql://db.example/searchagg
      """,
    subcommands: [StateForget.self, StateInit.self])
}

/// `searchagg state forget`.
struct StateForget: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "forget",
    abstract:
      "Forget which posts --new has printed, for these tags or for all; the next run is a first run."
  )

  @Argument(help: ArgumentHelp("The tags; all when none is given.", valueName: "tag"))
  var tags: [String] = []

  @OptionGroup var options: SettingOptions<StateFileOption>

  func run(in context: Context) async throws -> CommandStatus {
    let store = try OpenHistory(options: options.texts, in: context).store
    let tags = tags.isEmpty ? nil : try QueryWords.queries(tags, in: context).map(\.text)
    let count = try store?.forget(tags: tags) ?? 0
    context.report(
      count == 0
        ? "nothing to reset: no search has had a first run"
        : "\(Plural.count(count, "search", "searches")) reset: the next --new is a first run")
    return count == 0 ? .nothing : .success
  }
}

extension SettingOptions<StateFileOption> {
  /// Returns the address of the state that machines share; refuses any other state.
  ///
  /// - Parameter part: What only a shared state has, for people.
  func sharedAddress(in context: Context, with part: String) throws -> SharedAddress {
    let configuration = try Configuration(named: texts["config"], in: context)
    let path = try HistorySettings.path(
      SettingsReader(context: context, configuration: configuration, options: texts))
    guard let address = path.flatMap({ SharedAddress($0) }) else {
      throw CommandFailure(
        .usage,
        "only a shared state has \(part): name one with --state postgresql://…")
    }
    return address
  }
}

/// `searchagg state init`.
struct StateInit: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "init",
    abstract: "Create or upgrade the tables of a shared state.",
    discussion: "See `searchagg help state`. The file of one machine needs no such command.")

  @Flag(help: "Print the SQL that creates all tables in an empty database, and ask no server.")
  var printSql = false

  @OptionGroup var options: SettingOptions<StateFileOption>

  func run(in context: Context) async throws -> CommandStatus {
    if printSql {
      try context.output.write(Array(SharedSchema.sql.utf8))
      return .success
    }
    let address = try options.sharedAddress(in: context, with: "tables to create")
    let change = try SharedState(at: address).prepare()
    switch change {
    case .none: context.report("\(address.name): the tables are up to date")
    case .made: context.report("\(address.name): created the tables of a shared state")
    case .migrated(let version):
      context.report("\(address.name): upgraded the tables from version \(version)")
    }
    return .success
  }
}
