package import FoundationEssentials
package import PostHistory
package import SearchModel

/// Searching, counting and deleting posts.
extension SharedHistory {
  package func posts(
    matching query: HistoryQuery, leavingOut privatePosts: inout Int
  ) throws(HistoryError) -> [Post] {
    let (found, leftOut) = try read { connection in
      var ahead: [Post] = []
      var found: [Post] = []
      func add(_ stored: StoredPost, _ row: borrowing PostgresRow, to posts: inout [Post]) throws {
        var post = stored.post
        post.tags = try StoredPost.tags(in: row)
        posts.append(post)
      }
      // Few posts were dated after they were fetched, and by now they may be newer than all others.
      var leftOut = try SharedQuery(query, isAhead: true)
        .walk(connection, columns: StoredPost.tags) { stored, row in
          try add(stored, row, to: &ahead)
          return true
        }
      leftOut += try SharedQuery(query, isAhead: false)
        .walk(connection, columns: StoredPost.tags) { stored, row in
          try add(stored, row, to: &found)
          return query.limit.map { found.count < $0 } ?? true
        }
      return (found.with(ahead: ahead), leftOut)
    }
    privatePosts += leftOut
    return found
  }

  package func statistics(
    of query: HistoryQuery, zone: (Date) -> String
  ) throws(HistoryError) -> HistoryStatistics {
    try read { connection in
      var statistics = HistoryStatistics()
      statistics.privatePosts = try SharedQuery(query).walk(connection) { stored, _ in
        statistics.add(stored.post, zone: zone)
        return true
      }
      return statistics
    }
  }

  package func versions(named name: String) throws(HistoryError) -> [Post] {
    try read { connection in
      let table = PostTable(connection: connection)
      var found: [(number: Int64, post: Post)] = []
      let token = PostDraft.token(ofName: name, key: key)
      let condition = "WHERE words @> $1"
      try table.walk(condition, [.texts([token])], columns: StoredPost.tags) { stored, row in
        var post = stored.post
        guard [post.uri, post.id, post.url].contains(name) else { return true }
        post.tags = try StoredPost.tags(in: row)
        found.append((stored.number, post))
        return true
      }
      return try found.flatMap { number, post in
        [post] + PostBody.earlierVersions(of: post, try table.earlierBodies(of: number))
      }
    }
  }

  package func delete(_ name: String) throws(HistoryError) -> Int {
    let count = try write { connection in
      let found = try posts(named: name, in: connection)
      try remove(found, in: connection)
      let waiting = try OutboxTable(connection: connection)
        .removePosts { $0.without(PostSelection(named: [name])) }
      return max(found.count, waiting.count)
    }
    return max(count, try removeUndelivered(PostSelection(named: [name])).count)
  }

  package func count(named name: String) throws(HistoryError) -> Int {
    let waiting = try waiting(PostSelection(named: [name]))
    return max(waiting.count, try read { try posts(named: name, in: $0).count })
  }

  /// The posts with an identifier, `uri` or page address.
  private func posts(named name: String, in connection: PostgresConnection) throws -> [StoredPost] {
    try PostTable(connection: connection).all(withToken: PostDraft.token(ofName: name, key: key))
      .filter { [$0.post.uri, $0.post.id, $0.post.url].contains(name) }
  }

  package func delete(matching query: HistoryQuery) throws(HistoryError) -> Int {
    let query = query.ofAll
    let plan = SharedQuery(query)
    let (count, names) = try write { connection in
      var found: [StoredPost] = []
      _ = try plan.walk(connection) { stored, _ in
        found.append(stored)
        return true
      }
      try remove(found, in: connection)
      let names = Set(found.map(\.post.uri))
      let selection = PostSelection(named: names, or: query)
      let others = try OutboxTable(connection: connection).removePosts { $0.without(selection) }
        .subtracting(names)
      return (found.count + others.count, names.union(others))
    }
    let given = try removeUndelivered(PostSelection(named: names, or: query))
    return count + given.subtracting(names).count
  }

  package func count(matching query: HistoryQuery) throws(HistoryError) -> Int {
    let query = query.ofAll
    let (count, names) = try read { connection in
      var (count, names) = (0, Set<String>())
      _ = try SharedQuery(query).walk(connection) { stored, _ in
        count += 1
        names.insert(stored.post.uri)
        return true
      }
      return (count, names)
    }
    return count + (try waiting(PostSelection(named: [], or: query))).subtracting(names).count
  }

  /// Deletes posts; that they were printed stays known.
  private func remove(_ posts: [StoredPost], in connection: PostgresConnection) throws {
    let identities = IdentityTable(connection: connection)
    try identities.hold(posts.map(\.number))
    try PostTable(connection: connection).delete(posts)
    try identities.release(posts)
  }

  package func unprinted(_ posts: [Post]) throws(HistoryError) -> [Post] {
    let printed = try write { connection in
      // A worker that is printing some of them has locked these.
      let (printed, held) = try hold(posts, of: [], in: connection)
      // Most are not kept yet, and may never be.
      try IdentityTable(connection: connection)
        .deleteUnmarked(held.posts.values.filter { $0.fetched == nil }.map(\.number))
      return printed
    }
    return posts.filter { !printed.contains(PostIdentity($0)) }
  }

  /// Locks searches and posts until the transaction ends; returns the posts that were printed, too.
  func hold(
    _ posts: [Post], of searches: Set<SearchKey>, in connection: PostgresConnection
  ) throws -> (printed: Set<PostIdentity>, held: HeldRows) {
    var held = HeldRows()
    held.searches = try SearchTable(connection: connection, key: key).hold(searches)
    let fingerprints = Dictionary(
      posts.map { PostIdentity($0) }.map { ($0, key.fingerprint(of: $0)) }
    ) { $1 }
    guard !fingerprints.isEmpty else { return ([], held) }
    held.posts = try IdentityTable(connection: connection).hold(Set(fingerprints.values))
    // Read after they are locked: others may have printed some until then.
    let printed = try MarkTable(connection: connection)
      .printed(among: held.posts.values.map(\.number))
    let found = fingerprints.filter { fingerprint in
      held.posts[fingerprint.value].map { printed.contains($0.number) } ?? false
    }
    return (Set(found.keys), held)
  }

  package func prune(before date: Date) throws(HistoryError) -> Int {
    let date = Milliseconds(date)
    try write { try RunNotesTable(connection: $0, key: key).prune(before: date) }
    var count = 0
    // In parts, so that other runs need not wait long.
    while true {
      let pruned = try write { connection in
        try Pruning(connection: connection, before: date).prunePosts(atMost: Pruning.part)
      }
      count += pruned
      if pruned < Pruning.part { break }
    }
    return count
  }
}
