internal import Application
internal import ArgumentParser
internal import ExchangeRecording
internal import QueuedHTTP
internal import SearchModel

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

      Nearly every option can also be set by a variable, such as SEARCHAGG_PER_SEARCH for --per-search, and \
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
    _ words: [String], options texts: [String: String], in context: Context
  ) async throws -> CommandStatus {
    let own = context
    var (context, texts) = (context, texts)
    var recorded: (recording: Recording, replay: ExchangeReplay)?
    if let path = texts["replay"] {
      guard words.isEmpty else {
        throw CommandFailure(.usage, "--replay repeats the recorded queries; do not give any")
      }
      guard !path.isEmpty else { throw CommandFailure(.usage, "--replay: expected a folder") }
      let recording = try Recording(reading: path, in: context.surroundings)
      if texts["quiet"] == nil, let note = Recording.note(on: texts) { context.report(note) }
      texts = try recording.options(texts)
      let (world, credentials) = try recording.world(from: context)
      context = world
      recorded = (recording, try recording.replay(hiding: credentials))
    }
    // The other cores have nothing to do while the plan is made. Whatever becomes of that, it must be done before
    // the process ends.
    let asksNetworks = recorded == nil && texts["dry-run"] == nil && texts["offline"] == nil
    let libcurl = asksNetworks ? Coming { HTTPClient.prepare() } : nil
    defer { libcurl?.value }
    let preparation = try RunPreparation(
      options: texts, for: .run, in: context, repeating: recorded,
      of: { try RunPreparation.queries(words, in: context) })
    if recorded != nil { try OwnFiles.protect(fromReplay: preparation.written, in: own) }
    let settings = preparation.settings
    if !settings.reports.isQuiet { for line in preparation.notes { context.report(line) } }
    guard let folder = settings.client.recordingFolder else {
      // Consumed, so that nothing holds all queries while the run goes on.
      let run = try (consume preparation).prepared(backOff: backOff, in: context)
      return try await run.perform(in: context.surroundings) { _ in nil }
    }
    let run = try preparation.prepared(backOff: backOff, in: context)
    return try await run.perform(in: context.surroundings) { [context] client in
      try Recording(of: preparation, in: folder, context).recorder(
        over: client, clock: context.now)
    }
  }

  /// The wait after the second failure of a batch.
  private static let backOff = Duration.seconds(60)
}
