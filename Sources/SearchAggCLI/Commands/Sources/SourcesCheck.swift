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

      A path that ends in .json is a declaration of your own: nothing is sent. With --answer, a response \
      that you have recorded is read by it, and the fields that it finds are shown.

      EXAMPLES:
          searchagg sources check mastodon hackernews
          searchagg sources check forum.json --answer response.json
      """)

  @Argument(
    help: ArgumentHelp(
      "The sources to ask (default: all), or a file with a declaration.", valueName: "name"))
  var names: [String] = []

  @Option(help: ArgumentHelp("The query to send.", valueName: "query"))
  var query = SourcesCheck.commonWord

  @Option(
    help: ArgumentHelp(
      "Read this recorded response with the declaration, and send nothing.", valueName: "file"))
  var answer: String?

  @Option(help: "Print a table or JSON.")
  var format = ReportFormat.text

  @OptionGroup var options: SettingOptions<RequestOptions>

  func run(in context: Context) async throws -> CommandStatus {
    if answer != nil || names.contains(where: DeclarationCheck.isPath) {
      return try checkDeclaration(in: context)
    }
    let knownSources = try Configuration(named: options.texts["config"], in: context).knownSources
    let names = names.flatMap { $0.split(separator: ",") }.flatMap { name in
      knownSources.sources(named: String(name))?.map(\.rawValue) ?? [String(name)]
    }
    let (directory, settings) = try options.world(naming: names, in: context)
    let chosen = try names.map { name in
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
      try context.write(
        table(answers, context.surroundings.outputClock).text(
          columns: context.outputScreen?.columns
        ))
    case .json:
      try context.output.write(JSONValue.array(answers.map(\.json)).visibleFileBytes)
    }
    return RunVerdict(
      outcomes: answers.map(\.outcome), postCount: answers.map(\.posts).reduce(0, +), failOn: .any,
      failsOnEmpty: false
    ).status
  }

  private func checkDeclaration(in context: Context) throws -> CommandStatus {
    guard names.count == 1, let path = names.first else {
      throw CommandFailure(
        .usage, "name one declaration: searchagg sources check forum.json --answer response.json")
    }
    guard DeclarationCheck.isPath(path) else {
      throw CommandFailure(
        .usage, "--answer: expected the file of a declaration, such as forum.json, found '\(path)'")
    }
    guard format == .text else {
      throw CommandFailure(.usage, "declarations can be checked with --format text only")
    }
    let check = try DeclarationCheck(at: path, in: context.surroundings)
    let query = try QueryWords.query(query)
    let text =
      if let answer {
        try check.fields(of: answer, to: query, now: context.now(), in: context.surroundings)
      } else {
        "\(path) is a declaration; its first request would be\n"
          + "\(try check.request(for: query, now: context.now()))\n"
      }
    try context.write(text)
    return .success
  }

  private func table(_ answers: [SourceAnswer], _ clock: ReportClock) -> TextTable {
    TextTable(columns: [
      ["NAME"] + answers.map(\.outcome.source.rawValue),
      ["POSTS"] + answers.map { $0.outcome.ending.isAnswered ? String($0.posts) : "" },
      ["TOOK"] + answers.map { $0.took?.inWords ?? "" },
      ["SERVER"] + answers.map { $0.outcome.server?.text ?? "" },
      ["ANSWER"] + answers.map { SummaryLines.words(for: $0.outcome, clock) },
    ])
  }
}
