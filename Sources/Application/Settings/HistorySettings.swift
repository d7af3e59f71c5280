package import PostHistory
internal import SafeFiles

/// The settings of what is kept between runs.
package struct HistorySettings: Sendable {
  package var isNew = false
  package var isNewAll = false
  /// True if the first run of a search prints nothing.
  package var isFromNow = false
  /// The file that keeps everything; nil for the default one.
  package var path: String?
  package var isOff = false
  /// True if the posts themselves are kept.
  package var keepsPosts = true
  /// True if only the searches that failed in the last run like this are asked.
  package var retriesFailed = false
  /// True if everything since a date is read, in windows that can be resumed.
  package var isBackfill = false
  /// The time for which posts are kept, in seconds; nil for ever.
  package var keep: Double?

  package init() {}

  /// The option by which the run depends on earlier ones; nil for none.
  package var dependence: String? {
    if isNew || isNewAll { return "--new" }
    if isBackfill { return "--backfill" }
    return retriesFailed ? "--retry-failed" : nil
  }

  /// True if only posts are printed that no earlier run printed.
  package var printsNewOnly: Bool { isNew || isNewAll }

  /// The use of the history by a run; nil for none.
  package var mode: HistoryMode? {
    if isOff { return nil }
    if isNewAll { return .newAll }
    if isNew { return .new }
    return keepsPosts ? .keep : nil
  }

  /// The path of the file; nil where neither a setting nor the environment says where it is.
  package func path(in surroundings: Surroundings) -> String? {
    path ?? surroundings.stateFolder.map { "\($0)/history.db" }
  }

  /// Returns whether there is a file.
  package static func isThere(_ path: String) -> Bool { BoundedRead.isThere(path) }

  /// Opens a file, and says what had to be put right.
  ///
  /// - Parameter wait: The wait for other processes; nil for half a minute.
  package static func open(
    _ path: String, wait: LockWait? = nil, in surroundings: Surroundings
  ) throws(HistoryError) -> SQLiteHistory {
    let history = try SQLiteHistory(at: path, wait: wait ?? LockWait(longest: .seconds(30)))
    closeFolder(of: path, in: surroundings)
    if let notice = history.notice { surroundings.report(notice) }
    history.onReport { surroundings.report($0) }
    return history
  }

  /// Closes the default folder to others, which earlier versions may have left open; any other folder is
  /// the user's, and only named.
  private static func closeFolder(of path: String, in surroundings: Surroundings) {
    guard Directories.isOpenToOthers(above: path) else { return }
    let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    if folder == surroundings.stateFolder, Directories.closeToOthers(above: path) {
      return
    }
    surroundings.report(
      "\(folder): others can see which files are kept here; run: chmod 700 \(folder)")
  }
}

/// The use of the history by a run.
package enum HistoryMode: Hashable, Sendable {
  /// Posts are kept, and nothing else changes.
  case keep
  /// Only new posts are printed.
  case new
  /// The same, and posts that are older than the first run of a search are new, too.
  case newAll
}
