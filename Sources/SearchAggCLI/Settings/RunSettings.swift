internal import FoundationEssentials
internal import Printing
internal import SearchEngine
internal import SearchModel
internal import SearchSources

/// All that a run was told, by flag, variable or configuration file.
struct RunSettings: Sendable {
  /// What becomes of posts without a date under `--since` or `--until`.
  private enum UndatedRule: String, CaseIterable {
    case drop, keep
  }

  static let widestConcurrency = 1024

  var sources: [SourceName]?
  var areSourcesByFlag: Bool
  var limit: Int?
  var perSearchByFlag: Int?
  var perSearch: Int?
  /// Whether queries are in each network's own syntax.
  var isRaw: Bool
  var dedupe: DedupeRule
  var format: OutputFormat
  var outputPath: String?
  /// Whether posts are printed as soon as their place is certain.
  var streams: Bool
  var jobs: Int
  var limits: RunLimits
  var failOn: FailOn
  var failsOnEmpty: Bool
  var isQuiet: Bool
  var isVerbose: Bool
  var colour: ColourMode
  var progress: ProgressLine.Mode
  var proxy: String?
  /// The user agent to send; nil for our own.
  var userAgent: String?
  /// Where answers are kept from one run to the next; nil keeps none.
  var cacheFolder: String?
  /// The run's now.
  var now: Date

  init(_ options: RunOptions, from reader: SettingsReader) throws(CommandFailure) {
    now = try Self.now(in: reader.context)
    let now = now
    let catalogue = reader.configuration.catalogue
    sources = try reader.value(
      "source", flag: options.source, expected: "names of sources out of \(catalogue.names)"
    ) { text in
      Self.sourceNames(text, in: catalogue)
    }
    areSourcesByFlag = options.source != nil
    limit = try reader.number("limit", flag: options.limit, in: 1...10_000_000)
    let caps = 1...10_000_000
    perSearchByFlag =
      options.perSearch == nil
      ? nil : try reader.number("per-search", flag: options.perSearch, in: caps)
    perSearch = try reader.number("per-search", flag: options.perSearch, in: caps)
    isRaw = try reader.isOn("raw", flag: options.raw)
    dedupe = try Self.choice("dedupe", options.dedupe, reader) ?? .none
    format = try Self.choice("format", options.format, reader) ?? .text
    let output = try reader.value("output", flag: options.output, expected: "a file") { text in
      text.isEmpty ? nil : text
    }
    outputPath = output == "-" ? nil : output
    let streams = try reader.isOn("stream", flag: options.stream)
    // Where else a post was said is known at the end only.
    self.streams = streams && dedupe == .none
    if options.stream, outputPath != nil {
      throw CommandFailure(
        .usage, "--stream writes to standard output, and --output replaces a file as a whole")
    }
    let width = 1...Self.widestConcurrency
    jobs = try reader.number("jobs", flag: options.jobs, in: width) ?? 16
    failOn = try Self.choice("fail-on", options.failOn, reader) ?? .any
    failsOnEmpty = try reader.isOn("fail-on-empty", flag: options.failOnEmpty)
    isQuiet = try reader.isOn("quiet", flag: options.quiet)
    isVerbose = try reader.isOn("verbose", flag: options.verbose)
    colour = try Self.choice("color", options.color, reader) ?? .auto
    progress = try Self.choice("progress", options.progress, reader) ?? .auto
    proxy = try reader.text("proxy", flag: options.proxy)
      .map { text, origin throws(CommandFailure) in try AddressSetting.proxy(text, from: origin) }
    userAgent = try reader.text("user-agent", flag: options.userAgent)
      .map { text, origin throws(CommandFailure) in try Self.userAgent(text, from: origin) }
    cacheFolder = try CacheSetting.folder(options.cache, from: reader)
    let undated: UndatedRule? = try Self.choice("undated", options.undated, reader)
    limits = RunLimits(
      since: try Self.since(options.since, reader, now: now),
      until: try Self.date("until", options.until, reader, now: now),
      perLane: try reader.number("per-host", flag: options.perHost, in: width) ?? 4,
      timeout: try Self.duration("timeout", options.timeout, reader) ?? .seconds(20),
      retries: try reader.number("retries", flag: options.retries, in: 0...100) ?? 2,
      longest: try Self.duration("max-time", options.maxTime, reader),
      maxWait: try reader.value(
        "max-wait", flag: options.maxWait, expected: DurationArgument.expected
      ) { text in
        DurationArgument.parse(text)
      },
      pages: try reader.number("max-pages", flag: options.maxPages, in: 1...1_000_000),
      newest: limit,
      costs: try reader.value(
        "max-cost", flag: options.maxCost, expected: CostArgument.expected
      ) { text in
        CostArgument.parse(text, in: catalogue)
      } ?? CostBounds(),
      joinsByLink: dedupe == .link,
      keepsUndated: undated == .keep,
      filter: try PostFilter(options, from: reader))
    if let since = limits.since, let until = limits.until, since >= until {
      let isFlag = options.since != nil || options.until != nil
      throw CommandFailure(
        isFlag ? .usage : .badConfiguration,
        "--since must lie before --until: nothing can be found between")
    }
  }

