internal import PostHistory
internal import SafeFiles

/// The settings of what is kept between runs.
struct HistorySettings: Sendable {
  var isNew = false
  var isNewAll = false
  /// True if the first run of a search prints nothing.
  var isFromNow = false
  /// The file that keeps everything; nil for the default one.
  var path: String?
  var isOff = false
  /// True if the posts themselves are kept.
  var keepsPosts = true
  /// True if only the searches that failed in the last run like this are asked.
  var retriesFailed = false
  /// True if everything since a date is read, in windows that can be resumed.
  var isBackfill = false
  /// The time for which posts are kept, in seconds; nil for ever.
  var keep: Double?

  /// The option by which the run depends on earlier ones; nil for none.
  var dependence: String? {
    if isNew || isNewAll { return "--new" }
    if isBackfill { return "--backfill" }
    return retriesFailed ? "--retry-failed" : nil
  }

  /// True if only posts are printed that no earlier run printed.
  var printsNewOnly: Bool { isNew || isNewAll }

  /// The use of the history by a run; nil for none.
  var mode: HistoryMode? {
    if isOff { return nil }
    if isNewAll { return .newAll }
    if isNew { return .new }
    return keepsPosts ? .keep : nil
  }

  /// The path of the file; nil where neither a setting nor the environment says where it is.
  func path(in context: Context) -> String? {
    path ?? ConfigurationFolder.state(in: context).map { "\($0)/history.db" }
  }

  /// Returns whether there is a file.
  static func isThere(_ path: String) -> Bool { BoundedRead.isThere(path) }

  /// Refuses options that contradict each other.
  func check() throws(CommandFailure) {
    guard retriesFailed || isBackfill else { return }
    let option = retriesFailed ? "--retry-failed" : "--backfill"
    guard keepsPosts, !isOff else {
      throw CommandFailure(
        .usage, "\(option) needs the history, and --no-history and --no-state keep none")
    }
    guard !isNew, !isNewAll else {
      throw CommandFailure(.usage, "\(option) cannot be used with --new, which resumes by itself")
    }
    guard !retriesFailed || !isBackfill else {
      throw CommandFailure(
        .usage, "--retry-failed cannot be used with --backfill, which resumes by itself")
    }
  }

  /// The path of the file for a command that reads no other settings; nil where there is none.
  static func path(_ reader: SettingsReader) throws(CommandFailure) -> String? {
    if let setting = Setting.named("no-state"), try reader.text(of: setting)?.isOn() == true {
      return nil
    }
    let path = Setting.named("state").flatMap { reader.text(of: $0)?.text }
    return path.map(reader.context.absolutePath)
      ?? ConfigurationFolder.state(in: reader.context).map { "\($0)/history.db" }
  }

  /// Opens a file, and says what had to be put right.
  ///
  /// - Parameter wait: The wait for other processes; nil for half a minute.
  static func open(
    _ path: String, wait: LockWait? = nil, in context: Context
  ) throws(HistoryError) -> SQLiteHistory {
    let history = try SQLiteHistory(at: path, wait: wait ?? LockWait(longest: .seconds(30)))
    closeFolder(of: path, in: context)
    if let notice = history.notice { context.report(notice) }
    history.onRepair { context.report($0) }
    return history
  }

  /// Closes the default folder to others, which earlier versions may have left open; any other folder is
  /// the user's, and only named.
  private static func closeFolder(of path: String, in context: Context) {
    guard Directories.isOpenToOthers(above: path) else { return }
    let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    if folder == ConfigurationFolder.state(in: context), Directories.closeToOthers(above: path) {
      return
    }
    context.report("\(folder): others can see which files are kept here; run: chmod 700 \(folder)")
  }
}

/// The use of the history by a run.
enum HistoryMode: Hashable, Sendable {
  /// Posts are kept, and nothing else changes.
  case keep
  /// Only new posts are printed.
  case new
  /// The same, and posts that are older than the first run of a search are new, too.
  case newAll
}
