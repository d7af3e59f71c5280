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
  /// The posts that runs since then could not read; nil if they could read everything.
  package var gap: SearchGap?

  package init(
    knownBefore: Date?, readUpTo: Date?, lookedBack: Date? = nil, gap: SearchGap? = nil
  ) {
    self.knownBefore = knownBefore
    self.readUpTo = readUpTo
    self.lookedBack = lookedBack
    self.gap = gap
  }
}

/// Posts after the date up to which all have been read that a run has left to the next one, as it could not read on.
package struct SearchGap: Hashable, Sendable {
  /// The moment of the first run that left them.
  package var since: Date
  /// The date of the newest post that was read then.
  package var top: Date
  /// The date from which on everything up to `top` has been read; nil where the next run reads it again.
  package var end: Date?

  package init(since: Date, top: Date, end: Date? = nil) {
    self.since = since
    self.top = top
    self.end = end
  }
}

/// A run's change of what is remembered about a search and its filter.
package struct MemoryChange: Hashable, Sendable {
  /// The change of the date up to which all posts have been read.
  package enum Reach: Hashable, Sendable {
    case unchanged
    /// A later date, unless another run has read further. A gap before it is closed.
    case forth(to: Date)
    /// An earlier date: a post of that time is still to be printed. A gap is read from there, too.
    case back(to: Date)
    /// A gap after the date, which is the same or a later one.
    case gap(SearchGap, after: Date? = nil)
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

// What the tables of both kinds of state keep of it.
extension MemoryChange.Reach {
  /// The date that it names; nil for none.
  package var date: Date? {
    switch self {
    case .unchanged: nil
    case .gap(_, let begin): begin
    case .forth(let end), .back(let end): end
    }
  }

  /// The gap that it leaves; nil for none.
  package var gap: SearchGap? { if case .gap(let gap, _) = self { gap } else { nil } }

  /// The new values of a gap's columns in SQL, where the row is there already: `gap_since = …, gap_end = …`.
  package var gapAssignments: String {
    ["gap_since", "gap_end", "gap_top"].map { column in
      let value =
        switch self {
        case .unchanged: "reach.\(column)"
        // Another run may have left one behind what this one has read.
        case .forth: "CASE WHEN reach.gap_end > excluded.read_to THEN reach.\(column) END"
        case .back: "NULL"
        case .gap: "excluded.\(column)"
        }
      return "\(column) = \(value)"
    }.joined(separator: ", ")
  }
}

extension SearchGap {
  /// Reads the columns of a row; nil for none.
  package init?(since: Date?, end: Date?, top: Date?) {
    guard let since, let top else { return nil }
    self.init(since: since, top: top, end: end)
  }
}
