internal import SearchModel

/// The exit status of a run, from its outcomes alone.
struct RunVerdict {
  let outcomes: [SearchOutcome]
  let postCount: Int
  let failOn: FailOn
  let failsOnEmpty: Bool

  var status: CommandStatus {
    let status = statusOfSearches
    return status == .success && failsOnEmpty && postCount == 0 ? .nothing : status
  }

  private var statusOfSearches: CommandStatus {
    let isAnyAnswered = outcomes.contains { $0.ending.isAnswered }
    switch failOn {
    case .none: return .success
    case .all where isAnyAnswered: return .success
    case .any where isAnyAnswered: return failures.isEmpty ? .success : .partial
    case .any, .all: return outcomes.isEmpty ? .success : statusOfNothingAnswered
    }
  }

  /// Nothing was answered: what another try is worth.
  private var statusOfNothingAnswered: CommandStatus {
    if failures.allSatisfy({ $0 == .credential }) { return .noCredential }
    return failures.contains(.temporary) ? .tryLater : .unavailable
  }

  /// What each failed search means for another try, and each tag that no source could be asked for.
  private var failures: [Failure.Kind] {
    outcomes.filter(\.ending.isFailure).map { $0.ending.failureKind ?? .permanent }
      + outcomes.unaskedTags.map { $0.needsCredential ? .credential : .permanent }
  }
}

extension Ending {
  /// What the failure means for another try; nil when this is none.
  fileprivate var failureKind: Failure.Kind? {
    switch self {
    case .rateLimited: .temporary
    case .failed(let failure): failure.kind
    case .partial(_, _, let failure, _): failure?.kind
    case .completed, .skipped, .cancelled: nil
    }
  }
}

/// Which failures count in the exit status.
enum FailOn: String, CaseIterable, Sendable {
  /// Any search that failed.
  case any
  /// Only when all failed.
  case all
  case none
}
