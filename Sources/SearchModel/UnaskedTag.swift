/// A tag that no source could be asked for, as all of its searches were skipped: a failure of the tag,
/// though no search failed.
package struct UnaskedTag: Hashable, Sendable {
  package var tag: String
  /// Whether a credential would have let at least one of the sources be asked.
  package var needsCredential: Bool
}

extension [SearchOutcome] {
  /// The tags that no source could be asked for, in the order of their outcomes.
  package var unaskedTags: [UnaskedTag] {
    // Millions of outcomes may be there, and as a rule none of them is skipped.
    guard contains(where: \.isSkipped) else { return [] }
    var asked: Set<String> = []
    for outcome in self where !outcome.isSkipped { asked.insert(outcome.tag) }
    var tags: [UnaskedTag] = []
    var indices: [String: Int] = [:]
    for outcome in self where outcome.isSkipped && !asked.contains(outcome.tag) {
      let index = indices[outcome.tag] ?? tags.endIndex
      if index == tags.endIndex {
        indices[outcome.tag] = index
        tags.append(UnaskedTag(tag: outcome.tag, needsCredential: false))
      }
      if case .skipped(_, needsCredential: true) = outcome.ending {
        tags[index].needsCredential = true
      }
    }
    return tags
  }
}

extension SearchOutcome {
  fileprivate var isSkipped: Bool { if case .skipped = ending { true } else { false } }
}
