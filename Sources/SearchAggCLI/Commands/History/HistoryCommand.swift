internal import Application
internal import ArgumentParser
internal import FoundationEssentials
internal import PostHistory
internal import SearchModel

/// `searchagg history`: the posts that earlier runs fetched.
struct HistoryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "history",
    abstract: "Search, list, export and delete the posts that earlier runs fetched.",
    discussion: """
      EXAMPLES:
        searchagg history search 'swift "data race"' --since 30d
        searchagg history stats --source mastodon
        searchagg history export --format ndjson > all.ndjson
        searchagg history prune --older 30d

      Runs keep what they fetch for 90 days (history.keep) in history.db in $XDG_STATE_HOME/searchagg, \
      which only you can read; not with --no-history or --no-state.
      """,
    subcommands: [
      HistorySearch.self, HistoryList.self, HistoryShow.self, HistoryStats.self,
      HistoryExport.self, HistoryDelete.self, HistoryPrune.self,
    ])
}

/// `searchagg history search`.
struct HistorySearch: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "search",
    abstract: "Search the kept posts for a query, offline.",
    discussion: """
      Queries are those of `searchagg help queries`; accents are ignored. text and plain print the newest \
      50 posts, all other formats everything; -n sets how many.
      """)

  @Argument(help: ArgumentHelp("What to search for.", valueName: "query"))
  var query: [String]

  @OptionGroup var options: SettingOptions<HistorySelection>

  func run(in context: Context) async throws -> CommandStatus {
    try OpenHistory(options: options.texts, in: context).print(query)
  }
}

/// `searchagg history list`.
struct HistoryList: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "Print the kept posts, newest first.",
    discussion:
      "text and plain print the newest 50 posts, all other formats everything; -n sets how many.")

  @OptionGroup var options: SettingOptions<HistorySelection>

  func run(in context: Context) async throws -> CommandStatus {
    try OpenHistory(options: options.texts, in: context).print([])
  }
}

/// `searchagg history export`.
struct HistoryExport: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Print all kept posts, those of muted authors too, in any format of `run`.")

  @OptionGroup var options: SettingOptions<HistorySelection>

  private static let optionsOnly: Set = [
    "source", "since", "until", "limit", "fields", "posts-only", "template",
  ]

  func run(in context: Context) async throws -> CommandStatus {
    // All of them, whatever is configured for runs.
    try OpenHistory(options: options.texts, only: Self.optionsOnly, in: context).print(
      [], isPaged: false, isMuted: false)
  }
}

/// `searchagg history prune`.
struct HistoryPrune: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "prune", abstract: "Delete posts that were written and fetched long ago.")

  @Option(
    help: ArgumentHelp("The age from which posts are deleted, such as 90d.", valueName: "time"))
  var older: String

  @OptionGroup var options: SettingOptions<StateFileOption>

  func run(in context: Context) async throws -> CommandStatus {
    guard let age = DurationArgument.parse(older, units: ["h", "d", "w"]), age > .zero else {
      throw CommandFailure(
        .usage, "--older: expected an age such as 12h, 90d or 8w, found '\(older)'")
    }
    let history = try OpenHistory(options: options.texts, in: context)
    let date = history.settings.now.addingTimeInterval(-Double(age.components.seconds))
    let count = try history.store?.prune(before: date) ?? 0
    context.report("deleted \(Plural.count(count, "post"))")
    return .success
  }
}
