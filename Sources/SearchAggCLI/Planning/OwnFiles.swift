internal import Application
internal import SafeFiles

/// The files that the program reads again, which no output may replace.
enum OwnFiles {
  /// Refuses an output, or statistics, that would be written over one of them.
  ///
  /// - Parameters:
  ///   - recording: The recording that is being replayed.
  ///   - parts: The outputs that are joined.
  static func protect(
    from written: WrittenSettings, _ configuration: Configuration, and recording: Recording? = nil,
    joining parts: [String] = [], in context: Context
  ) throws(CommandFailure) {
    let outputs = [("--output", written.outputPath), ("--stats-file", written.statisticsPath)]
    if let output = written.outputPath, let statistics = written.statisticsPath,
      isSame(output, statistics, in: context)
    {
      throw CommandFailure(.usage, "--stats-file and --output name the same file")
    }
    for case (let option, let output?) in outputs {
      let own =
        files(of: written, configuration, and: recording, in: context)
        + parts.filter { $0 != "-" }.map { ($0, "is one of the files to join") }
      for case (let path?, let what) in own where isSame(output, path, in: context) {
        throw CommandFailure(.usage, "\(option): \(path) \(what); name another file")
      }
    }
  }

  /// The same for this user's own files in a replay, whose settings are those of the recording.
  static func protect(fromReplay written: WrittenSettings, in context: Context) throws {
    guard written.outputPath != nil || written.statisticsPath != nil else { return }
    var written = written
    (written.tagsFile, written.statePath) = (nil, nil)
    try protect(from: written, Configuration(named: nil, in: context), in: context)
  }

  private static func files(
    of written: WrittenSettings, _ configuration: Configuration, and recording: Recording?,
    in context: Context
  ) -> [(path: String?, what: String)] {
    let surroundings = context.surroundings
    let state = HistorySettings.path(written.statePath, in: surroundings)
    // If their location is unknown, there are no tags to protect.
    let tags = try? TagsFileLocation.find(option: written.tagsFile, in: context)
    return [
      // Runs make it if it is not there; the others belong to it (https://www.sqlite.org/tempfiles.html).
      (state, "is the state"), (state.map { "\($0)-wal" }, "is part of the state"),
      (state.map { "\($0)-shm" }, "is part of the state"),
      (tags?.address == nil ? tags?.name : nil, "holds the tags"),
      (CredentialFile(in: context)?.path, "holds your credentials"),
      (SessionFile.path(in: surroundings), "holds your sessions"),
    ] + configuration.files.map { ($0.shownPath, "is the configuration") }
      + (recording?.paths ?? []).map { ($0, "is part of the recording") }
  }

  /// True if two paths lead to one file.
  private static func isSame(_ one: String, _ other: String, in context: Context) -> Bool {
    BoundedRead.leadToSame(context.absolutePath(one), context.absolutePath(other))
  }
}
