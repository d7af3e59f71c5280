package import PostHistory
internal import SafeFiles
internal import SharedHistory

/// The settings of the history: where it is kept, and how earlier runs affect this one.
package struct HistorySettings: Sendable {
  /// The use of the history by the run; nil for none.
  package let mode: HistoryMode?
  /// True if nothing is kept, and nothing is read that was.
  package let isOff: Bool
  /// True if the posts themselves are kept.
  package let keepsPosts: Bool
  /// True if the first run of a search prints nothing.
  let isFromNow: Bool
  /// The time for which posts are kept, in seconds; nil for ever.
  let keep: Double?
  /// The file that keeps everything, or the address of a database that machines share; nil for the default
  /// file.
  private let path: String?

  init(_ written: WrittenSettings, for use: SettingsUse) {
    isOff = written.keepsNothing
    keepsPosts = !written.keepsNoPosts
    isFromNow = written.isFromNow
    keep = written.keep
    path = written.statePath
    mode =
      if isOff {
        nil
      } else if written.isNewAll {
        .newAll
      } else if written.isNew || use == .watch {
        .new
      } else {
        keepsPosts ? .keep : nil
      }
  }

  /// True if only posts are printed that no earlier run printed.
  package var printsNewOnly: Bool { mode == .new || mode == .newAll }

  /// The path of the file, or the address of the database; nil where neither a setting nor the environment
  /// says where it is.
  package func path(in surroundings: Surroundings) -> String? {
    Self.path(path, in: surroundings)
  }

  /// The path of the file that a setting names, or else of the default one.
  package static func path(_ path: String?, in surroundings: Surroundings) -> String? {
    path ?? surroundings.stateFolder.map { "\($0)/history.db" }
  }

  /// Returns whether a file exists; an address is only checked when it is opened.
  package static func isThere(_ path: String) -> Bool {
    isShared(path) || BoundedRead.isThere(path)
  }

  /// Returns whether a path is the address of a database.
  static func isShared(_ path: String) -> Bool { SharedAddress.isAddress(path) }

  /// Opens a database, or a file, and reports what had to be repaired in it.
  ///
  /// - Parameter wait: The wait for other processes; nil for half a minute.
  package static func open(
    _ path: String, wait: LockWait? = nil, in surroundings: Surroundings
  ) throws(HistoryError) -> any HistoryStore {
    let wait = wait ?? LockWait()
    if let address = SharedAddress(path) {
      return try SharedHistory(at: address, wait: wait)
    }
    return try open(at: path, in: surroundings) { () throws(HistoryError) in
      try SQLiteHistory(at: path, wait: wait)
    }
  }

  /// Takes a file that another thread has opened, and says what had to be repaired.
  static func take(
    _ opening: OpeningHistory, at path: String, in surroundings: Surroundings
  ) throws(HistoryError) -> any HistoryStore {
    try open(at: path, in: surroundings, opening.opened)
  }

  private static func open(
    at path: String, in surroundings: Surroundings,
    _ open: () throws(HistoryError) -> SQLiteHistory
  ) throws(HistoryError) -> SQLiteHistory {
    let history = try open()
    closeFolder(of: path, in: surroundings)
    if let notice = history.notice { surroundings.report(notice) }
    history.onReport { surroundings.report($0) }
    return history
  }

  /// Closes the default folder to others, which earlier versions may have left open; any other folder is
  /// the user's, and only named.
  private static func closeFolder(of path: String, in surroundings: Surroundings) {
    let audience = Directories.audience(above: path)
    guard audience != .nobody else { return }
    let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    if folder == surroundings.stateFolder, Directories.makePrivate(above: path) {
      return
    }
    // A folder that everybody uses, such as /tmp, must stay open.
    let advice =
      audience == .everybody
      ? "give --state a folder of its own" : "run: chmod 700 \(folder)"
    surroundings.report("\(folder): others can see which files are kept here; \(advice)")
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
