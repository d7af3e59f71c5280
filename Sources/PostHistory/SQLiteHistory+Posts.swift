package import FoundationEssentials
internal import GRDB
package import SearchModel

/// Searching, counting and deleting posts.
extension SQLiteHistory {
  /// May return more than the limit, where their order among the newest is not exact: a merge decides.
  package func posts(matching query: HistoryQuery) throws(HistoryError) -> [Post] {
    try read { database in
      var found: [Post] = []
      // The second of the last post within the limit, once there are as many.
      var last: Int64?
      try visit(query, in: database) { stored in
        if let limit = query.limit, found.count >= limit {
          guard PostNumber.isDated(stored.number) else { return false }
          last = last ?? Self.second(of: limit, newestOf: found)
          // A post may be older than its number says, so the order within the limit is only certain
          // once the numbers are past it.
          if let last, PostNumber.second(of: stored.number) < last { return false }
        }
        var post = stored.post
        post.tags = try stored.tags(in: database)
        found.append(post)
        return true
      }
      return found
    }
  }

  /// The second of the N-th newest of some posts; nil where fewer are dated.
  private static func second(of limit: Int, newestOf posts: [Post]) -> Int64? {
    posts.compactMap { $0.createdAt.map { Milliseconds($0).second } }.sorted(by: >)
      .dropFirst(limit - 1).first
  }

  package func statistics(
    of query: HistoryQuery, zone: (Date) -> String
  ) throws(HistoryError) -> HistoryStatistics {
    try read { database in
      var statistics = HistoryStatistics()
      try visit(query, in: database) { stored in
        statistics.posts += 1
        statistics.days[stored.post.createdAt.map(zone) ?? "undated", default: 0] += 1
        statistics.networks[stored.post.source.rawValue, default: 0] += 1
        if !stored.post.author.handle.isEmpty {
          statistics.authors[stored.post.author.handle, default: 0] += 1
        }
        return true
      }
      return statistics
    }
  }

  /// Calls `body` with each post that matches, newest first by their numbers, until it returns false.
  private func visit(
    _ query: HistoryQuery, in database: Database, _ body: (StoredPost) throws -> Bool
  ) throws {
    let plan = try HistoryPlan(query, shift: Chore.shift.value(in: database))
    let rows = try Row.fetchCursor(database, sql: plan.sql, arguments: plan.arguments)
    while let row = try rows.next() {
      guard let stored = StoredPost(row), plan.filter.passes(stored.post) else { continue }
      if !query.tags.isEmpty {
        guard try stored.tags(in: database).contains(where: query.tags.contains) else { continue }
      }
      guard try body(stored) else { return }
    }
  }

  package func earlierTexts(of identity: PostIdentity) throws(HistoryError) -> [String] {
    try read { database in
      let bodies = try String.fetchAll(
        database,
        sql: """
          SELECT DISTINCT revision.body, revision.replaced FROM finding
          JOIN source ON source.id = finding.source
          JOIN revision ON revision.post = finding.post
          WHERE finding.uri = ? AND source.name = ? ORDER BY revision.replaced
          """, arguments: [identity.uri, identity.source.rawValue])
      return bodies.compactMap(PostBody.text(inBody:))
    }
  }

  package func delete(_ name: String) throws(HistoryError) -> Int {
    try write { database in
      try database.execute(sql: "PRAGMA secure_delete = ON")
      let stored = try Row.fetchAll(
        database,
        sql: """
          SELECT \(StoredPost.columns) FROM \(StoredPost.tables)
          WHERE post.id IN (SELECT post FROM finding WHERE uri = ?)
            OR json_extract(post.body, '$.i') = ? OR json_extract(post.body, '$.u') = ?
          """, arguments: [name, name, name]
      ).compactMap(StoredPost.init)
      for post in stored { try post.delete(in: database) }
      return stored.count
    }
  }

  package func prune(before date: Date) throws(HistoryError) -> Int {
    try write { try RunTables($0, now: 0).prune(before: date) }
    var count = 0
    // In parts, so that other runs need not wait long.
    while true {
      let pruned = try write { database in
        try Pruning(before: date).prune(atMost: Pruning.part, in: database)
      }
      count += pruned
      if pruned < Pruning.part { return count }
    }
  }
}

/// Deleting posts that were both written and fetched before a date.
struct Pruning {
  static let part = 2000

  let date: Milliseconds

  init(before date: Date) { self.date = Milliseconds(date) }

  /// Returns how many it has deleted.
  func prune(atMost limit: Int, in database: Database) throws -> Int {
    let old = try Row.fetchAll(
      database,
      sql: """
        SELECT \(StoredPost.columns) FROM \(StoredPost.tables)
        WHERE post.id < ? AND post.fetched < ? ORDER BY post.id LIMIT ?
        """,
      arguments: [PostNumber.first(ofSecond: date.second + 1), date.count, limit])
    for row in old {
      if let stored = StoredPost(row) {
        try stored.delete(in: database)
      } else {
        try database.execute(sql: "DELETE FROM post WHERE id = ?", arguments: [row[0] as Int64])
      }
    }
    return old.count
  }
}
