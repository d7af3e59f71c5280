package import SearchEngine
package import SearchModel

/// Everything that a run needs before it asks anybody.
package struct PreparedRun: Sendable {
  package let settings: RunSettings
  /// The name by which `--retry-failed` finds the run; nil for a watch.
  let name: String?
  package let queries: [RunQuery]
  /// One search for each query, source and server.
  package let plan: [PlannedSearch]
  /// The part of a plan that this one is; nil for all of it.
  let part: PlanPart?
  /// The filters of the run, as they were written: what is known of a search is known under these.
  let filter: String
  /// A line for each thing that is left out or probably a mistake.
  package let warnings: [String]
  /// The receivers of new posts; nil for none.
  let delivery: Delivery?
  /// A last line for a person who may not know of all networks.
  package let hint: String?

  package init(
    settings: RunSettings, name: String? = nil, queries: [RunQuery], plan: [PlannedSearch],
    part: PlanPart? = nil, filter: String, warnings: [String], delivery: Delivery?,
    hint: String? = nil
  ) {
    self.settings = settings
    self.name = name
    self.queries = queries
    self.plan = plan
    self.part = part
    self.filter = filter
    self.warnings = warnings
    self.delivery = delivery
    self.hint = hint
  }
}
