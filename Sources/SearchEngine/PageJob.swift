internal import SearchModel
internal import SearchSources

extension PageRequest {
  /// The same page for another search.
  func read(by reader: PageJob.Reader) -> PageRequest {
    var page = self
    page.split = reader.search.split
    page.wanted = reader.wanted
    return page
  }
}

/// One page that is to be asked for now, for one search or for several whose requests are equal.
struct PageJob: Sendable {
  /// A search that reads the page.
  struct Reader: Sendable {
    /// The place of the search in the plan.
    let index: Int
    let search: Search
    /// How many posts the page is wanted to bring; nil for as many as it can.
    let wanted: Int?
  }

  /// The search that the request is made for.
  let asker: Reader
  /// The others, which read the same response.
  let sharers: [Reader]
  /// Where the page begins; nil for the first.
  let cursor: Cursor?

  /// All who read the page, the one that it is asked for first.
  var readers: [Reader] { [asker] + sharers }
}
