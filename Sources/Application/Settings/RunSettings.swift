package import FoundationEssentials
package import Printing
package import QueuedHTTP
package import SearchEngine
package import SearchModel
internal import SearchSources

/// The settings of a run, by option, variable or configuration file.
package struct RunSettings: Sendable {
  package static let widestConcurrency = 1024

  package var sources: [SourceName]?
  package var areSourcesByFlag = false
  /// The sources that a setting or a tag of the run names.
  package var namedSources: Set<SourceName> = []
  package var limit: Int?
  package var perSearch: Int?
  package var perSearchByFlag: Int?
  /// True if queries use each network's own syntax.
  package var isRaw = false
  package var isDryRun = false
  /// The part of the plan to run; nil for all of it.
  package var shard: Shard?
  /// The same as the output names it.
  package var part: PlanPart?
  package var tagsFile: String?
  package var undated = UndatedRule.drop
  package var dedupe = DedupeRule.none
  package var format = OutputFormat.text
  /// The authors whose posts are left out, unless `includesMuted` is true.
  package var muted: [AuthorName] = []
  package var includesMuted = false
  /// The order of the output.
  package var order = PostOrder.newest
  /// The contents of the formats for programs.
  package var contents = RecordContents()
  package var template: PostTemplate?
  /// The properties to count by instead of printing posts.
  package var countBy: [CountPrinter.Key]?
  /// True if a terminal shows every post.
  package var showsAll = false
  /// True if a terminal shows long posts to their end.
  package var isFull = false
  package var skipsPager = false
  package var showsStatistics = false
  package var statisticsPath: String?
  package var outputPath: String?
  /// The folder that a recording of the run is written to.
  package var recordingFolder: String?
  /// True if posts are printed as soon as their position is final.
  package var streams = false
  package var streamsByFlag = false
  package var jobs = 1
  package var limits = RunLimits()
  package var failOn = FailOn.any
  package var failsOnEmpty = false
  /// The longest time that a tag is expected to go without a post, in seconds.
  package var expectWithin: Double?
  /// The factor above the usual number of posts from which a tag raises an alert.
  package var alertOver: Double?
  package var isQuiet = false
  package var isVerbose = false
  package var color = ColorMode.auto
  package var progress = ProgressMode.auto
  package var proxy: String?
  /// The user agent to send; nil for our own.
  package var userAgent: String?
  /// The folder that keeps responses from one run to the next; nil keeps none.
  package var cacheFolder: String?
  /// True if only the cache and the history answer.
  package var isOffline = false
  /// True if a terminal shows what the cache has before the networks answer.
  package var refreshes = false
  /// The posts that a terminal has shown already, by `Post.identityHash`; nil to mark none as new.
  package var shownPosts: Set<Int>?
  /// The settings of what is kept between runs.
  package var history = HistorySettings()
  /// True if the posts are appended to the output file.
  package var appends = false
  /// The receivers of new posts.
  package var telling = TellingSettings()
  /// The interval between two polls of a search in a watch.
  package var every = Duration.seconds(300)
  /// True if quiet searches are never polled less often.
  package var isEveryExact = false
  /// The duration of a watch; nil for no end.
  package var watchDuration: Duration?
  /// The run's now.
  package var now: Date

  package init(now: Date) { self.now = now }

  /// True if what the cache has is shown first.
  package func showsCacheFirst(in surroundings: Surroundings) -> Bool {
    refreshes && isForReader(in: surroundings)
  }

  /// True if only the newest posts are shown, as on a terminal where nobody asked for a number.
  func isShortened(in surroundings: Surroundings) -> Bool {
    isForReader(in: surroundings) && limit == nil && !showsAll
  }

  /// True if the output is text that a person reads on a terminal once the run is over.
  func isForReader(in surroundings: Surroundings) -> Bool {
    format == .text && template == nil && countBy == nil && outputPath == nil && !streams
      && surroundings.outputScreen != nil
  }

  /// The cap of one search where neither option nor tag sets one: 20, unless the limit or the
  /// beginning of the run bounds it already.
  package var defaultCap: Int? {
    if let perSearch { return perSearch }
    return limit == nil && limits.since == nil ? 20 : nil
  }

  /// The merge of what the searches of a run have found.
  package var merge: Merge {
    Merge(
      now: now, since: limits.since, until: limits.until, limit: limit,
      joinsByLink: dedupe == .link)
  }

  /// Returns whether a search is made: excluded sources are not asked.
  package func asks(_ search: PlannedSearch) -> Bool {
    !limits.filter.exclusions.sources.contains(search.source)
  }

  /// The configuration of the client for this run.
  package func clientConfiguration(in surroundings: Surroundings) -> HTTPClient.Configuration {
    var configuration = HTTPClient.Configuration()
    configuration.concurrency = jobs
    configuration.perLane = limits.perLane
    configuration.userAgent = userAgent ?? Version.userAgent
    configuration.proxy = proxy
    configuration.cache = cacheFolder.map { DiskCache(folder: $0) }
    configuration.caFile = surroundings.certificates
    return configuration
  }

  /// The progress line; nil where none is shown.
  ///
  /// - Parameter interval: How often it is written anew.
  package func progressLine(
    in surroundings: Surroundings, interval: Duration = .milliseconds(100)
  ) -> (any ProgressDisplay)? {
    let isShown =
      switch progress {
      case .always: true
      case .never: false
      case .auto: surroundings.errorScreen != nil && !isQuiet
      }
    return isShown ? surroundings.progressLine(interval) : nil
  }
}

/// The receivers of new posts.
package struct TellingSettings: Hashable, Sendable {
  /// True if they get the posts of a search's first run, too.
  package var includesFirst = false
  /// The command that is run for each batch.
  package var command: String?
  /// The names of channels.
  package var channels: [String] = []

  package init() {}
}

extension RunSettings {
  /// Returns what is wrong with a format that cannot grow, and what to use instead; nil for any other.
  package func appendingFault(_ subject: String) -> String? {
    guard !format.canBeAppended else { return nil }
    let isOfName = outputPath.flatMap(OutputFormat.init(nameOfFile:)) == format
    let name = isOfName ? ", which the name \(outputPath ?? "") stands for" : ""
    let others = OutputFormat.allCases.filter(\.canBeAppended).map(\.rawValue).inWords("or")
    return "\(subject) \(format.rawValue)\(name); use --format \(others)"
  }
}

extension OutputFormat {
  /// True if two outputs, one after the other, are an output of this format.
  package var canBeAppended: Bool {
    switch self {
    case .text, .plain, .ndjson, .csv, .tsv: true
    case .json, .markdown, .html, .atom, .jsonfeed, .github: false
    }
  }
}

/// The treatment of undated posts under `--since` or `--until`.
package enum UndatedRule: String, CaseIterable, Sendable {
  case drop, keep
}

/// The copies that `--dedupe` merges beside those with the same identity.
package enum DedupeRule: String, CaseIterable, Sendable {
  case none
  /// Posts that share their only outside link, and nearly the same text.
  case link
}

/// The use of color in the output.
package enum ColorMode: String, CaseIterable, Sendable {
  case auto, always, never

  /// Returns whether a stream is colored: options win, then what the user wants of every program, then
  /// what the screen is capable of.
  func isOn(for screen: Screen?, in surroundings: Surroundings) -> Bool {
    switch self {
    case .always: true
    case .never: false
    case .auto: surroundings.wantsColor ?? screen?.isCapable ?? false
    }
  }
}
