internal import Application
internal import Synchronization
internal import TextFormats

/// The line on a terminal's standard error that says how far a command is.
///
/// The cursor rests at the beginning of the line, so that a terminal that breaks it into several, because
/// it became narrower, still erases all of them.
final class ProgressLine: ProgressDisplay {
  /// Erases the line, and below it what a narrower terminal has made of it.
  ///
  /// In two steps, because tmux keeps what is erased from the first line of a screen to its end among the
  /// lines that have scrolled away.
  static let erase = "\r\u{1B}[K\u{1B}7\u{1B}[B\u{1B}[J\u{1B}8"

  /// The time between two versions of the line.
  private let interval: Duration
  /// True if the line is updated as the work progresses; otherwise it is written once.
  let isAnimated: Bool
  private let errors: any OutputStreaming
  /// The width of the terminal at this moment.
  private let columns: @Sendable () -> Int
  private let isOver = Mutex(false)

  init(
    errors: any OutputStreaming, isAnimated: Bool, interval: Duration = .milliseconds(100),
    columns: @escaping @Sendable () -> Int
  ) {
    self.errors = errors
    self.interval = interval
    self.isAnimated = isAnimated
    self.columns = columns
  }

  /// Shows the line until the task is canceled or `end` is called, and erases it then.
  ///
  /// - Parameter parts: The parts of the line, the most important one first.
  func show(_ parts: @Sendable () -> [String]) async {
    guard isAnimated else {
      write("\(Self.line(of: parts(), within: .max))\n")
      return
    }
    while !Task.isCancelled, !isOver.withLock({ $0 }) {
      // Not wrapped even where the terminal has just become narrower than it says.
      write("\(Self.erase)\u{1B}[?7l\(Self.line(of: parts(), within: columns()))\u{1B}[?7h\r")
      // A canceled sleep is the end that the loop looks for.
      try? await Task.sleep(for: interval)
    }
    end()
  }

  /// Erases the line for good.
  func end() {
    guard isAnimated else { return }
    isOver.withLock { isOver in
      if !isOver { try? errors.write(Array(Self.erase.utf8)) }
      isOver = true
    }
  }

  /// Returns as many parts as fit, `12/44 searches · 310 posts · github waits 6 s`.
  static func line(of parts: [String], within columns: Int) -> String {
    // Terminals move the cursor to the next line after the last column.
    let room = max(columns - 1, 1)
    var line = ""
    for part in parts {
      let longer = line.isEmpty ? part : "\(line) · \(part)"
      if DisplayWidth.columns(of: longer) > room {
        return line.isEmpty ? String(longer.prefix(room)) : line
      }
      line = longer
    }
    return line
  }

  /// Writes while the line is not over. A line that cannot be written is not worth the run.
  private func write(_ text: String) {
    isOver.withLock { isOver in
      if !isOver { try? errors.write(Array(text.utf8)) }
    }
  }
}
