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
  /// The longest wait that a server may ask for; nil for a minute, and none where the server does not
  /// say how long.
  package var maxWait: Duration?
  /// Pages of one search; nil for what suits its source.
  package var pages: Int?
  /// How many posts are wanted of all, the newest; nil for all of them.
  package var newest: Int?
  /// How long searches that could go on wait for those that have not answered, where only the newest
  /// posts are wanted and half of all have answered.
  package var patience: Duration
  /// What the run may cost on networks that charge for requests.
  package var costs: CostBounds
  /// Whether posts that share a link count as one, since they will be joined.
  package var joinsByLink: Bool
  /// Whether posts without a date are kept although the run has a beginning or an end.
  package var keepsUndated: Bool
  /// What is left out of all that the searches find; such posts do not count against any cap.
  package var filter: PostFilter

  package init(
    since: Date? = nil, until: Date? = nil, perLane: Int = 4, timeout: Duration = .seconds(20),
    retries: Int = 2, longest: Duration? = nil, maxWait: Duration? = nil, pages: Int? = nil,
    newest: Int? = nil, patience: Duration = .milliseconds(500),
    costs: CostBounds = CostBounds(), joinsByLink: Bool = false, keepsUndated: Bool = false,
    filter: PostFilter = PostFilter()
  ) {
    self.since = since
    self.until = until
    self.perLane = perLane
    self.timeout = timeout
    self.retries = retries
    self.longest = longest
    self.maxWait = maxWait
    self.pages = pages
    self.newest = newest
    self.patience = patience
    self.costs = costs
    self.joinsByLink = joinsByLink
    self.keepsUndated = keepsUndated
    self.filter = filter
  }

  /// Whether the run takes a sample of each search, and not everything up to a bound.
  var isSample: Bool { newest == nil && since == nil }

  /// Whether a search that ends although there is more has brought less than the run asked for.
  func asksForMore(than search: Search) -> Bool { !isSample || !search.isCapDefault }

  /// How many pages of a search are asked for at most: there is always a bound, as a guard against a
  /// cursor without an end, and a low one where pages cost money or may hold posts of any date.
  func mostPages(of source: any Source, order: PageOrder) -> Int {
    pages ?? (source.traits.cost == nil && order != .unordered ? 1000 : 10)
  }
}
