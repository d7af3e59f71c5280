internal import Application
internal import ExchangeRecording
internal import Printing
internal import SearchEngine
internal import SearchModel
internal import SearchSources
internal import TagStorage

/// Reads everything that a run needs before it asks anybody: its settings, its queries and the plan.
struct RunPreparation: Sendable {
  let reader: SettingsReader
  let settings: RunSettings
  let directory: SourceDirectory
  let queries: [RunQuery]
  /// The queries of the command line; nil where it names none.
  let given: [RunQuery]?
  /// One search for each query, source and server.
  private let plan: [PlannedSearch]
  let written: WrittenSettings
  /// The name of the run, by which `--retry-failed` finds it; nil for a watch.
  private let name: String?
  /// The whole plan, if only a part of it is run.
  private let divided: DividedPlan?
  /// The line that says which part of an earlier run is repeated.
  private let retried: String?

  /// Reads the configuration and, where no queries are given, the stored tags.
  ///
  /// - Parameters:
  ///   - queries: Returns the queries of the command line; nil for the stored tags.
  ///   - recorded: The recording that the run repeats.
  init(
    options: [String: String], for use: SettingsUse, in context: Context,
    repeating recorded: (recording: Recording, replay: ExchangeReplay)? = nil,
    of queries: () throws -> [RunQuery]?
  ) throws {
    let configuration = try Configuration(named: options["config"], in: context)
    reader = SettingsReader(context: context, configuration: configuration, options: options)
    var written = try WrittenSettings(from: reader, for: use)
    given = try queries()
    for query in given ?? []
    where !written.isRaw && !query.query.terms.contains(where: \.isSought) {
      throw CommandFailure(
        .usage, "'\(query.query.shown)' has nothing to search for; add a word, a tag or an author"
      )
    }
    self.queries = try given ?? Self.storedQueries(written, for: use, context)
    name = use == .run ? try Self.name(of: given, written, in: context) : nil
    // A run that repeats another has its bounds, whatever they were written as.
    try recorded?.recording.apply(to: &written)
    var earlier: RetriedRun?
    if written.retriesFailed, let name {
      earlier = try RetriedRun(named: name, in: written.statePath, context.surroundings)
      try earlier?.apply(to: &written)
    }
    try OwnFiles.protect(from: written, configuration, and: recorded?.recording, in: context)
    self.written = written
    settings = RunSettings(
      written, for: use, naming: self.queries.flatMap { $0.sources ?? [] },
      replaying: recorded?.replay)
    directory = try SourceDirectory(
      configuration: configuration, naming: settings.search.namedSources, in: context)
    var whole = PlanBuilder(setups: directory.setups, settings)
      .plan(self.queries.asRaw(written.isRaw))
    let isPlanned = !whole.isEmpty
    // In place: a plan may hold millions of searches.
    whole.removeAll { [settings] in !settings.asks($0) }
    guard !whole.isEmpty || !isPlanned else {
      throw CommandFailure(.usage, "no source is left to ask: --exclude leaves out all of them")
    }
    divided = settings.search.shard.map { DividedPlan(whole, by: $0) }
    let plan = divided?.searches ?? whole
    (self.plan, retried) =
      earlier?.plan(plan, reportedBy: context.surroundings.reportClock) ?? (plan, nil)
  }

  /// The run as the application performs it.
  ///
  /// - Parameter backOff: The wait after the second failure of a batch for receivers.
  func prepared(backOff: Duration, in context: Context) throws -> PreparedRun {
    let isDelivered = settings.mode.asksNetworks && settings.history.printsNewOnly
    return PreparedRun(
      settings: settings, name: name, queries: queries, plan: plan,
      part: divided?.part(
        limit: settings.output.limit, contents: settings.output.contents, filter: written.bounds),
      filter: written.filter, warnings: warnings,
      delivery: isDelivered ? try Delivery.wanted(by: self, backOff: backOff, in: context) : nil,
      networks: directory.setups.map(\.source.name))
  }

  /// The credential variables that searchagg reads, whether they are set or not.
  var credentialNames: Set<String> { directory.credentialNames }

  /// A line for each thing that is left out or probably a mistake.
  var warnings: [String] {
    let template = settings.output.template?.singleBraced.map {
      "--template prints \($0) as it is; a field is written with two braces: {\($0)}"
    }
    return reader.configuration.warnings + directory.warnings(for: plan)
      + [template].compactMap(\.self)
  }

  /// The warnings, and the notes about a part of a plan or an earlier run.
  var notes: [String] {
    let parts = settings.mode.isDry ? divided?.weights : divided?.emptyNote.map { [$0] }
    return warnings + (parts ?? []) + [retried].compactMap(\.self)
  }

  /// The queries of a command line; nil where it names none, for the stored tags.
  ///
  /// - Parameter words: Queries; `-` reads them from standard input.
  static func queries(
    _ words: [String], in context: Context
  ) throws -> [RunQuery]? {
    guard !words.isEmpty else { return nil }
    let queries = try QueryWords.queries(words, in: context)
    guard !queries.isEmpty else {
      throw CommandFailure(.unreadableInput, "standard input contains no query")
    }
    return queries.map { RunQuery(query: $0) }
  }

  /// The number of tags up to which one core reads them faster than several.
  private static let fewTags = 1024

  private static func storedQueries(
    _ written: WrittenSettings, for use: SettingsUse, _ context: Context
  ) throws -> [RunQuery] {
    let location = try TagsFileLocation.find(option: written.tagsFile, in: context)
    let list = try location.loadOrFail(isNamed: written.tagsFile != nil)
    guard !list.tags.isEmpty else {
      throw CommandFailure(
        .unreadableInput,
        "no tags yet in \(location.name): add one with searchagg tags add '#swiftlang', "
          + "or name a query: searchagg \(use == .watch ? "watch" : "run") '#swiftlang'")
    }
    let tags = list.tags
    return tags.count > Self.fewTags
      ? tags.mapOnAllCores(partsOf: Self.fewTags) { RunQuery($0) } : tags.map(RunQuery.init)
  }

  private static func name(
    of given: [RunQuery]?, _ written: WrittenSettings, in context: Context
  ) throws -> String {
    guard let given else {
      let path = try TagsFileLocation.find(option: written.tagsFile, in: context).path
      return written.runName(of: [path], isFile: true)
    }
    return written.runName(of: given.map(\.query.text), isFile: false)
  }
}
