package import FoundationEssentials
package import SearchModel

/// How a search ended, taken apart into what both people and programs are told.
package struct OutcomeDetails: Hashable {
  package let name: OutcomeName
  /// The HTTP status, where there was one.
  package var status: Int?
  /// What happened.
  package var message: String?
  /// What to do about it.
  package var advice: String?
  /// When the network can be asked again.
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
