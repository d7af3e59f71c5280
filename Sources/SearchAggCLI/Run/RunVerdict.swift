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
    let failures = outcomes.filter(\.ending.isFailure)
    let isAnyAnswered = outcomes.contains { $0.ending.isAnswered }
    switch failOn {
    case .none: return .success
    case .all where isAnyAnswered: return .success
    case .any where isAnyAnswered: return failures.isEmpty ? .success : .partial
    case .any, .all: return statusOfNothingAnswered(failures)
    }
  }

  /// Nothing was answered: what another try is worth.
  private func statusOfNothingAnswered(_ failures: [SearchOutcome]) -> CommandStatus {
    guard !failures.isEmpty else { return statusOfNothingAsked }
    let kinds = failures.compactMap(\.ending.failureKind)
    if kinds.allSatisfy({ $0 == .credential }) { return .noCredential }
    return kinds.contains(.temporary) ? .tryLater : .unavailable
  }

  /// All were skipped: a credential may be what is missing.
  private var statusOfNothingAsked: CommandStatus {
    if outcomes.isEmpty { return .success }
    let needsCredential = outcomes.contains { outcome in
      if case .skipped(_, needsCredential: true) = outcome.ending { true } else { false }
    }
    return needsCredential ? .noCredential : .unavailable
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
