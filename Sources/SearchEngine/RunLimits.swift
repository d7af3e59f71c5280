package import FoundationEssentials
package import SearchModel
internal import SearchSources

/// The bounds of a run that hold for all of its searches.
package struct RunLimits: Sendable {
  /// Inclusive.
  package var since: Date?
  /// Exclusive.
  package var until: Date?
  /// How many transfers of one lane run at once.
  package var perLane: Int
  /// The longest that one transfer may take.
  package var timeout: Duration
  /// Further attempts of a request that failed for now.
  package var retries: Int
  /// The longest that the whole run may take; nil for no end.
  package var longest: Duration?
  /// Pages of one search; nil for what suits its source.
  package var pages: Int?
  /// How many posts are wanted of all, the newest; nil for all of them.
  package var newest: Int?
  /// What the run may cost on networks that charge for requests.
  package var costs: CostBounds
  /// What is left out of all that the searches find; such posts do not count against any cap.
  package var filter: PostFilter

  package init(
    since: Date? = nil, until: Date? = nil, perLane: Int = 4, timeout: Duration = .seconds(20),
    retries: Int = 2, longest: Duration? = nil, pages: Int? = nil,
    newest: Int? = nil, costs: CostBounds = CostBounds(), filter: PostFilter = PostFilter()
  ) {
    self.since = since
    self.until = until
    self.perLane = perLane
    self.timeout = timeout
    self.retries = retries
    self.longest = longest
    self.pages = pages
    self.newest = newest
    self.costs = costs
    self.filter = filter
  }

  /// How many pages of a search are asked for at most: there is always a bound, as a guard against a
  /// cursor without an end, and a low one where pages cost money.
  func mostPages(of source: any Source) -> Int {
    pages ?? (source.traits.cost == nil ? 1000 : 10)
  }
}
