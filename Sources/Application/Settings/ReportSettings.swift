/// The settings of what is reported on standard error, and of the statistics of requests.
package struct ReportSettings: Sendable {
  package let isQuiet: Bool
  package let isVerbose: Bool
  private let progress: ProgressMode
  let showsStatistics: Bool
  /// The file that takes the statistics as JSON; nil for none.
  let statisticsPath: String?

  init(_ written: WrittenSettings) {
    isQuiet = written.isQuiet
    isVerbose = written.isVerbose && !isQuiet
    progress = written.progress
    showsStatistics = written.showsStatistics
    statisticsPath = written.statisticsPath
  }

  /// True if statistics of the requests were asked for.
  var hasStatistics: Bool { showsStatistics || statisticsPath != nil }

  /// The progress line; nil if none is shown.
  package func progressLine(in surroundings: Surroundings) -> (any ProgressDisplay)? {
    let isShown =
      switch progress {
      case .always: true
      case .never: false
      case .auto: surroundings.errorScreen != nil && !isQuiet
      }
    return isShown ? surroundings.progressLine() : nil
  }
}

/// The setting of the line that shows how far a run is.
package enum ProgressMode: String, CaseIterable, Sendable { case auto, always, never }
