internal import Application
internal import SafeFiles

/// The state and the configuration, which no output may replace.
enum OwnFiles {
  /// Refuses an output, or statistics, that would be written over one of them.
  static func protect(
    from written: WrittenSettings, _ configuration: Configuration, in context: Context
  ) throws(CommandFailure) {
    let outputs = [("--output", written.outputPath), ("--stats-file", written.statisticsPath)]
    for (option, path) in outputs {
      guard let path else { continue }
      let state = HistorySettings.path(written.statePath, in: context.surroundings)
      let own =
        [(state, "the state")] + configuration.files.map { ($0.shownPath, "the configuration") }
      for case (let file?, let what) in own where isSame(path, file, in: context) {
        throw CommandFailure(.usage, "\(option): \(file) is \(what); name another file")
      }
    }
  }

  /// True if two paths lead to one file that is there.
  static func isSame(_ one: String, _ other: String, in context: Context) -> Bool {
    BoundedRead.leadToSame(context.absolutePath(one), context.absolutePath(other))
  }
}
