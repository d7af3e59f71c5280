internal import PostHistory

/// Deletes what no run has come back to since a date, within the caller's transaction.
struct Pruning {
  /// The number of posts that are deleted at once.
  static let part = 2000
  private static let day: Int64 = 86_400_000
  private static let hour: Int64 = 3_600_000

  private let connection: PostgresConnection
  private let date: Milliseconds

  init(connection: PostgresConnection, before date: Milliseconds) {
    self.connection = connection
    self.date = date
  }

  /// Deletes the oldest posts that were both written and fetched before the date; returns how many. Posts
  /// that another run is about to mark, or has fetched meanwhile, are left for later.
  func prunePosts(atMost limit: Int) throws -> Int {
    let old = try connection.all(
      """
      SELECT \(StoredPost.columns) FROM post
      JOIN identity ON identity.id = post.id AND identity.fetched = post.fetched
      WHERE post.place < $1 AND post.fetched < $1 ORDER BY post.place LIMIT $2
      FOR UPDATE OF identity SKIP LOCKED
      """, .integer(date.count), .integer(Int64(limit))
    ) { try StoredPost($0) }.compactMap(\.self)
    guard !old.isEmpty else { return 0 }
    try PostTable(connection: connection).delete(old)
    try IdentityTable(connection: connection).release(old)
    return old.count
  }

  /// The pruning of every run: once a day, some posts at a time, and by one run at a time.
  static func pruneDaily(
    _ batch: RunBatch, in connection: PostgresConnection, key: FingerprintKey
  ) throws {
    let now = Milliseconds(batch.now)
    let last = try Chore.fetched.value(in: connection)
    if let date = batch.prunesBefore.map({ Milliseconds($0) }),
      try Chore.pruning.value(in: connection) != now.count / day,
      try connection.first(
        "SELECT pg_try_advisory_xact_lock(7310575218659814760) AS free",
        row: { try $0.bool("free") }) == true
    {
      // The time by which the clock is more than a day ahead of the last commit: it may have jumped, so
      // that it does not count.
      let lead = last == 0 ? 0 : max(0, now.count - (last + day))
      let bound = Milliseconds(count: date.count - lead)
      try RunNotesTable(connection: connection, key: key).prune(before: bound)
      let pruning = Pruning(connection: connection, before: FetchDate.start(of: bound))
      let count = try pruning.prunePosts(atMost: part)
      // What is left is for the next runs.
      if count < part { try Chore.pruning.set(to: now.count / day, in: connection) }
    }
    // Seldom, so that commits need not wait for one another here.
    if last == 0 || abs(now.count - last) > hour {
      try Chore.fetched.set(to: now.count, in: connection)
    }
  }
}
