internal import Application
internal import ArgumentParser
internal import ExchangeRecording
internal import PostHistory
internal import Printing
internal import SearchEngine
internal import SearchModel
internal import SearchSources
internal import TagStorage

/// `searchagg run [QUERY…]`.
struct RunCommand: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Search for the stored tags, or for the queries given, and print the posts found.",
    discussion: """
      EXAMPLES:
          searchagg run
          searchagg run -n 20 --since today '#swiftlang' libcurl
          searchagg run --format ndjson --source mastodon,hackernews > posts.ndjson
          searchagg run 'swift "data race" -taylor lang:en' --no-reposts
          searchagg run - < queries.txt

      Every option can also be set by a variable, such as SEARCHAGG_PER_SEARCH for --per-search, and \
      in a configuration file: see `searchagg help config`.
      """)

  @Argument(
    help: ArgumentHelp(
      "The query to search for instead of the stored tags; - reads queries from standard input, one per line.",
      valueName: "query"))
  var queries: [String] = []

  @OptionGroup var options: RunOptions

  func run(in context: Context) async throws -> CommandStatus {
    try await Self.run(queries, options: options.texts, in: context)
  }

  /// Runs the queries with options as texts.
  static func run(
    _ queries: [String], options texts: [String: String], in context: Context
  ) async throws -> CommandStatus {
    guard let path = texts["replay"] else {
      return try await run(queries, with: texts, in: context)
    }
    guard queries.isEmpty else {
      throw CommandFailure(.usage, "--replay repeats the queries of the recording; name none")
    }
    let recording = try Recording(reading: path, in: context)
    let options = try recording.options(texts)
    let (world, credentials) = try recording.world(from: context)
    return try await run(
      queries, with: options, in: world,
      replaying: (recording, try recording.replay(hiding: credentials)))
  }

  private static func run(
    _ words: [String], with texts: [String: String], in context: Context,
    replaying recorded: (recording: Recording, replay: ExchangeReplay)? = nil
  ) async throws -> CommandStatus {
    var name = ""
    var retried: RetriedRun?
    let preparation = try RunPreparation(
      options: texts, in: context, of: { try RunPreparation.queries(words, in: context) }
    ) { settings, queries, reader in
      try settings.checkTelling(texts)
      try settings.checkAnswers()
      try recorded?.recording.apply(to: &settings.limits)
      name = try runName(of: queries, isFile: words.isEmpty, settings, reader)
      guard settings.history.retriesFailed else { return }
      retried = try RetriedRun(named: name, settings, in: context.surroundings)
      try retried?.apply(to: &settings)
    }
    let settings = preparation.settings
    if !settings.isQuiet { for line in preparation.notes { context.report(line) } }
    var plan = preparation.plan
    if let retried {
      let (rest, line) = retried.plan(plan)
      plan = rest
      if !settings.isQuiet { context.report(line) }
    }
    switch RunMode(settings, replaying: recorded?.replay) {
    case .dry:
      try DryRun(plan: plan, limits: settings.limits, now: settings.now)
        .write(asText: settings.format == .text, to: context.output)
      if !settings.isQuiet {
        context.report(RunEstimate(of: plan, limits: settings.limits).line)
      }
      return .success
    case .stored:
      let offline = OfflineRun(settings: settings, surroundings: context.surroundings)
      let answered = try await offline.plan(plan)
      if !settings.isQuiet, let ages = OfflineRun.ages(of: answered) { context.report(ages) }
      return try await SearchRun(
        answered, settings: settings,
        in: SearchSession(over: NoTransport(), in: context.surroundings), context.surroundings
      ).perform()
    case .recorded(let replay):
      try prepareOutput(for: plan, settings, in: context)
      return try await SearchRun(
        plan, settings: settings,
        in: SearchSession(replaying: replay, in: context.surroundings), isRecorded: true,
        context.surroundings
      ).perform()
    case .networks:
      return try await ask(plan, preparation, named: name, in: context)
    }
  }

  /// Asks the networks.
  private static func ask(
    _ plan: [PlannedSearch], _ preparation: RunPreparation, named name: String, in context: Context
  ) async throws -> CommandStatus {
    let surroundings = context.surroundings
    var settings = preparation.settings
    let history = try RunHistory(
      for: settings, named: name, filter: RunRecord.filter(preparation.reader),
      alerts: AlertRules(preparation.queries.map { $0.asRaw(settings.isRaw) }, settings),
      plan: plan, in: surroundings)
    let plan = history?.adapted(plan) ?? plan
    let delivery =
      try settings.history.printsNewOnly
      ? Delivery.wanted(by: preparation, backOff: backOff, in: context) : nil
    if settings.showsCacheFirst(in: surroundings) {
      settings.shownPosts = try await OfflineRun(settings: settings, surroundings: surroundings)
        .showCached(plan)
    }
    try prepareOutput(for: plan, settings, in: context)
    let credentials = preparation.directory.credentials
    let recording = try settings.recordingFolder.map { folder in
      try Recording(
        of: preparation.queries, settings, preparation.reader, preparation.directory, in: folder)
    }
    return try await SearchRun(
      plan, settings: settings, hint: preparation.hint(in: context), history: history,
      delivery: delivery, in: surroundings
    ) { client in
      try recording?.recorder(over: client, credentials: credentials, clock: context.now)
    }.perform()
  }

  /// Announces a long run, and refuses an output that cannot be written.
  private static func prepareOutput(
    for plan: [PlannedSearch], _ settings: RunSettings, in context: Context
  ) throws {
    let estimate = RunEstimate(of: plan, limits: settings.limits)
    if !settings.isQuiet, estimate.time > longestUnannounced { context.report(estimate.line) }
    try RunPrinter(settings: settings, surroundings: context.surroundings).checkOutput()
  }

  /// The wait after the second failure of a batch.
  private static let backOff = Duration.seconds(60)

  /// A run that is expected to take longer says so before it begins.
  private static let longestUnannounced = Duration.seconds(60)

  /// The name of the run, by which `--retry-failed` finds it.
  private static func runName(
    of queries: [RunQuery], isFile: Bool, _ settings: RunSettings, _ reader: SettingsReader
  ) throws -> String {
    let tags =
      try isFile
      ? [TagsFileLocation.find(option: settings.tagsFile, in: reader.context).path]
      : queries.map(\.query.text)
    return RunRecord.name(tags: tags, isFile: isFile, settings, reader)
  }
}
