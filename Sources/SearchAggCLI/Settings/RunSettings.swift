internal import FoundationEssentials
internal import Printing
internal import QueuedHTTP
internal import SearchEngine
internal import SearchModel
internal import SearchSources

/// The settings of a run, by option, variable or configuration file.
struct RunSettings: Sendable {
  static let widestConcurrency = 1024

  var sources: [SourceName]?
  var areSourcesByFlag = false
  var limit: Int?
  var perSearch: Int?
  var perSearchByFlag: Int?
  /// True if queries use each network's own syntax.
  var isRaw = false
  var isDryRun = false
  var tagsFile: String?
  var undated = UndatedRule.drop
  var dedupe = DedupeRule.none
  var format = OutputFormat.text
  /// The fields to print; nil for all.
  var fields: FieldSelection?
  var template: PostTemplate?
  /// The property to count by instead of printing posts.
  var countBy: CountPrinter.Key?
  /// True if a terminal shows every post.
  var showsAll = false
  /// True if a terminal shows long posts to their end.
  var isFull = false
  var skipsPager = false
  var showsStatistics = false
  var statisticsPath: String?
  var outputPath: String?
  /// The folder that a recording of the run is written to.
  var recordingFolder: String?
  /// True if posts are printed as soon as their position is final.
  var streams = false
  var streamsByFlag = false
  var jobs = 1
  var limits = RunLimits()
  var failOn = FailOn.any
  var failsOnEmpty = false
  /// The longest time that a tag is expected to go without a post, in seconds.
  var expectWithin: Double?
  /// The factor above the usual number of posts from which a tag raises an alert.
  var alertOver: Double?
  var isQuiet = false
  var isVerbose = false
  var color = ColorMode.auto
  var progress = ProgressLine.Mode.auto
  var proxy: String?
  /// The user agent to send; nil for our own.
  var userAgent: String?
  /// The folder that keeps responses from one run to the next; nil keeps none.
  var cacheFolder: String?
  /// True if only the cache and the history answer.
  var isOffline = false
  /// True if a terminal shows what the cache has before the networks answer.
  var refreshes = false
  /// The posts that a terminal has shown already, by `Post.identityHash`; nil to mark none as new.
  var shownPosts: Set<Int>?
  /// The settings of what is kept between runs.
  var history = HistorySettings()
  /// True if the posts are appended to the output file.
  var appends = false
  /// The receivers of new posts.
  var telling = TellingSettings()
  /// The interval between two polls of a search in a watch.
  var every = Duration.seconds(300)
  /// True if quiet searches are never polled less often.
  var isEveryExact = false
  /// The duration of a watch; nil for no end.
  var watchDuration: Duration?
  /// The run's now.
  var now: Date

  init(from reader: SettingsReader) throws {
    now = reader.context.now()
    for setting in Setting.all {
      if let text = reader.text(of: setting) { try setting.apply(text, &self) }
    }
    if outputPath != nil {
      guard !streamsByFlag else {
        throw CommandFailure(
          .usage, "--stream writes to standard output, and --output replaces a file as a whole")
      }
      streams = false
    }
    // Which copies of a post there are is known only at the end, and so is what some formats begin with.
    if dedupe == .link || !format.canStream || countBy != nil { streams = false }
    if history.isOff, history.isNew || history.isNewAll {
      throw CommandFailure(
        .usage, "--new needs to know what earlier runs printed, and --no-state keeps nothing")
    }
    if history.isFromNow {
      guard !history.isNewAll else {
        throw CommandFailure(
          .usage, "--from-now prints nothing of a first run, and --new-all everything: choose one")
      }
      guard !telling.includesFirst else {
        throw CommandFailure(
          .usage, "--notify-first passes on what a first run prints, and --from-now prints nothing")
      }
    }
    if appends, outputPath != nil, !format.canBeAppended {
      throw CommandFailure(
        .usage, "--append cannot continue a file in the format \(format.rawValue)")
    }
    limits.newest = limit
    limits.joinsByLink = dedupe == .link
    limits.keepsUndated = undated == .keep
    if let since = limits.since, let until = limits.until, since >= until {
      let isOption = reader.options["since"] != nil || reader.options["until"] != nil
      throw CommandFailure(
        isOption ? .usage : .badConfiguration,
        "--since must be earlier than --until: no post can be between them")
    }
  }

