internal import Application

extension HistorySettings {
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
}
