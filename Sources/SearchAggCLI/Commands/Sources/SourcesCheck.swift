internal import Application
internal import ArgumentParser
internal import Printing
internal import SearchEngine
internal import SearchModel
internal import SearchSources
internal import TextFormats

/// `searchagg sources check`.
struct SourcesCheck: ContextCommand {
  /// A word that every network knows, as a tag too, and that is long enough for all.
  static let commonWord = "linux"

  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Ask each source once, and show its response.",
    discussion: """
      Each is asked for one small page; without names, all sources that are ready. The exit status is \
      that of a run: see `searchagg help exit-codes`.
      """)

  @Argument(help: ArgumentHelp("The sources to ask (default: all).", valueName: "name"))
  var names: [String] = []

  @Option(help: ArgumentHelp("The query to send.", valueName: "query"))
  var query = SourcesCheck.commonWord

  @Option(help: "Print a table or JSON.")
  var format = SourcesList.Format.text

  @OptionGroup var options: SettingOptions<RequestOptions>

  func run(in context: Context) async throws -> CommandStatus {
    let (directory, settings) = try options.world(in: context)
    let names = names.flatMap { $0.split(separator: ",") }.map(String.init)
    let chosen = try names.map { name throws(CommandFailure) in
      try directory.setup(named: name).source.name
    }
    let builder = PlanBuilder(
      setups: directory.setups,
      chosen: chosen.isEmpty ? directory.setups.map(\.source.name) : chosen,
      isChosenByFlag: true, flagCap: nil, defaultCap: nil, now: settings.now)
    let plan = builder.plan([RunQuery(query: try QueryWords.query(query))])
    for line in directory.warnings(for: plan) { context.report(line) }
    let answers = await SourceCheck(plan, settings: settings, in: context.surroundings).answers()
    switch format {
    case .text:
      try context.output.write(
        Array(table(answers).text(columns: context.outputScreen?.columns).utf8))
    case .json:
      try context.output.write(JSONValue.array(answers.map(\.json)).visibleFileBytes)
    }
    return RunVerdict(
      outcomes: answers.map(\.outcome), postCount: answers.map(\.posts).reduce(0, +), failOn: .any,
      failsOnEmpty: false
    ).status
  }

  private func table(_ answers: [SourceAnswer]) -> TextTable {
    TextTable(columns: [
      ["NAME"] + answers.map(\.outcome.source.rawValue),
      ["POSTS"] + answers.map { $0.outcome.ending.isAnswered ? String($0.posts) : "" },
      ["TOOK"] + answers.map { $0.took?.inWords ?? "" },
      ["SERVER"] + answers.map { $0.outcome.server?.text ?? "" },
      ["ANSWER"] + answers.map { SummaryLines.words(for: $0.outcome) },
    ])
  }
}
