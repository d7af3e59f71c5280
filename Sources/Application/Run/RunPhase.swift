/// The state that decides whether the end of a run or a signal prints the result. Pure.
enum RunPhase: Hashable, Sendable {
  /// The task of a signal handler.
  enum Interruption: Hashable, Sendable {
    /// Print what has arrived, and end the process.
    case print
    /// Leave that to the code that is writing posts now.
    case leave
    /// Nothing: the whole output is already being written.
    case nothing
    /// End the process: everything is written, and a delivery that is cut off will be repeated.
    case die
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
  /// Everything is written, and is now passed on to a command or a channel.
  case delivering
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
    case .running, .printing, .printingThenSignal, .delivering, .interrupted:
      return nil
    }
  }

  /// Ends the run; returns whether its end prints the result.
  mutating func end() -> Bool {
    guard self == .running else { return false }
    self = .printing
    return true
  }

  /// Begins to pass on what was printed; returns the signal that arrived meanwhile.
  mutating func beginDelivery() -> Int32? {
    switch self {
    case .printingThenSignal(let signal):
      self = .interrupted
      return signal
    case .printing: self = .delivering
    case .running, .streaming, .streamingThenSignal, .delivering, .interrupted: break
    }
    return nil
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
    case .delivering:
      self = .interrupted
      return .die
    case .streamingThenSignal, .printingThenSignal, .interrupted:
      return .nothing
    }
  }
}
