package import FoundationEssentials
package import SearchModel

/// The names of the six outcomes in machine formats.
package enum OutcomeName: String, CaseIterable, Hashable, Sendable {
  case completed
  case skipped
  case partial
  case rateLimited = "rate_limited"
  case failed
  case cancelled
}

/// The outcome of a search, broken down into the details that both people and programs are given.
package struct OutcomeDetails: Hashable {
  package let name: OutcomeName
  /// The HTTP status, if there was one.
  package var status: Int?
  /// The event, in a few words.
  package var message: String?
  /// The advice.
  package var advice: String?
  /// The moment from which the network can be asked again.
  package var until: Date?
  package var brokenItems = 0
  package var notes: [String] = []

  package init(_ ending: Ending) {
    switch ending {
    case .completed(let notes):
      name = .completed
      self.notes = notes
    case .skipped(let reason, _):
      name = .skipped
      message = reason
    case .partial(let brokenItems, let reason, let failure, let notes):
      name = .partial
      status = failure?.status
      advice = failure?.advice
      until = failure?.until
      self.brokenItems = brokenItems
      self.notes = notes
      let parts = [reason, failure?.message].compactMap(\.self)
      message = parts.isEmpty ? nil : parts.joined(separator: ": ")
    case .rateLimited(let until, let failure):
      name = .rateLimited
      status = failure.status
      message = failure.message
      advice = failure.advice
      self.until = until
    case .failed(let failure):
      name = .failed
      status = failure.status
      message = failure.message
      advice = failure.advice
      until = failure.until
    case .cancelled:
      name = .cancelled
    }
  }
}
