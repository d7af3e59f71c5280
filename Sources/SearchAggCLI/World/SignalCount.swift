/// Tells the first signal from a second one that is meant: a value that takes the moments at which
/// signals came.
///
/// `timeout` of GNU sends its signal to the process and to its group, microseconds apart, and a
/// terminal's key repeats; neither asks for more than the first signal does.
struct SignalCount: Hashable, Sendable {
  /// What a signal is to do.
  enum Decision: Hashable, Sendable {
    /// Cancel the run and print what has arrived.
    case interrupt
    /// Nothing: it came with the first one.
    case ignore
    /// End the process at once.
    case die
  }

  /// How long after the first signal another one belongs to it, in nanoseconds.
  static let grace: UInt64 = 300_000_000

  private var first: UInt64?

  /// Takes a signal.
  ///
  /// - Parameter moment: When it came, in nanoseconds of a clock that never runs backwards.
  mutating func receive(at moment: UInt64) -> Decision {
    guard let first else {
      first = moment
      return .interrupt
    }
    return moment < first + Self.grace ? .ignore : .die
  }
}