  /// The cap of one search where neither flag nor tag says one: 20, unless the limit or the
  /// beginning of the run bounds it already.
  var defaultCap: Int? {
    if let perSearch { return perSearch }
    return limit == nil && limits.since == nil ? 20 : nil
  }

  /// Whether a search is made: sources that are excluded are not even asked.
  func asks(_ search: PlannedSearch) -> Bool {
    !limits.filter.exclusions.sources.contains(search.source)
  }

  private static func userAgent(
    _ text: String, from origin: SettingOrigin
  ) throws(CommandFailure) -> String {
    guard !text.isEmpty, text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) else {
      throw origin.refusal(
        of: text, expected: "printable ASCII, such as 'linux:my-digest:1.0 (by /u/name)'")
    }
    return text
  }

  private static func now(in context: Context) throws(CommandFailure) -> Date {
    guard let text = context.variable("SEARCHAGG_NOW") else { return context.now() }
    guard let now = DateArgument.parse(text, now: context.now()) else {
      throw SettingOrigin.variable("SEARCHAGG_NOW")
        .refusal(of: text, expected: DateArgument.expected)
    }
    return now
  }

  private static func sourceNames(_ text: String, in catalogue: SourceCatalogue) -> [SourceName]? {
    let names = text.split(separator: ",").map(\.trimmingBlanks)
    guard !names.isEmpty, names.allSatisfy({ catalogue.named($0) != nil }) else { return nil }
    return names.map(SourceName.init(rawValue:))
  }

  private static func choice<Choice: RawRepresentable<String> & CaseIterable>(
    _ name: String, _ flag: String?, _ reader: SettingsReader
  ) throws(CommandFailure) -> Choice? {
    let expected = Choice.allCases.map(\.rawValue).joined(separator: ", ")
    return try reader.value(
      name, flag: flag, expected: "one of \(expected)", parse: Choice.init(rawValue:))
  }

  private static func date(
    _ name: String, _ flag: String?, _ reader: SettingsReader, now: Date
  ) throws(CommandFailure) -> Date? {
    try reader.value(name, flag: flag, expected: DateArgument.expected) { text in
      DateArgument.parse(text, now: now)
    }
  }

  /// The date of `--since`; one in the future would find nothing but wrong dates.
  private static func since(
    _ flag: String?, _ reader: SettingsReader, now: Date
  ) throws(CommandFailure) -> Date? {
    guard let date = try date("since", flag, reader, now: now) else { return nil }
    if date > now, let (text, origin) = reader.text("since", flag: flag) {
      throw origin.refusal("'\(text)' is in the future, where no posts are yet")
    }
    return date
  }

  private static func duration(
    _ name: String, _ flag: String?, _ reader: SettingsReader
  ) throws(CommandFailure) -> Duration? {
    try reader.value(name, flag: flag, expected: DurationArgument.expected) { text in
      DurationArgument.parse(text).flatMap { $0 > .zero ? $0 : nil }
    }
  }
}
