internal import PostHistory
internal import Synchronization

/// The first thing that went wrong with the history in a run, which one line reports.
final class HistoryProblem: Sendable {
  private let surroundings: Surroundings
  private let first = Mutex(true)

  init(_ surroundings: Surroundings) { self.surroundings = surroundings }

  var isReported: Bool { first.withLock { !$0 } }

  /// - Parameter consequence: What it means for the run, if that is not obvious.
  func report(_ error: HistoryError, _ consequence: String? = nil) {
    let isFirst = first.withLock { first in
      defer { first = false }
      return first
    }
    guard isFirst else { return }
    surroundings.report(consequence.map { "\($0): \(error)" } ?? "\(error)")
  }
}
