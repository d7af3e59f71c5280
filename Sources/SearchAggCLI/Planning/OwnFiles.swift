internal import Application
internal import SafeFiles

/// The state and the configuration, which no output may replace.
struct OwnFiles {
  private let state: String?
  private let configurations: [String]
  private let context: Context

  init(_ configuration: Configuration, _ written: WrittenSettings, in context: Context) {
    state = HistorySettings.path(written.statePath, in: context.surroundings)
    configurations = configuration.files.map(\.shownPath)
    self.context = context
  }

  /// Refuses an output, or statistics, that would be written over one of them.
  func check(_ written: WrittenSettings) throws(CommandFailure) {
    for (option, path) in [
      ("--output", written.outputPath), ("--stats-file", written.statisticsPath),
    ] {
      guard let path else { continue }
      if let state, isSame(path, state) {
        throw CommandFailure(.usage, "\(option): \(state) is the state; name another file")
      }
      if let file = configurations.first(where: { isSame(path, $0) }) {
        throw CommandFailure(.usage, "\(option): \(file) is the configuration; name another file")
      }
    }
  }

  private func isSame(_ one: String, _ other: String) -> Bool {
    BoundedRead.leadToSame(context.absolutePath(one), context.absolutePath(other))
  }
}
