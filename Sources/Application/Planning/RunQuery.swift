package import QueuedHTTP
package import SearchModel
package import TagStorage

/// A query to search for: a stored tag, or one from the command line.
package struct RunQuery: Sendable {
  package var query: Query
  /// Its own sources; nil for those asked by default.
  package var sources: [SourceName]?
  package var priority: RequestPriority = .normal
  /// The most posts of one of its searches; nil for the run's own setting.
  package var limit: Int?
  /// The longest time that it is expected to go without a post, in seconds; nil for the run's own setting.
  package var expectWithin: Double?

  package init(
    query: Query, sources: [SourceName]? = nil, priority: RequestPriority = .normal,
    limit: Int? = nil, expectWithin: Double? = nil
  ) {
    self.query = query
    self.sources = sources
    self.priority = priority
    self.limit = limit
    self.expectWithin = expectWithin
  }
}

extension [RunQuery] {
  /// Returns the queries in each network's own syntax if `isRaw` is true.
  package func asRaw(_ isRaw: Bool) -> [RunQuery] { isRaw ? map { $0.asRaw(true) } : self }
}

extension RunQuery {
  /// Returns the query in each network's own syntax if `isRaw` is true.
  package func asRaw(_ isRaw: Bool) -> RunQuery {
    guard isRaw else { return self }
    var copy = self
    copy.query = query.raw
    return copy
  }

  /// A stored tag.
  package init(_ tag: SearchTag) {
    let tag = tag.unpacked
    let priority: RequestPriority =
      switch tag.priority {
      case .high: .high
      case .low: .low
      case .normal, nil: .normal
      }
    self.init(
      query: tag.query, sources: tag.sources, priority: priority, limit: tag.limit,
      expectWithin: tag.expectWithin?.seconds)
  }
}
