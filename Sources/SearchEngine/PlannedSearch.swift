package import SearchModel

/// A search that is to be made, or one that is left out with the reason.
package enum PlannedSearch: Sendable {
  case ask(Search)
  case skip(SearchOutcome)
}
