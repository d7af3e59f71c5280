package import SearchModel

/// What a run has found, in plan order whatever order the answers came in.
package struct Findings: Sendable {
  package var found: [FoundPosts]
  package var outcomes: [SearchOutcome]
  /// What the run's filter left out.
  package var excluded: FilterTally

  package init(
    found: [FoundPosts] = [], outcomes: [SearchOutcome] = [], excluded: FilterTally = FilterTally()
  ) {
    self.found = found
    self.outcomes = outcomes
    self.excluded = excluded
  }

  /// Whether posts may be missing: a search did not end whole, or no source could be asked for a tag.
  package var isIncomplete: Bool {
    outcomes.contains(where: \.ending.isIncomplete) || !outcomes.unaskedTags.isEmpty
  }
}
