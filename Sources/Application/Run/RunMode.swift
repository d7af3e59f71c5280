package import ExchangeRecording

/// Who answers the searches of a run, decided once.
package enum RunMode: Sendable {
  /// Nobody: the requests are shown.
  case dry
  /// The cache, or else the history.
  case stored
  /// A recording.
  case recorded(ExchangeReplay)
  /// The networks.
  case networks

  /// - Parameter replay: The recording that the run repeats.
  package init(_ settings: RunSettings, replaying replay: ExchangeReplay?) {
    if settings.isDryRun {
      self = .dry
    } else if settings.isOffline {
      self = .stored
    } else if let replay {
      self = .recorded(replay)
    } else {
      self = .networks
    }
  }
}
