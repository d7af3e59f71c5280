internal import Application
internal import ArgumentParser
internal import Printing
internal import SearchModel

/// `searchagg watch [QUERY…]`.
struct WatchCommand: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch",
    abstract: "Search again and again, and print each new post once.",
    discussion: """
      EXAMPLES:
          searchagg watch
          searchagg watch '#swiftlang' libcurl --every 10m
          searchagg watch --format ndjson --for 1d >> posts.ndjson
          searchagg watch --exec 'mail -s "new posts" me@example.org'
          searchagg watch --notify team

      The same as `searchagg run --new`, repeated: what a run has printed is not printed again, and what \
      the watch prints is not new to later runs. Posts follow one another from the oldest to the newest, in \
      a format that can grow: \(OutputFormat.namesOfAppendable). \
      With -v it says how often each search is asked. SIGHUP makes it read the tags and the configuration \
      again, unless it runs on a terminal. See `searchagg help notifications` for --exec and --notify.
      """)

  @Argument(
    help: ArgumentHelp(
      "The query to search for instead of the stored tags; - reads queries from standard input, one per line.",
      valueName: "query"))
  var queries: [String] = []

  @OptionGroup var options: WatchOptions

  func run(in context: Context) async throws -> CommandStatus {
    try await Self.run(queries, options: options.texts, in: context)
  }

  /// Watches the queries with options as texts.
  static func run(
    _ words: [String], options texts: [String: String], in context: Context
  ) async throws -> CommandStatus {
    let first = try RunPreparation(
      options: texts, for: .watch, in: context,
      of: { try RunPreparation.queries(words, in: context) })
    if !first.settings.reports.isQuiet { for line in first.warnings { context.report(line) } }
    let prepared = try Self.prepared(first, in: context)
    let watch = try Watch(prepared, in: context.surroundings) {
      // Standard input can be read only once, and the words of the command line do not change.
      try Self.prepared(
        RunPreparation(options: texts, for: .watch, in: context, of: { first.given }), in: context)
    }
    if let hint = prepared.hint(in: context.surroundings) { context.report(hint) }
    return try await watch.perform(prepared)
  }

  /// A batch that failed is tried again when the next round has ended, then after 1, 3, 7 and 15 times
  /// the interval of `--every`, or five minutes if that is shorter.
  private static func prepared(
    _ preparation: RunPreparation, in context: Context
  ) throws -> PreparedRun {
    try preparation.prepared(
      backOff: min(preparation.settings.pace.every, .seconds(300)), in: context)
  }
}
