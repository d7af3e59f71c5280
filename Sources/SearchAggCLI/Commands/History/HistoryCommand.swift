internal import Application
internal import ArgumentParser
internal import FoundationEssentials
internal import PostHistory
internal import Printing
internal import SafeFiles
internal import SearchEngine
internal import SearchModel
internal import TextFormats

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
      HistorySearch.self, HistoryList.self, HistoryStats.self, HistoryExport.self,
      HistoryDelete.self, HistoryPrune.self,
    ])
}

/// The options of the commands that look into the history.
enum HistorySelection: SettingSelection {
  private static let names: Set = [
    "source", "limit", "since", "until", "format", "output", "color", "state", "config",
    "include-private",
  ]
  static let settings = Setting.all.filter { names.contains($0.name) }
}

/// The option that names the file of the state.
enum StateFileOption: SettingSelection {
  static let settings = Setting.all.filter { ["state", "config"].contains($0.name) }
}

/// The history as a command sees it: its settings, and the file where there is one.
struct OpenHistory {
  let settings: RunSettings
  /// Nil where nothing has been kept yet.
  let store: SQLiteHistory?
  private let context: Context

  init(options: [String: String], in context: Context) throws {
    let configuration = try Configuration(named: options["config"], in: context)
    self.context = context
    let settings = try RunSettings(
      from: SettingsReader(context: context, configuration: configuration, options: options))
    self.settings = settings
    guard let path = settings.history.path(in: context.surroundings) else {
      throw CommandFailure(
        .badConfiguration, "no file for the history: set HOME, or name one with --state")
    }
    guard BoundedRead.isThere(path) else {
      context.report("\(path): nothing has been kept yet")
      store = nil
      return
    }
    store = try Self.stating { () throws(HistoryError) in
      try HistorySettings.open(path, in: context.surroundings)
    }
  }

  /// Turns the store's errors into those of a command.
  static func stating<Value>(
    _ body: () throws(HistoryError) -> Value
  ) throws(CommandFailure) -> Value {
    do throws(HistoryError) { return try body() } catch {
      throw CommandFailure(.unreadableInput, "\(error)")
    }
  }

  /// The question that the options ask.
  func query(_ words: [String], limit: Int?) throws(CommandFailure) -> HistoryQuery {
    var terms: [QueryTerm] = []
    if !words.isEmpty { terms = try QueryWords.query(words.joined(separator: " ")).terms }
    return HistoryQuery(
      terms: terms, sources: settings.sources ?? [], since: settings.limits.since,
      until: settings.limits.until, limit: limit,
      includesPrivate: settings.limits.filter.includesPrivate)
  }

  /// Prints the posts that match as a run would print them.
  func print(_ words: [String], limit standard: Int?) throws -> CommandStatus {
    let limit = settings.limit ?? standard
    let query = try query(words, limit: limit)
    var privatePosts = 0
    let posts = try Self.stating { () throws(HistoryError) in
      try store?.posts(matching: query, leavingOut: &privatePosts) ?? []
    }
    let merged = Merge(now: settings.now, limit: limit)
      .posts(of: posts.map { FoundPosts(tag: "", posts: [$0]) })
    let tags = Dictionary(posts.map { (PostIdentity($0), $0.tags) }) { first, _ in first }
    let tagged = merged.map { post in
      var post = post
      post.tags = tags[PostIdentity(post)] ?? []
      return post
    }
    try RunPrinter(settings: settings, surroundings: context.surroundings).write(stored: tagged)
    reportLeftOut(privatePosts)
    return .success
  }

  /// Counts the posts that are kept but not for everyone, and so were left out.
  func reportLeftOut(_ count: Int) {
    var tally = FilterTally()
    tally.count(.private, times: count)
    if let line = SummaryLines.leftOut(tally) { context.report(line) }
  }
}

/// `searchagg history search`.
struct HistorySearch: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "search",
    abstract: "Search the kept posts for a query, offline, and print the newest 50 (-n).",
    discussion: "Queries are those of `searchagg help queries`; accents do not count.")

  @Argument(help: ArgumentHelp("What to search for.", valueName: "query"))
  var query: [String]

  @OptionGroup var options: SettingOptions<HistorySelection>

  func run(in context: Context) async throws -> CommandStatus {
    try OpenHistory(options: options.texts, in: context).print(query, limit: 50)
  }
}

/// `searchagg history list`.
struct HistoryList: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "Print the newest 50 (-n) of the kept posts.")

  @OptionGroup var options: SettingOptions<HistorySelection>

  func run(in context: Context) async throws -> CommandStatus {
    try OpenHistory(options: options.texts, in: context).print([], limit: 50)
  }
}

/// `searchagg history export`.
struct HistoryExport: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Print all kept posts, in any format of `run`.")

  @OptionGroup var options: SettingOptions<HistorySelection>

  func run(in context: Context) async throws -> CommandStatus {
    try OpenHistory(options: options.texts, in: context).print([], limit: nil)
  }
}

/// `searchagg history delete`.
struct HistoryDelete: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete",
    abstract: "Delete kept posts by identifier or address.",
    discussion: "Posts that were printed stay marked: no later run with --new prints them again.")

  @Argument(help: ArgumentHelp("The id, uri or url of a post.", valueName: "id"))
  var ids: [String]

  @OptionGroup var options: SettingOptions<StateFileOption>

  func run(in context: Context) async throws -> CommandStatus {
    let store = try OpenHistory(options: options.texts, in: context).store
    var status = CommandStatus.success
    for id in ids {
      let count = try OpenHistory.stating { () throws(HistoryError) in
        try store?.delete(id) ?? 0
      }
      if count == 0 { status = .nothing }
      context.report(count == 0 ? "'\(id)' is not in the history" : "deleted '\(id)'")
    }
    return status
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
    guard let age = DurationArgument.parse(older, units: ["h", "d", "w"]) else {
      throw CommandFailure(
        .usage, "--older: expected an age such as 12h, 90d or 8w, found '\(older)'")
    }
    let history = try OpenHistory(options: options.texts, in: context)
    let date = history.settings.now.addingTimeInterval(-Double(age.components.seconds))
    let count = try OpenHistory.stating { () throws(HistoryError) in
      try history.store?.prune(before: date) ?? 0
    }
    context.report(count == 1 ? "deleted 1 post" : "deleted \(count) posts")
    return .success
  }
}

/// `searchagg state`: what runs with `--new` remember.
struct StateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "state",
    abstract: "Forget which posts runs with --new have printed.",
    discussion: """
      EXAMPLES:
        searchagg state forget '#swiftlang'
        searchagg state forget
      """,
    subcommands: [StateForget.self])
}

/// `searchagg state forget`.
struct StateForget: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "forget",
    abstract: "Let the next run with --new be the first one of these tags, or of all tags.")

  @Argument(help: ArgumentHelp("The tags; all when none is given.", valueName: "tag"))
  var tags: [String] = []

  @OptionGroup var options: SettingOptions<StateFileOption>

  func run(in context: Context) async throws -> CommandStatus {
    let store = try OpenHistory(options: options.texts, in: context).store
    let tags = tags.isEmpty ? nil : try QueryWords.queries(tags, in: context).map(\.text)
    let count = try OpenHistory.stating { () throws(HistoryError) in
      try store?.forget(tags: tags) ?? 0
    }
    context.report(
      count == 0
        ? "no search of these tags was remembered"
        : count == 1 ? "1 search starts over" : "\(count) searches start over")
    return count == 0 ? .nothing : .success
  }
}
