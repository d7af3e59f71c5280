package import FoundationEssentials

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
  /// Pages of one search, as a guard against a cursor without an end.
  package var pages: Int

  package init(
    since: Date? = nil, until: Date? = nil, perLane: Int = 4, timeout: Duration = .seconds(20),
    retries: Int = 2, longest: Duration? = nil, pages: Int = 1000
  ) {
    self.since = since
    self.until = until
    self.perLane = perLane
    self.timeout = timeout
    self.retries = retries
    self.longest = longest
    self.pages = pages
  }
}
