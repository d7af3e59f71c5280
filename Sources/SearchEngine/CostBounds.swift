package import SearchModel

/// The bounds on the cost of a run by source, each in its network's own unit.
package struct CostBounds: Hashable, Sendable {
  /// The bound of sources that are not in `bySource`; nil for their defaults.
  package var general: Int?
  package var bySource: [SourceName: Int]
  /// The costs that count already, such as those of earlier rounds of a watch.
  package var spent: [SourceName: Int] = [:]
  /// The time that a default bound is for, in messages.
  package var period = "run"

  package init(general: Int? = nil, bySource: [SourceName: Int] = [:]) {
    self.general = general
    self.bySource = bySource
  }

  package func bound(for source: SourceName) -> Int? { bySource[source] ?? general }
}
