package import FoundationEssentials
package import SearchModel

/// A question to the history.
package struct HistoryQuery: Hashable, Sendable {
  /// The terms to look for; none match everything.
  package var terms: [QueryTerm]
  /// The networks that count; empty for all.
  package var sources: [SourceName]
  /// The tags of which at least one must have found a post; empty for all.
  package var tags: [String]
  /// Inclusive.
  package var since: Date?
  /// Exclusive.
  package var until: Date?
  /// The most posts to return, the newest; nil for all.
  package var limit: Int?
  /// True if posts match that were not written for everyone.
  package var includesPrivate: Bool
  /// The authors whose posts do not match.
  package var muted: [AuthorName] = []

  package init(
    terms: [QueryTerm] = [], sources: [SourceName] = [], tags: [String] = [], since: Date? = nil,
    until: Date? = nil, limit: Int? = nil, includesPrivate: Bool = false
  ) {
    self.terms = terms
    self.sources = sources
    self.tags = tags
    self.since = since
    self.until = until
    self.limit = limit
    self.includesPrivate = includesPrivate
  }

  /// The same question about all posts, also those that are not for everyone.
  package var ofAll: HistoryQuery {
    var query = self
    (query.includesPrivate, query.limit) = (true, nil)
    return query
  }
}

extension [Post] {
  /// The same posts, newest first, with those that were dated after they were fetched before the undated ones.
  package func with(ahead: [Post]) -> [Post] {
    let dated = prefix { $0.createdAt != nil }
    return dated + ahead + dropFirst(dated.count)
  }
}
