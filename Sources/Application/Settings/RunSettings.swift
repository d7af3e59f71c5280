package import ExchangeRecording
package import FoundationEssentials
package import QueuedHTTP
package import SearchEngine
package import SearchModel

/// The settings of a command, grouped by who needs them; made once and never changed.
package struct RunSettings: Sendable {
  package static let widestConcurrency = 1024

  /// The run's now.
  package let now: Date
  package let mode: RunMode
  package let search: SearchSettings
  /// The bounds of the requests and of the posts.
  package let limits: RunLimits
  package let output: OutputSettings
  package let reports: ReportSettings
  package let client: ClientSettings
  package let history: HistorySettings
  package let alerts: AlertSettings
  package let receivers: ReceiverSettings
  package let verdict: VerdictSettings
  package let pace: WatchPace

  /// - Parameters:
  ///   - named: The sources that the tags of the run name.
  ///   - replay: The recording that the run repeats; nil for none.
  package init(
    _ written: WrittenSettings, for use: SettingsUse, naming named: [SourceName] = [],
    replaying replay: ExchangeReplay? = nil
  ) {
    now = written.now
    mode = RunMode(written, for: use, replaying: replay)
    search = SearchSettings(written, for: use, naming: named)
    limits = Self.limits(written, for: use)
    output = OutputSettings(written, for: use)
    reports = ReportSettings(written)
    client = ClientSettings(written, for: use)
    history = HistorySettings(written, for: use)
    alerts = AlertSettings(written)
    receivers = ReceiverSettings(written)
    verdict = VerdictSettings(failOn: written.failOn, failsOnEmpty: written.failsOnEmpty)
    pace = WatchPace(written)
  }

  private static func limits(_ written: WrittenSettings, for use: SettingsUse) -> RunLimits {
    var limits = written.limits
    if !written.includesMuted { limits.filter.exclusions.add(written.muted) }
    limits.joinsByLink = written.dedupe == .link
    limits.keepsUndated = written.undated == .keep
    limits.newest = written.isBackfill ? nil : written.limit
    switch use {
    case .run, .print: break
    case .watch: limits.until = nil
    case .ask: (limits.since, limits.until, limits.newest) = (nil, nil, nil)
    }
    return limits
  }

  /// The merge of what the searches of a run have found.
  ///
  /// - Parameter now: The moment of a round; nil for the run's now.
  package func merge(at now: Date? = nil) -> Merge {
    Merge(
      now: now ?? self.now, since: limits.since, until: limits.until, limit: output.limit,
      joinsByLink: limits.joinsByLink)
  }

  /// Returns whether a search is made: excluded sources are not asked.
  package func asks(_ search: PlannedSearch) -> Bool {
    !limits.filter.exclusions.sources.contains(search.source)
  }

  /// The configuration of the client for this run.
  package func clientConfiguration(in surroundings: Surroundings) -> HTTPClient.Configuration {
    var configuration = HTTPClient.Configuration()
    configuration.concurrency = client.jobs
    configuration.perLane = limits.perLane
    configuration.userAgent = client.userAgent
    configuration.proxy = client.proxy
    configuration.cache = client.cacheFolder.map { DiskCache(folder: $0) }
    // A feed that has not changed for a year may have a new entry now.
    configuration.guessesCacheLifetimes = false
    configuration.caFile = surroundings.certificates
    return configuration
  }

  /// The client that sends to channels, and keeps nothing.
  package func channelClient(in surroundings: Surroundings) -> HTTPClient {
    var configuration = clientConfiguration(in: surroundings)
    configuration.cache = nil
    return HTTPClient(configuration: configuration)
  }

  /// True if what the cache has is shown before the networks answer.
  package func showsCacheFirst(in surroundings: Surroundings) -> Bool {
    client.showsCacheFirst && output.isForReader(in: surroundings)
  }

  /// The option by which the run depends on earlier ones; nil for none.
  package var dependence: String? {
    switch mode.work {
    case .windows: "--backfill"
    case .failed: "--retry-failed"
    case .all: history.printsNewOnly ? "--new" : nil
    }
  }
}

/// The interval at which a watch asks, and its duration.
package struct WatchPace: Hashable, Sendable {
  /// The interval at which a search is asked.
  package let every: Duration
  /// True if quiet searches are never asked less often.
  package let isExact: Bool
  /// The duration of the watch; nil for no end.
  package let duration: Duration?
  /// The time after which other machines take over from this one when it stalls.
  package let lease: Duration

  init(_ written: WrittenSettings) {
    (every, isExact, duration) = (written.every, written.isEveryExact, written.watchDuration)
    lease = written.lease
  }
}

/// The failures that count in the exit status.
package struct VerdictSettings: Hashable, Sendable {
  package let failOn: FailOn
  package let failsOnEmpty: Bool
}
