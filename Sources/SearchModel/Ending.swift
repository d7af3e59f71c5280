package import FoundationEssentials

/// The six ways in which a search ends.
package enum Ending: Hashable, Sendable {
  /// Answered; the notes are what the network said beside the posts.
  case completed(notes: [String] = [])
  /// The network cannot express this query, or needs a credential that was not given.
  case skipped(reason: String, needsCredential: Bool = false)
  /// Some items or pages are missing: broken items are counted, and a failure after the first page
  /// stands beside them, as do the notes on what has come.
  case partial(
    brokenItems: Int, reason: String?, failure: Failure? = nil, notes: [String] = [])
  /// The network said "slow down": until when, where it said so.
  case rateLimited(until: Date?, failure: Failure)
  /// Refused, unreachable or unreadable.
  case failed(Failure)
  /// Ended by a signal before it had answered.
  case cancelled

  /// Whether posts may be missing for this reason.
  package var isIncomplete: Bool {
    switch self {
    case .completed, .skipped: false
    case .partial, .rateLimited, .failed, .cancelled: true
    }
  }

  /// Whether it counts as failed in the exit status.
  package var isFailure: Bool {
    switch self {
    case .completed, .skipped, .cancelled: false
    case .partial, .rateLimited, .failed: true
    }
  }

  /// Whether the network gave an answer that counts, if only a part.
  package var isAnswered: Bool {
    switch self {
    case .completed, .partial: true
    case .skipped, .rateLimited, .failed, .cancelled: false
    }
  }
}
