package import SearchModel

/// The exit status of a run, from its outcomes alone.
package struct RunVerdict {
  private let outcomes: [SearchOutcome]
  private let postCount: Int
  private let failOn: FailOn
  private let failsOnEmpty: Bool
  /// True if a tag has been without a post for longer than expected.
  private let hasSilence: Bool

  package init(
    outcomes: [SearchOutcome], postCount: Int, failOn: FailOn, failsOnEmpty: Bool,
    hasSilence: Bool = false
  ) {
    self.outcomes = outcomes
    self.postCount = postCount
    self.failOn = failOn
    self.failsOnEmpty = failsOnEmpty
    self.hasSilence = hasSilence
  }

  package var status: CommandStatus {
    let status = statusOfSearches
    guard status == .success else { return status }
    if failsOnEmpty, postCount == 0 { return .nothing }
    return hasSilence && failOn == .any ? .partial : .success
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

  /// The status when nothing was answered, which says whether to try again.
  private var statusOfNothingAnswered: CommandStatus {
    let failures = failures
    // All searches were canceled.
    if failures.isEmpty { return .tryLater }
    if failures.allSatisfy({ $0 == .credential }) { return .noCredential }
    return failures.contains(.temporary) ? .tryLater : .unavailable
  }

  /// The kinds of all failures: of searches, and of tags that no source could be asked for.
  private var failures: [Failure.Kind] {
    outcomes.lazy.filter(\.ending.isFailure).map { $0.ending.failureKind ?? .permanent }
      + outcomes.unaskedTags.map { $0.needsCredential ? .credential : .permanent }
  }
}
