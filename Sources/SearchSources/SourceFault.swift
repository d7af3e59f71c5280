package import FoundationEssentials
package import SearchModel

/// Why an answer is no page.
package enum SourceFault: Error, Hashable, Sendable {
  /// The network said "slow down", until a moment where it named one.
  case rateLimited(until: Date?, Failure)
  case failed(Failure)
}
