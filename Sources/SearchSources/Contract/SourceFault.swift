package import FoundationEssentials
package import SearchModel

/// The reason a response has no page.
package enum SourceFault: Error, Hashable, Sendable {
  /// Too many requests, until a moment if the network names one.
  case rateLimited(until: Date?, Failure)
  case failed(Failure)
}
