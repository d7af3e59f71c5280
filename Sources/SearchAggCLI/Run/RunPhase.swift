/// The state that decides whether the end of a run or a signal prints the result. Pure.
enum RunPhase: Hashable, Sendable {
  /// The task of a signal handler.
  enum Interruption: Hashable, Sendable {
    /// Print what has arrived, and end the process.
    case print
    /// Leave that to the code that is writing posts at this moment.
    case leave
    /// Nothing: the whole output is already being written.
    case nothing
  }

  case running
  /// Some posts are being written, the first ones whose position is final.
  case streaming
  /// The same, and a signal has arrived meanwhile: the rest follows, then the process dies by it.
  case streamingThenSignal(Int32)
  /// The run's own end prints.
  case printing
  /// The same, and a signal has arrived meanwhile: the process dies by it after the last line.
  case printingThenSignal(Int32)
  /// A signal prints, and the process dies by it.
  case interrupted

  /// Asks to write some posts; returns whether that is allowed.
  mutating func beginStreaming() -> Bool {
    guard self == .running else { return false }
    self = .streaming
    return true
  }

  /// Ends the writing of some posts; returns the signal that arrived meanwhile.
  mutating func endStreaming() -> Int32? {
    switch self {
    case .streamingThenSignal(let signal):
      self = .interrupted
      return signal
    case .streaming:
      self = .running
      return nil
    case .running, .printing, .printingThenSignal, .interrupted:
      return nil
    }
  }

  /// Ends the run; returns whether its end prints the result.
  mutating func end() -> Bool {
    guard self == .running else { return false }
    self = .printing
    return true
  }

  /// Takes a signal.
  mutating func interrupt(by signal: Int32) -> Interruption {
    switch self {
    case .running:
      self = .interrupted
      return .print
    case .streaming:
      self = .streamingThenSignal(signal)
      return .leave
    case .printing:
      self = .printingThenSignal(signal)
      return .nothing
    case .streamingThenSignal, .printingThenSignal, .interrupted:
      return .nothing
    }
  }
}
