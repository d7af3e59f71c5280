internal import QueuedHTTP
internal import SearchModel
internal import TagStorage

/// A query to be searched: a stored tag, or one from the command line.
struct RunQuery: Sendable {
  var query: Query
  /// The sources that it is asked on; nil for those that are asked by default.
  var sources: [SourceName]?
  var priority: RequestPriority = .normal
  /// The most posts of one of its searches; nil for the run's own setting.
  var limit: Int?
}

extension RunQuery {
  /// The same, in each network's own syntax where that is wanted.
  func asRaw(_ isRaw: Bool) -> RunQuery {
    guard isRaw else { return self }
    var copy = self
    copy.query = query.raw
    return copy
  }

  /// A stored tag.
  init(_ tag: SearchTag) {
    let priority: RequestPriority =
      switch tag.priority {
      case .high: .high
      case .low: .low
      case .normal, nil: .normal
      }
    self.init(query: tag.query, sources: tag.sources, priority: priority, limit: tag.limit)
  }
}
