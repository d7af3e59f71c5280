internal import FoundationEssentials
internal import PostHistory
internal import SearchModel

/// The SQL that answers a query of the history: it finds every post that matches, and perhaps others,
/// newest first; the filter that every store uses leaves the others out.
struct SharedQuery {
  private let condition: String
  private let values: [PostgresValue]
  private let filter: HistoryFilter
  private let includesPrivate: Bool

  /// - Parameter isAhead: Whether to find only the posts that were dated after they were fetched, or only the others;
  ///   nil for all.
  init(_ query: HistoryQuery, isAhead: Bool? = nil) {
    filter = HistoryFilter(query)
    includesPrivate = query.includesPrivate
    var conditions: [String] = []
    var values: [PostgresValue] = []
    func parameter(_ value: PostgresValue) -> String {
      values.append(value)
      return "$\(values.count)"
    }
    for alternatives in PostTokens.sought(by: query) {
      let parts = alternatives.map { "post.words @> \(parameter(.texts($0)))" }
      conditions.append("(\(parts.joined(separator: " OR ")))")
    }
    if !query.sources.isEmpty {
      let names = parameter(.texts(query.sources.map(\.rawValue)))
      conditions.append("post.source = ANY(\(names))")
    }
    if let isAhead {
      conditions.append("post.place \(isAhead ? "=" : "<>") \(PostDraft.ahead)")
    }
    if let since = query.since {
      // A millisecond less and more: the filter has the last word.
      conditions.append(
        "(post.place >= \(parameter(.integer(Milliseconds(since).count - 1))) "
          + "OR post.place = \(PostDraft.ahead))")
    }
    if let until = query.until {
      conditions.append("post.place <= \(parameter(.integer(Milliseconds(until).count + 1)))")
    }
    if !query.tags.isEmpty {
      conditions.append(
        """
        EXISTS (
          SELECT FROM mark JOIN search ON search.id = mark.search
          WHERE mark.post = post.id AND mark.kept AND search.tag = ANY(\(parameter(.texts(query.tags)))))
        """)
    }
    let all = conditions.isEmpty ? "" : "WHERE \(conditions.joined(separator: " AND "))"
    condition = "\(all) ORDER BY post.place DESC, post.id DESC"
    self.values = values
  }

  /// Calls `body` with each post that matches, newest first, until it returns false.
  ///
  /// - Parameter columns: Further columns of each row.
  /// - Returns: The number of posts that were left out since they are not for everyone.
  func walk(
    _ connection: PostgresConnection, columns: String = "",
    _ body: (StoredPost, borrowing PostgresRow) throws -> Bool
  ) throws -> Int {
    var leftOut = 0
    try PostTable(connection: connection).walk(condition, values, columns: columns) { stored, row in
      guard filter.passes(stored.post) else { return true }
      guard includesPrivate || stored.post.isOpen else {
        leftOut += 1
        return true
      }
      return try body(stored, row)
    }
    return leftOut
  }
}
