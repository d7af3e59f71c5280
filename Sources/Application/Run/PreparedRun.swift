internal import Printing
package import SearchEngine
package import SearchModel

/// Everything that a run needs before it sends a request.
package struct PreparedRun: Sendable {
  package let settings: RunSettings
  /// The name by which `--retry-failed` finds the run; nil for a watch.
  let name: String?
  /// The number of its queries.
  let queryCount: Int
  /// True if a query names no sources, so that those are asked that are asked by default.
  private let asksDefaultSources: Bool
  /// The alerts of the run. Made here, so that nothing holds the queries while it runs.
  let alerts: AlertRules
  /// One search for each query, source and server.
  package let plan: [PlannedSearch]
  /// The part of a plan that this one is; nil for all of it.
  let part: PlanPart?
  /// The filters of the run, as they were written. Memories of searches are kept for each of them.
  let filter: String
  /// A line for each thing that is left out or probably a mistake.
  package let warnings: [String]
  /// The receivers of new posts; nil for none.
  let delivery: Delivery?
  /// The networks that can be asked.
  private let networks: [SourceName]

  package init(
    settings: RunSettings, name: String? = nil, queries: [RunQuery], plan: [PlannedSearch],
    part: PlanPart? = nil, filter: String, warnings: [String], delivery: Delivery?,
    networks: [SourceName]
  ) {
    self.settings = settings
    self.name = name
    queryCount = queries.count
    asksDefaultSources = queries.contains { $0.sources == nil }
    alerts = AlertRules(queries.asRaw(settings.search.isRaw), settings)
    self.plan = plan
    self.part = part
    self.filter = filter
    self.warnings = warnings
    self.delivery = delivery
    self.networks = networks
  }

  /// The line that counts the networks that are not asked, for somebody who left the choice to us; nil
  /// when all are asked.
  ///
  /// Where no person reads it, only searches that the plan has left out are worth a line.
  package func hint(in surroundings: Surroundings) -> String? {
    guard !settings.reports.isQuiet, settings.search.sources == nil, asksDefaultSources else {
      return nil
    }
    var asked: Set<SourceName> = []
    var skipped: Set<SourceName> = []
    for planned in plan {
      switch planned {
      case .ask, .stored: asked.insert(planned.source)
      case .skip: skipped.insert(planned.source)
      }
    }
    guard surroundings.errorScreen != nil || !skipped.isEmpty else { return nil }
    let none = networks.count { !asked.contains($0) }
    let some = skipped.intersection(asked).count
    let parts = [
      none == 0 ? nil : "\(Plural.count(none, "network")) not searched",
      some == 0 ? nil : "\(Plural.count(some, "network")) not searched for every tag (-v)",
    ].compactMap(\.self)
    return parts.isEmpty ? nil : "\(parts.joined(separator: ", ")); see 'searchagg sources'"
  }
}