  /// A line for each setting whose text is wrong, and for those that contradict each other.
  static func faults(in reader: SettingsReader) -> [String] {
    func message(_ check: () throws -> Void) -> String? {
      do {
        try check()
        return nil
      } catch {
        return (error as? CommandFailure)?.message ?? "\(error)"
      }
    }
    let faults = Setting.all.compactMap { setting in
      message {
        var settings = RunSettings(now: reader.context.now())
        if let text = reader.text(of: setting) { try setting.apply(text, &settings) }
      }
    }
    return faults.isEmpty
      ? [message { _ = try RunSettings(from: reader) }].compactMap(\.self) : faults
  }

  private init(now: Date) { self.now = now }

  /// Refuses options that the format has no use for.
  ///
  /// - Parameter options: The options that were given; what is set elsewhere may be for other formats.
  func checkFormat(_ options: [String: String]) throws(CommandFailure) {
    if options["fields"] != nil, !format.hasFields || template != nil || countBy != nil {
      let names = OutputFormat.allCases.filter(\.hasFields).map(\.rawValue).inWords("or")
      throw CommandFailure(.usage, "--fields needs --format \(names)")
    }
    if options["append"] != nil, outputPath == nil {
      throw CommandFailure(.usage, "--append needs a file: name it with --output")
    }
    if options["template"] != nil, format != .text || countBy != nil {
      throw CommandFailure(.usage, "--template is a format of its own: leave out the other one")
    }
    if countBy != nil, !CountPrinter.formats.contains(format) {
      let names = CountPrinter.formats.map(\.rawValue).inWords("or")
      throw CommandFailure(.usage, "--count-by prints \(names), not \(format.rawValue)")
    }
  }

  /// Checks the options that depend on earlier runs, and makes a backfill read and print everything.
  mutating func prepareHistory(_ options: [String: String]) throws(CommandFailure) {
    try history.check()
    for name in ["expect-within", "alert-over"] where options[name] != nil {
      guard !history.isOff, history.keepsPosts || name == "expect-within" else {
        throw CommandFailure(
          .usage,
          "--\(name) compares with earlier runs, and \(history.isOff ? "--no-state" : "--no-history") "
            + "keeps nothing of them")
      }
    }
    guard !refreshes || cacheFolder != nil else {
      throw CommandFailure(.usage, "--refresh shows what the cache has first: add --cache on")
    }
    if refreshes, let option = history.dependence {
      throw CommandFailure(.usage, "--refresh shows stored posts first, and cannot with \(option)")
    }
    guard history.isBackfill else { return }
    guard limits.since != nil else {
      throw CommandFailure(
        .usage, "--backfill needs --since: the date from which it reads everything")
    }
    for name in ["limit", "per-search"] where options[name] != nil {
      throw CommandFailure(.usage, "--backfill reads everything: leave out --\(name)")
    }
    (limit, limits.newest, streams, showsAll) = (nil, nil, false, true)
  }

  /// True if what the cache has is shown first.
  func showsCacheFirst(in context: Context) -> Bool { refreshes && isForReader(in: context) }

  /// Refuses options that need `--new`; what is set elsewhere is for the runs that have it.
  ///
  /// - Parameter options: The options that were given.
  func checkTelling(_ options: [String: String]) throws(CommandFailure) {
    for name in ["exec", "notify", "notify-first"]
    where options[name] != nil && !history.printsNewOnly {
      throw CommandFailure(
        .usage, "--\(name) passes on new posts: add --new, or use searchagg watch")
    }
    guard options["from-now"] == nil || history.printsNewOnly else {
      throw CommandFailure(
        .usage, "--from-now prints posts that are new later: add --new, or use searchagg watch")
    }
  }

