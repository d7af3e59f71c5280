package import FoundationEssentials
package import SearchModel

/// Searching, counting and deleting posts.
extension SQLiteHistory {
  /// May return more than the limit if the order of the newest is not exact; a merge decides.
  package func posts(
    matching query: HistoryQuery, leavingOut privatePosts: inout Int
  ) throws(HistoryError) -> [Post] {
    let (found, leftOut) = try readAll { database in
      var found: [Post] = []
      // Those that were dated after they were fetched.
      var ahead: [Post] = []
      let marks = try MarkTable(database)
      // The second of the last post within the limit, once there are as many.
      var last: Int64?
      let leftOut = try visit(query, in: database) { stored in
        var post = stored.post
        let isAhead = !PostNumber.isDated(stored.number) && post.createdAt != nil
        if !isAhead, let limit = query.limit, found.count >= limit {
          guard PostNumber.isDated(stored.number) else { return false }
          last = last ?? Self.second(of: limit, newestOf: found)
          // A post may be older than its number says, so the order within the limit is only certain
          // once the numbers are past it.
          if let last, PostNumber.second(of: stored.number) < last { return false }
        }
        post.tags = try stored.tags(in: marks)
        if isAhead { ahead.append(post) } else { found.append(post) }
        return true
      }
      return (found.with(ahead: ahead), leftOut)
    }
    privatePosts += leftOut
    return found
  }

  /// The second of the N-th newest of some posts; nil where fewer are dated.
  private static func second(of limit: Int, newestOf posts: [Post]) -> Int64? {
    posts.compactMap { $0.createdAt.map { Milliseconds($0).second } }.sorted(by: >)
      .dropFirst(limit - 1).first
  }

  package func statistics(
    of query: HistoryQuery, zone: (Date) -> String
  ) throws(HistoryError) -> HistoryStatistics {
    try readAll { database in
      var statistics = HistoryStatistics()
      statistics.privatePosts = try visit(query, in: database) { stored in
        statistics.add(stored.post, zone: zone)
        return true
      }
      return statistics
    }
  }

  /// Calls `body` with each post that matches, newest first by their numbers, until it returns false.
  ///
  /// - Returns: The number of posts that were left out since they are not for everyone.
  private func visit(
    _ query: HistoryQuery, in database: Database, _ body: (StoredPost) throws -> Bool
  ) throws -> Int {
    var leftOut = 0
    var isOver = false
    let marks = try MarkTable(database)
    for plan in try HistoryPlan.all(for: query, shift: Chore.shift.value(in: database))
    where !isOver {
      try database.each(plan.sql, plan.values) { row in
        guard let stored = try StoredPost(row), plan.filter.passes(stored.post) else { return true }
        if !query.tags.isEmpty {
          guard try stored.tags(in: marks).contains(where: query.tags.contains) else {
            return true
          }
        }
        guard query.includesPrivate || stored.post.isOpen else {
          leftOut += 1
          return true
        }
        isOver = try !body(stored)
        return !isOver
      }
    }
    return leftOut
  }

  package func versions(named name: String) throws(HistoryError) -> [Post] {
    try readAll { database in
      let marks = try MarkTable(database)
      let revisions = RevisionTable(database: database)
      return try PostTable(database: database).all(named: name).flatMap { stored in
        var post = stored.post
        post.tags = try stored.tags(in: marks)
        return [post] + PostBody.earlierVersions(of: post, try revisions.bodies(of: stored.number))
      }
    }
  }

  package func delete(_ name: String) throws(HistoryError) -> Int {
    let count = try deletePosts { database in
      let found = try PostTable(database: database).all(named: name)
      for stored in found { try PostRemoval(database: database).remove(stored) }
      if !found.isEmpty { try WordTable(database: database).rewrite() }
      let waiting = try OutboxTable(database: database)
        .removePosts { $0.without(PostSelection(named: [name])) }
      return max(found.count, waiting.count)
    }
    return max(count, try removeUndelivered(PostSelection(named: [name])).count)
  }

  /// Removes posts, and what the log still holds of them; returns their number, as `body` does.
  private func deletePosts(_ body: (Database) throws -> Int) throws(HistoryError) -> Int {
    let count = try writeOnAll(body)
    if count > 0 { try emptyLog() }
    return count
  }

  package func count(named name: String) throws(HistoryError) -> Int {
    let waiting = try waiting(PostSelection(named: [name]))
    return max(waiting.count, try readAll { try PostTable(database: $0).all(named: name).count })
  }

  package func delete(matching query: HistoryQuery) throws(HistoryError) -> Int {
    let query = query.ofAll
    var names: Set<String> = []
    var others: Set<String> = []
    let count = try deletePosts { database in
      var numbers: [Int64] = []
      _ = try visit(query, in: database) { stored in
        numbers.append(stored.number)
        return true
      }
      let posts = PostTable(database: database)
      for number in numbers {
        guard let stored = try posts.find(number) else { continue }
        try PostRemoval(database: database).remove(stored)
        names.insert(stored.post.uri)
      }
      if !numbers.isEmpty { try WordTable(database: database).rewrite() }
      let selection = PostSelection(named: names, or: query)
      others = try OutboxTable(database: database).removePosts { $0.without(selection) }
        .subtracting(names)
      return numbers.count + others.count
    }
    let given = try removeUndelivered(PostSelection(named: names, or: query))
    return count + given.subtracting(names).subtracting(others).count
  }

  package func count(matching query: HistoryQuery) throws(HistoryError) -> Int {
    let query = query.ofAll
    var (count, names) = (0, Set<String>())
    try readAll { database in
      _ = try visit(query, in: database) { stored in
        count += 1
        names.insert(stored.post.uri)
        return true
      }
    }
    return count + (try waiting(PostSelection(named: [], or: query))).subtracting(names).count
  }

  package func prune(before date: Date) throws(HistoryError) -> Int {
    let date = Milliseconds(date)
    try writeOnAll { try Pruning(database: $0, before: date).pruneRuns() }
    var count = 0
    // In parts, so that other runs need not wait long.
    while true {
      let pruned = try write { database in
        try Pruning(database: database, before: date).prunePosts(atMost: Pruning.part)
      }
      count += pruned
      if pruned < Pruning.part { break }
    }
    while try !write({ try Pruning.rewritePart(in: $0) }) {}
    try emptyLog()
    return count
  }
}

extension StoredPost {
  /// The tags that found it, in their alphabetical order.
  fileprivate func tags(in marks: MarkTable) throws -> [String] {
    let fingerprint = marks.key.fingerprint(of: post)
    var tags: [String] = []
    // A query in the network's own syntax may have the same text as another one.
    for key in try marks.tags(fingerprint, post: number) where tags.last != key.tag {
      tags.append(key.tag)
    }
    return tags
  }
}
