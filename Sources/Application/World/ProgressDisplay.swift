internal import Printing
internal import SearchEngine
internal import SearchModel

/// A line that shows how far a command is.
package protocol ProgressDisplay: Sendable {
  /// True if the line is updated as the work progresses; otherwise it is written once.
  var isAnimated: Bool { get }

  /// Shows the line until the task is canceled or `end` is called.
  ///
  /// - Parameter parts: The parts of the line, the most important one first.
  func show(_ parts: @Sendable () -> [String]) async

  /// Removes the line for good.
  func end()
}

extension ProgressDisplay {
  /// Shows the line during some work, and removes it if a signal ends the process meanwhile.
  package func show<Value: Sendable>(
    _ parts: @escaping @Sendable () -> [String], on host: any ProcessHost,
    during work: @Sendable () async -> Value
  ) async -> Value {
    host.catchSignals { signal in
      end()
      host.die(of: signal)
    }
    return await withTaskGroup(of: Void.self) { group in
      group.addTask { await show(parts) }
      let value = await work()
      group.cancelAll()
      return value
    }
  }
}

extension RunProgress {
  /// The parts of the progress line, counters first.
  var parts: [String] {
    let counters = [
      "\(ended)/\(Plural.count(searches, "search", "searches"))",
      Plural.count(posts, "post"),
    ]
    return counters
      + waits.map { "\($0.source) waits \($0.duration.roundedUpToSeconds.inWords)" }
  }
}