  /// True if only the newest posts are shown, as on a terminal where nobody asked for a number.
  func isShortened(in context: Context) -> Bool {
    isForReader(in: context) && limit == nil && !showsAll
  }

  /// True if the output is text that a person reads on a terminal once the run is over.
  func isForReader(in context: Context) -> Bool {
    format == .text && template == nil && countBy == nil && outputPath == nil && !streams
      && context.outputTerminal != nil
  }

  /// The cap of one search where neither option nor tag sets one: 20, unless the limit or the
  /// beginning of the run bounds it already.
  var defaultCap: Int? {
    if let perSearch { return perSearch }
    return limit == nil && limits.since == nil ? 20 : nil
  }

  /// The merge of what the searches of a run have found.
  var merge: Merge {
    Merge(
      now: now, since: limits.since, until: limits.until, limit: limit,
      joinsByLink: dedupe == .link)
  }

  /// Returns whether a search is made: excluded sources are not asked.
  func asks(_ search: PlannedSearch) -> Bool {
    !limits.filter.exclusions.sources.contains(search.source)
  }

  /// The configuration of the client for this run.
  func clientConfiguration(in context: Context) -> HTTPClient.Configuration {
    var configuration = HTTPClient.Configuration()
    configuration.concurrency = jobs
    configuration.perLane = limits.perLane
    configuration.userAgent = userAgent ?? Version.userAgent
    configuration.proxy = proxy
    configuration.cache = cacheFolder.map { DiskCache(folder: $0) }
    // The curl tool reads the first of these itself, libcurl does not.
    configuration.caFile = context.variable("CURL_CA_BUNDLE") ?? context.variable("SSL_CERT_FILE")
    return configuration
  }

  /// The progress line; nil where none is shown.
  ///
  /// - Parameter interval: How often it is written anew.
  func progressLine(
    in context: Context, interval: Duration = .milliseconds(100)
  ) -> ProgressLine? {
    let isShown =
      switch progress {
      case .always: true
      case .never: false
      case .auto: context.errorTerminal != nil && !isQuiet
      }
    guard isShown else { return nil }
    let isCapable = context.errorTerminal?.isCapable ?? true
    return ProgressLine(
      errors: context.errors, isAnimated: isCapable && context.variable("CI") == nil,
      interval: interval
    ) { context.errorColumns }
  }
}

/// The receivers of new posts.
struct TellingSettings: Hashable, Sendable {
  /// True if they get the posts of a search's first run, too.
  var includesFirst = false
  /// The command that is run for each batch.
  var command: String?
  /// The names of channels.
  var channels: [String] = []
  /// The place where the channels are named.
  var origin = SettingOrigin.standard
}

extension OutputFormat {
  /// True if two outputs, one after the other, are an output of this format.
  var canBeAppended: Bool {
    switch self {
    case .text, .plain, .ndjson, .csv, .tsv: true
    case .json, .markdown, .html, .atom, .jsonfeed, .github: false
    }
  }
}

/// The treatment of undated posts under `--since` or `--until`.
enum UndatedRule: String, CaseIterable, Sendable {
  case drop, keep
}

/// The copies that `--dedupe` merges beside those with the same identity.
enum DedupeRule: String, CaseIterable, Sendable {
  case none
  /// Posts that share their only outside link, and nearly the same text.
  case link
}

/// The use of color in the output.
enum ColorMode: String, CaseIterable, Sendable {
  case auto, always, never

  /// Returns whether a stream is colored: options win; `NO_COLOR` and `CLICOLOR_FORCE` count when they are
  /// set and not empty (no-color.org, bixense.com/clicolors); else a capable terminal is.
  func isOn(for terminal: Terminal?, in context: Context) -> Bool {
    switch self {
    case .always: true
    case .never: false
    case .auto:
      if context.variable("NO_COLOR") != nil {
        false
      } else if let force = context.variable("CLICOLOR_FORCE"), force != "0" {
        true
      } else {
        terminal?.isCapable ?? false
      }
    }
  }
}
