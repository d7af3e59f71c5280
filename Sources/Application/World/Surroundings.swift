package import FoundationEssentials
package import Printing
package import SearchEngine
internal import TextFormats

/// The outside world as a run sees it: streams, clocks, folders, and a place to report to.
///
/// The command line fills it in once. Nothing here is asked of the environment or the terminal again.
package struct Surroundings: Sendable {
  package var workingDirectory: String
  package var output: any OutputStreaming
  package var errors: any OutputStreaming
  package var now: @Sendable () -> Date
  /// True if `now` is a fixed date that somebody has set.
  package var isClockStopped = false
  /// The clock that the intervals of a watch are measured with.
  package var steadyClock: SteadyClock
  /// Sends requests in place of the queued client if set, as in tests.
  package var transport: (any Transport)?
  /// The screen that shows the output; nil for a file or a pipe.
  package var outputScreen: Screen?
  /// The screen that shows the reports; nil for a file or a pipe.
  package var errorScreen: Screen?
  /// False if the user's pager would garble OSC 8 links.
  package var isPagerCapable = true
  /// The user's wish for colors in all programs; nil to decide by the screen.
  package var wantsColor: Bool?
  /// Makes a line that shows how far a run is.
  package var progressLine: @Sendable () -> any ProgressDisplay
  /// The folder for state that is kept between runs; nil if nothing says where it is.
  package var stateFolder: String?
  /// The folder for files that may be deleted at any time; nil if nothing says where it is.
  package var cacheFolder: String?
  /// The file with the certificates to trust; nil for the system's.
  package var certificates: String?
  /// The file that takes the job summary of GitHub Actions.
  package var summaryPath: String?
  package var host: any ProcessHost

  package init(
    workingDirectory: String, output: any OutputStreaming, errors: any OutputStreaming,
    now: @escaping @Sendable () -> Date, steadyClock: SteadyClock,
    progressLine: @escaping @Sendable () -> any ProgressDisplay,
    host: any ProcessHost
  ) {
    self.workingDirectory = workingDirectory
    self.output = output
    self.errors = errors
    self.now = now
    self.steadyClock = steadyClock
    self.progressLine = progressLine
    self.host = host
  }

  /// The absolute path of a path in the working directory.
  package func absolutePath(_ path: String) -> String {
    Self.absolutePath(path, in: workingDirectory)
  }

  /// Returns the absolute path of a path in a folder.
  ///
  /// - Parameter folder: The working directory; if empty, as it was deleted, the path is returned unchanged.
  package static func absolutePath(_ path: String, in folder: String) -> String {
    path.hasPrefix("/") || folder.isEmpty ? path : "\(folder)/\(path)"
  }

  /// The clock of the reports: local time on a screen, UTC in a file.
  package var reportClock: ReportClock { clock(on: errorScreen) }

  /// The clock of the output, in the same way.
  package var outputClock: ReportClock { clock(on: outputScreen) }

  private func clock(on screen: Screen?) -> ReportClock {
    screen == nil ? .utc : ReportClock(now: now(), zoneOffset: LocalTime.offset(at:))
  }

  /// Writes one line to standard error, with the command's name before it.
  ///
  /// Control characters and line breaks in it are removed; on a screen it is broken at blanks where it is
  /// too wide. If standard error cannot be written, there is nowhere else to report that.
  package func report(_ line: String) {
    var line = "searchagg: \(ControlCodes.strippedToLine(line))"
    if let errorScreen { line = Wrapping.hanging(line, columns: errorScreen.columns) }
    try? errors.write(Array("\(line)\n".utf8))
  }

  /// Reports an error, unless nothing needs to be said about it.
  func report(_ error: any Error) {
    if let line = (error as? any ReportedError)?.line { report(line) }
  }
}

/// The abilities of the screen that a stream ends on.
package struct Screen: Sendable, Hashable {
  /// Columns of a line.
  package var columns: Int
  /// Lines; nil when they are unknown.
  package var rows: Int?
  /// True if it understands escape sequences, unlike `TERM=dumb`.
  package var isCapable: Bool

  package init(columns: Int, rows: Int? = nil, isCapable: Bool) {
    self.columns = columns
    self.rows = rows
    self.isCapable = isCapable
  }
}
