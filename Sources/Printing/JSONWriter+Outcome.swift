internal import SearchModel
internal import TextFormats

extension JSONWriter {
  /// Writes how a search ended as an object, its keys in the order of the contract.
  mutating func outcome(_ outcome: SearchOutcome) {
    let details = OutcomeDetails(outcome.ending)
    beginObject()
    member("tag", outcome.tag)
    member("source", outcome.source.rawValue)
    member("server", outcome.server?.text)
    member("outcome", details.name.rawValue)
    member("status", details.status)
    member("message", details.message)
    member("advice", details.advice)
    member("until", details.until)
    if details.brokenItems > 0 { member("broken_items", details.brokenItems) }
    member("notes", details.notes)
    endObject()
  }
}
