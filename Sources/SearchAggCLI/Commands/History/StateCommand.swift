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
    guard !tags.isEmpty else {
      let count = try store?.forget(tags: nil) ?? 0
      if count == 0 {
        throw CommandFailure(.nothing, "no run with --new has been made yet; nothing changed")
      }
      report(count, in: context)
      return .success
    }
    var count = 0
    var unknown: [String] = []
    for tag in try QueryWords.queries(tags, in: context).map(\.text) {
      let searches = try store?.forget(tags: [tag]) ?? 0
      count += searches
      if searches == 0 { unknown.append("'\(tag)'") }
    }
    if count > 0 { report(count, in: context) }
    guard unknown.isEmpty else {
      throw CommandFailure(
        .nothing,
        "no run with --new has searched for \(unknown.inWords("or"))"
          + (count == 0 ? "; nothing changed" : ""))
    }
    return .success
  }

  private func report(_ count: Int, in context: Context) {
    context.report(
      "\(Plural.count(count, "search", "searches")) reset: the next --new is a first run")
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
      try context.write(SharedSchema.sql)
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
