internal import SearchEngine
internal import SearchModel

/// The line on a terminal's standard error that says what is asked, and how far that is.
struct ProgressLine: Sendable {
  /// When the line is shown.
  enum Mode: String, CaseIterable, Sendable { case auto, always, never }

  /// Erases the line that stands there.
  static let erase = "\r\u{1B}[K"

  private static let interval = Duration.milliseconds(100)

  let errors: any OutputStreaming
  let sources: [SourceName]
  let columns: Int
  /// Whether the line is written anew as things move; else it is written once.
  let isAnimated: Bool

  /// Shows the line until the task is cancelled, and erases it then.
  func show(_ progress: @Sendable () -> RunProgress) async {
    guard isAnimated else {
      write("\(text(of: progress()))\n")
      return
    }
    while !Task.isCancelled {
      write(Self.erase + text(of: progress()))
      // A cancelled sleep is the end that the loop looks for.
      try? await Task.sleep(for: Self.interval)
    }
    write(Self.erase)
  }

  /// Such as `asking x, mastodon: 3 of 40 searches, 52 posts`, cut to the terminal's width.
  func text(of progress: RunProgress) -> String {
    let names = sources.map(\.rawValue).joined(separator: ", ")
    var text =
      "asking \(names): \(progress.ended) of \(progress.searches) searches, \(progress.posts) posts"
    if let wait = progress.waits.first {
      let seconds = (wait.duration / .seconds(1)).rounded(.up)
      text += "; waiting \(Duration.seconds(seconds).inWords) for \(wait.source)"
      if progress.waits.count > 1 { text += " and \(progress.waits.count - 1) more" }
    }
    return String(text.prefix(max(columns - 1, 1)))
  }

  /// A line that cannot be shown is not worth the run.
  private func write(_ text: String) {
    try? errors.write(Array(text.utf8))
  }
}
