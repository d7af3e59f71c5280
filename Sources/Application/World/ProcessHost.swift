/// The process that a run has for itself: its limits, its signals, its pager and its end.
///
/// A run inside another program, such as a test, has none of these (`SharedProcess`).
package protocol ProcessHost: Sendable {
  /// The cores that may run it.
  var coreCount: Int { get }

  /// Raises the limit of open files and sockets to at least `count`, as far as the system allows.
  func makeRoom(forDescriptors count: Int)

  /// Makes this the time zone of the process.
  func setTimeZone(_ zone: String)

  /// Hands the first signal that asks for the end to `handle`, on a thread of its own; the second one
  /// ends the process.
  ///
  /// - Parameter reload: Handles SIGHUP, unless a closed terminal may have sent it; nil to let it end the
  ///   process.
  func catchSignals(
    reload: (@Sendable () -> Void)?, _ handle: @escaping @Sendable (_ signal: Int32) -> Void)

  /// Ends the process by a signal, as if nothing had caught it.
  func die(of signal: Int32) -> Never

  /// Closes the output, to which nothing more is written, so that whoever reads it need not wait for the
  /// end of the process.
  func closeOutput()

  /// Ends the process without releasing anything; returns if the process has other things to do.
  func end(with status: CommandStatus)

  /// Shows text that is longer than the screen in a pager.
  func page(_ text: [UInt8]) -> PagerEnding
}

extension ProcessHost {
  package func catchSignals(_ handle: @escaping @Sendable (_ signal: Int32) -> Void) {
    catchSignals(reload: nil, handle)
  }

  /// Waits for the end of the process, which the signal's own thread brings about.
  func waitForSignal() async -> Never {
    while true {
      // A canceled sleep changes nothing.
      try? await Task.sleep(for: .seconds(1))
    }
  }
}

/// A process that does other things, too: a run must not touch its signals or end it.
package struct SharedProcess: ProcessHost {
  package init() {}

  /// One core: the rest of the process needs the others.
  package var coreCount: Int { 1 }

  package func makeRoom(forDescriptors count: Int) {}
  package func setTimeZone(_ zone: String) {}
  package func catchSignals(
    reload: (@Sendable () -> Void)?, _ handle: @escaping @Sendable (_ signal: Int32) -> Void
  ) {}
  package func die(of signal: Int32) -> Never {
    preconditionFailure("no handler caught signal \(signal)")
  }
  package func closeOutput() {}
  package func end(with status: CommandStatus) {}
  package func page(_ text: [UInt8]) -> PagerEnding { .absent }
}

/// The outcome of showing a text in a pager.
package enum PagerEnding: Hashable, Sendable {
  /// The reader has seen as much of it as they wanted.
  case shown
  /// No pager is chosen or installed.
  case absent
  /// The pager gave up, perhaps before it showed anything.
  ///
  /// - Parameter status: Its exit status.
  case failed(command: String, status: Int32)
}
