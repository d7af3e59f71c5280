package import SearchEngine

/// Everything that a run needs before it asks anybody.
package struct PreparedRun: Sendable {
  package let settings: RunSettings
  package let queries: [RunQuery]
  /// One search for each query, source and server.
  package let plan: [PlannedSearch]
  /// The filters of the run, as they were written: what is known of a search is known under these.
  package let filter: String
  /// A line for each thing that is left out or probably a mistake.
  package let warnings: [String]
  /// The receivers of new posts; nil for none.
  package let delivery: Delivery?

  package init(
    settings: RunSettings, queries: [RunQuery], plan: [PlannedSearch], filter: String,
    warnings: [String], delivery: Delivery?
  ) {
    self.settings = settings
    self.queries = queries
    self.plan = plan
    self.filter = filter
    self.warnings = warnings
    self.delivery = delivery
  }
}
