package import FoundationEssentials

/// The memory that earlier runs have of a search.
package struct SearchMemory: Hashable, Sendable {
  /// The name of the filter that leaves nothing out, under which earlier versions remembered everything.
  package static let noFilter = "{}"

  /// Posts dated before are not new, because the first run of the search began later; nil if all are.
  package var knownBefore: Date?
  /// The date up to which all posts have been read that pass the filter; nil where there is a gap since
  /// the beginning.
  package var readUpTo: Date?
  /// The moment of the last run that looked for posts that had arrived late; nil if none did.
  package var lookedBack: Date?

  package init(knownBefore: Date?, readUpTo: Date?, lookedBack: Date? = nil) {
    self.knownBefore = knownBefore
    self.readUpTo = readUpTo
    self.lookedBack = lookedBack
  }
}

/// A run's change of what is remembered about a search and its filter.
package struct MemoryChange: Hashable, Sendable {
  /// The change of the date up to which all posts have been read.
  package enum Reach: Hashable, Sendable {
    case unchanged
    /// A later date, unless another run has read further.
    case forth(to: Date)
    /// An earlier date: a post of that time is still to be printed.
    case back(to: Date)
  }

  /// Posts dated before are not new. It counts for the first run of a search only.
  package var knownBefore: Date?
  package var reach: Reach
  /// The moment of a run that looked for posts that had arrived late.
  package var lookedBack: Date?

  package init(
    knownBefore: Date? = nil, reach: Reach = .unchanged, lookedBack: Date? = nil
  ) {
    self.knownBefore = knownBefore
    self.reach = reach
    self.lookedBack = lookedBack
  }
}
