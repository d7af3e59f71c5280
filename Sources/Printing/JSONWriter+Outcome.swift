internal import SearchModel
internal import TextFormats

extension JSONWriter {
  /// Writes how a search ended as an object, its keys in the order of the contract.
  mutating func outcome(_ outcome: borrowing SearchOutcome) {
    beginObject()
    member("tag", outcome.tag)
    member("source", outcome.source.rawValue)
    member("server", outcome.server?.text)
    switch outcome.ending {
    // Thousands may be cancelled at once, and have nothing more to say.
    case .cancelled: member("outcome", OutcomeName.cancelled.rawValue)
    case .completed, .skipped, .partial, .rateLimited, .failed:
      details(OutcomeDetails(outcome.ending))
    }
    member("posts", outcome.posts)
    member("pages", outcome.pages)
    endObject()
  }

  private mutating func details(_ details: OutcomeDetails) {
    member("outcome", details.name.rawValue)
    member("status", details.status)
    member("message", details.message)
    member("advice", details.advice)
    member("until", details.until)
    if details.brokenItems > 0 { member("broken_items", details.brokenItems) }
    member("notes", details.notes)
  }
}
