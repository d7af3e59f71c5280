package import SearchModel

/// How much the searches of one run may cost, by source, each in its network's own unit.
package struct CostBounds: Hashable, Sendable {
  /// The bound of each source that has none of its own; nil for no bound.
  package var general: Int?
  package var bySource: [SourceName: Int]

  package init(general: Int? = nil, bySource: [SourceName: Int] = [:]) {
    self.general = general
    self.bySource = bySource
  }

  package func bound(for source: SourceName) -> Int? { bySource[source] ?? general }
}
