/// Who prints what a run has found: its own end, or a signal, whichever comes first. Pure.
enum RunPhase: Hashable, Sendable {
  case running
  /// The run's own end prints.
  case printing
  /// The same, and a signal has come meanwhile: the process dies by it after the last line.
  case printingThenSignal(Int32)
  /// A signal prints, and the process dies by it.
  case interrupted

  /// The run has come to its end; returns whether it is the one to print.
  mutating func end() -> Bool {
    guard self == .running else { return false }
    self = .printing
    return true
  }

  /// A signal has come; returns whether it is the one to print.
  mutating func interrupt(by signal: Int32) -> Bool {
    switch self {
    case .running:
      self = .interrupted
      return true
    case .printing:
      self = .printingThenSignal(signal)
      return false
    case .printingThenSignal, .interrupted:
      return false
    }
  }
}
