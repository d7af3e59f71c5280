internal import SearchModel

/// One page of one search that is to be asked for now.
struct PageJob: Sendable {
  /// The place of the search in the plan.
  let index: Int
  let search: Search
  /// Where the page begins; nil for the first.
  let cursor: Cursor?
  /// How many posts the page is wanted to bring; nil for as many as it can.
  let wanted: Int?
}
