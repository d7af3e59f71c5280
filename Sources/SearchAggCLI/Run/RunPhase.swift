/// Who prints what a run has found: its own end, or a signal, whichever comes first. Pure.
enum RunPhase: Hashable, Sendable {
  /// What a signal that has come is to do.
  enum Interruption: Hashable, Sendable {
    /// Print what has arrived, and end the process.
    case print
    /// Leave that to the one who is writing some posts at this moment.
    case leave
    /// Nothing: the whole output is being written already.
    case nothing
  }

  case running
  /// Some posts are being written, the first that are certain.
  case streaming
  /// The same, and a signal has come meanwhile: the rest follows, then the process dies by it.
  case streamingThenSignal(Int32)
  /// The run's own end prints.
  case printing
  /// The same, and a signal has come meanwhile: the process dies by it after the last line.
  case printingThenSignal(Int32)
  /// A signal prints, and the process dies by it.
  case interrupted

  /// Some posts are to be written; returns whether they may be.
  mutating func beginStreaming() -> Bool {
    guard self == .running else { return false }
    self = .streaming
    return true
  }

  /// They have been written; returns the signal that has come meanwhile.
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

  /// The run has come to its end; returns whether it is the one to print.
  mutating func end() -> Bool {
    guard self == .running else { return false }
    self = .printing
    return true
  }

  /// A signal has come.
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
