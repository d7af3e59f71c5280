package import FoundationEssentials
package import Printing
package import SearchEngine
package import SearchModel

/// The settings as options, variables and configuration files have them, each parsed by itself.
///
/// `RunSettings` is made of them, and says what the program needs.
package struct WrittenSettings: Sendable {
  /// A setting that something sets.
  package struct Word: Hashable, Sendable {
    package let text: String
    package let isOption: Bool
    /// False if it says the same as when nothing sets it, such as `off`.
    package let isOn: Bool

    package init(_ text: String, isOption: Bool, isOn: Bool) {
      (self.text, self.isOption, self.isOn) = (text, isOption, isOn)
    }
  }

  /// The settings that something sets, by name.
  package var words: [String: Word] = [:]
  /// The run's now, to which other dates are relative.
  package var now: Date

  package var sources: [SourceName]?
  package var perSearch: Int?
  package var isRaw = false
  package var isDryRun = false
  package var shard: Shard?
  package var tagsFile: String?

  /// The dates, the filter, and what limits the requests.
  package var limits = RunLimits()
  package var limit: Int?
  package var undated = UndatedRule.drop
  package var dedupe = DedupeRule.none
  package var order = PostOrder.newest
  package var muted: [AuthorName] = []
  package var includesMuted = false

  package var format = OutputFormat.text
  /// True with `--json`, which takes precedence over the format.
  package var isJSON = false
  package var contents = RecordContents()
  package var template: PostTemplate?
  package var countBy: [CountPrinter.Key]?
  package var showsAll = false
  package var isFull = false
  package var skipsPager = false
  package var color = ColorMode.auto
  package var outputPath: String?
  package var appends = false
  package var streams = false

  package var isQuiet = false
  package var isVerbose = false
  package var progress = ProgressMode.auto
  package var showsStatistics = false
  package var statisticsPath: String?
  package var failOn = FailOn.any
  package var failsOnEmpty = false

  package var jobs = 1
  package var proxy: String?
  package var userAgent: String?
  package var cacheFolder: String?
  package var recordingFolder: String?
  package var isOffline = false
  package var refreshes = false

  package var isNew = false
  package var isNewAll = false
  package var isFromNow = false
  package var retriesFailed = false
  package var isBackfill = false
  package var statePath: String?
  package var keepsNothing = false
  package var keepsNoPosts = false
  /// The time for which posts are kept, in seconds; nil for ever.
  package var keep: Double?
  package var expectWithin: Double?
  package var alertOver: Double?

  package var command: String?
  package var channels: [String] = []
  package var notifiesFirst = false

  package var every = Duration.seconds(300)
  package var isEveryExact = false
  package var watchDuration: Duration?
  package var lease = Duration.seconds(60)

  package init(now: Date) { self.now = now }

  /// Returns whether a setting is on, wherever it was set.
  package func isOn(_ name: String) -> Bool { words[name]?.isOn ?? false }

  /// Returns whether a setting was given as an option.
  package func isOption(_ name: String) -> Bool { words[name]?.isOption ?? false }

  /// The template of each post; a format that is given as an option counts before one that is set elsewhere.
  package var outputTemplate: PostTemplate? {
    isOption("template") || !(isOption("format") || isOption("json")) ? template : nil
  }

  /// The format of the output, which the name of its file says where nothing else does.
  package var outputFormat: OutputFormat {
    let isTemplate = isOption("template") && !isOption("format") && !isOption("json")
    if isTemplate { return .text }
    if isJSON, isOption("json") || !isOption("format") { return .json }
    let isChosen = ["format", "json", "template"].contains { words[$0] != nil }
    // A dry run does not print posts.
    guard !isChosen, !isDryRun, let outputPath else { return format }
    return OutputFormat(nameOfFile: outputPath) ?? format
  }
}

/// The purpose that settings are read for: some mean nothing to some commands.
package enum SettingsUse: CaseIterable, Sendable {
  /// One run, or the repetition of a recorded one.
  case run
  /// A run without end.
  case watch
  /// Printing posts that were found before.
  case print
  /// Asking a source or a receiver something else.
  case ask
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
