package import SearchModel

/// What a run has found, in plan order whatever order the answers came in.
package struct Findings: Sendable {
  package var found: [FoundPosts]
  package var outcomes: [SearchOutcome]

  package init(found: [FoundPosts] = [], outcomes: [SearchOutcome] = []) {
    self.found = found
    self.outcomes = outcomes
  }

  /// Whether posts may be missing.
  package var isIncomplete: Bool { outcomes.contains { $0.ending.isIncomplete } }
}
