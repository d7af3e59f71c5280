internal import PostHistory
internal import Synchronization

/// The first thing that went wrong with the history in a run, which one line reports, unless somebody else
/// does.
final class HistoryProblem: Sendable {
  private let surroundings: Surroundings
  private let isQuiet: Bool
  private let first = Mutex<HistoryError?>(nil)

  /// - Parameter isQuiet: Whether somebody else reports it.
  init(_ surroundings: Surroundings, isQuiet: Bool = false) {
    (self.surroundings, self.isQuiet) = (surroundings, isQuiet)
  }

  /// The error; nil if nothing went wrong.
  var error: HistoryError? { first.withLock { $0 } }
  var isReported: Bool { error != nil }

  /// - Parameter consequence: What it means for the run, if that is not obvious.
  func report(_ error: HistoryError, _ consequence: String? = nil) {
    let isFirst = first.withLock { first in
      defer { first = first ?? error }
      return first == nil
    }
    guard isFirst, !isQuiet else { return }
    surroundings.report(consequence.map { "\(error); \($0)" } ?? "\(error)")
  }
}
