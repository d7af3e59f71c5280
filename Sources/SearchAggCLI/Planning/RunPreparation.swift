internal import Application
internal import PostHistory
internal import Printing
internal import SearchEngine
internal import SearchModel
internal import SearchSources
internal import TagStorage

/// Everything that a run needs before it asks anybody: its settings, its queries and the plan.
struct RunPreparation: Sendable {
  let reader: SettingsReader
  let settings: RunSettings
  let directory: SourceDirectory
  let queries: [RunQuery]
  /// The queries of the command line; nil where it names none.
  let given: [RunQuery]?
  /// One search for each query, source and server.
  let plan: [PlannedSearch]
  /// The whole plan, where only a part of it is run.
  let divided: DividedPlan?

  /// Reads the configuration and, where no queries are given, the stored tags.
  ///
  /// - Parameters:
  ///   - queries: Returns the queries of the command line; nil for the stored tags.
  ///   - adapt: Changes the settings as a command needs them.
  init(
    options: [String: String], in context: Context, of queries: () throws -> [RunQuery]?,
    adapt: (inout RunSettings, [RunQuery], SettingsReader) throws -> Void
  ) throws {
    let configuration = try Configuration(named: options["config"], in: context)
    reader = SettingsReader(context: context, configuration: configuration, options: options)
    var settings = try RunSettings(from: reader)
    try settings.checkFormat(options)
    try settings.prepareHistory(options)
    given = try queries()
    for query in given ?? []
    where !settings.isRaw && !query.query.terms.contains(where: \.isSought) {
      throw CommandFailure(
        .usage, "'\(query.query.shown)' only excludes posts; also name something to look for")
    }
    let wanted = try given ?? Self.storedQueries(settings, in: context)
    try adapt(&settings, wanted, reader)
    settings.namedSources = Set((settings.sources ?? []) + wanted.flatMap { $0.sources ?? [] })
    directory = try SourceDirectory(
      configuration: configuration, naming: settings.namedSources, in: context)
    self.queries = wanted
    let builder = PlanBuilder(
      setups: directory.setups, chosen: settings.sources, isChosenByFlag: settings.areSourcesByFlag,
      flagCap: settings.perSearchByFlag, defaultCap: settings.defaultCap,
      isCapDefault: settings.perSearch == nil,
      since: settings.limits.since, until: settings.limits.until, now: settings.now)
    let whole = builder.plan(wanted.map { $0.asRaw(settings.isRaw) }).filter(settings.asks)
    divided = settings.shard.map { DividedPlan(whole, by: $0) }
    plan = divided?.searches ?? whole
    settings.part = divided?.part(
      limit: settings.limit, contents: settings.contents, filter: RunRecord.bounds(reader))
    self.settings = settings
  }

  /// What the application runs.
  func prepared(delivery: Delivery?) -> PreparedRun {
    PreparedRun(
      settings: settings, queries: queries, plan: plan, filter: RunRecord.filter(reader),
      warnings: warnings, delivery: delivery)
  }

  /// The credential variables that searchagg reads, whether they are set or not.
  var credentialNames: Set<String> { directory.credentialNames }

  /// A line for each thing that is left out or probably a mistake.
  var warnings: [String] {
    let template = settings.template?.singleBraced.map {
      "--template prints \($0) as it is; a field is written with two braces: {\($0)}"
    }
    return reader.configuration.warnings + directory.warnings(for: plan)
      + [template].compactMap(\.self)
  }

  /// The warnings, and what is to be said of a part of a plan.
  var notes: [String] {
    let parts = settings.isDryRun ? divided?.weights : divided?.emptyNote.map { [$0] }
    return warnings + (parts ?? [])
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
      throw CommandFailure(.unreadableInput, "there is no query on standard input")
    }
    return queries.map { RunQuery(query: $0) }
  }

  private static func storedQueries(
    _ settings: RunSettings, in context: Context
  ) throws -> [RunQuery] {
    let location = try TagsFileLocation.find(option: settings.tagsFile, in: context)
    let list = try location.loadOrFail(isNamed: settings.tagsFile != nil)
    guard !list.tags.isEmpty else {
      throw CommandFailure(
        .unreadableInput,
        "no tags yet in \(location.name): add one with searchagg tags add '#swiftlang', "
          + "or name a query: searchagg run '#swiftlang'")
    }
    return list.tags.map(RunQuery.init)
  }

  /// The line that counts the networks that are not asked, for somebody who left the choice to us; nil
  /// when all are asked.
  ///
  /// Where no person reads it, only searches that the plan has left out are worth a line.
  func hint(in context: Context) -> String? {
    guard !settings.isQuiet, settings.sources == nil, queries.contains(where: { $0.sources == nil })
    else { return nil }
    var asked: Set<SourceName> = []
    var skipped: Set<SourceName> = []
    for planned in plan {
      switch planned {
      case .ask, .stored: asked.insert(planned.source)
      case .skip: skipped.insert(planned.source)
      }
    }
    guard context.errorScreen != nil || !skipped.isEmpty else { return nil }
    let none = directory.setups.count { !asked.contains($0.source.name) }
    let some = skipped.intersection(asked).count
    let parts = [
      none == 0 ? nil : "\(Plural.count(none, "network")) not asked",
      some == 0
        ? nil : "\(Plural.count(some, "network")) not asked for every tag (-v)",
    ].compactMap(\.self)
    return parts.isEmpty ? nil : "\(parts.joined(separator: ", ")); see 'searchagg sources'"
  }
}
