package import FoundationEssentials
internal import SearchModel
package import SearchSources

extension SearchEngine {
  /// What a run would ask each search of a plan for first; nil in the place of those that it skips.
  package static func firstPages(
    of plan: [PlannedSearch], limits: RunLimits, now: Date
  ) -> [PageRequest?] {
    let state = RunState(plan: plan, limits: limits, now: now)
    return plan.enumerated().map { index, planned in
      guard case .ask(let search) = planned else { return nil }
      return state.firstPage(index, of: search)
    }
  }
}
