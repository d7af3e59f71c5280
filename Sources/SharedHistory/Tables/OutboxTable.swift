internal import FoundationEssentials
internal import PostHistory

/// The table of the outbox.
struct OutboxTable {
  private static let columns = "id, token, receiver, lines, created, taken, failures, retry"

  let connection: PostgresConnection

  /// Adds batches, each of which has its token: one that is there already, since the answer to an earlier
  /// commit was lost, is not added again.
  func insert(_ batches: [OutboxBatch]) throws {
    for batch in batches {
      try connection.run(
        """
        INSERT INTO outbox (token, receiver, lines, created, taken, failures)
        VALUES ($1, $2, $3, $4, 0, 0) ON CONFLICT (token) DO NOTHING
        """, .text(batch.token), .text(batch.receiver), .text(batch.lines), .date(batch.created))
    }
  }

  func oldest(for receiver: String) throws -> OutboxBatch? {
    try connection.first(
      "SELECT \(Self.columns) FROM outbox WHERE receiver = $1 ORDER BY id LIMIT 1",
      .text(receiver), row: Self.batch)
  }

  func all(before date: Date) throws -> [OutboxBatch] {
    try connection.all(
      "SELECT \(Self.columns) FROM outbox WHERE created < $1 ORDER BY id", .date(date),
      row: Self.batch)
  }

  func update(_ batch: OutboxBatch) throws {
    try connection.run(
      "UPDATE outbox SET taken = $2, failures = $3, retry = $4 WHERE id = $1",
      .integer(batch.id), .integer(Int64(batch.taken)), .integer(Int64(batch.failures)),
      .date(batch.retry))
  }

  func remove(_ batch: OutboxBatch) throws {
    try connection.run("DELETE FROM outbox WHERE id = $1", .integer(batch.id))
  }

  /// Removes posts from all batches; returns the identities of those that were there.
  ///
  /// - Parameter remove: Returns what is left of a batch, and the identities of the posts that it has removed.
  func removePosts(
    by remove: (OutboxBatch) -> (rest: OutboxBatch, removed: Set<String>)
  ) throws -> Set<String> {
    var removed: Set<String> = []
    for id in try connection.all("SELECT id FROM outbox ORDER BY id", row: { try $0.integer("id") })
    {
      let batch = try connection.first(
        "SELECT \(Self.columns) FROM outbox WHERE id = $1 FOR UPDATE", .integer(id),
        row: Self.batch)
      guard let (rest, posts) = batch.map(remove), !posts.isEmpty else { continue }
      removed.formUnion(posts)
      guard !rest.lines.isEmpty else {
        try self.remove(rest)
        continue
      }
      try connection.run(
        "UPDATE outbox SET lines = $2, taken = $3 WHERE id = $1", .integer(id),
        .text(rest.lines), .integer(Int64(rest.taken)))
    }
    return removed
  }

  private static func batch(_ row: borrowing PostgresRow) throws -> OutboxBatch {
    var batch = OutboxBatch(
      id: try row.integer("id"), receiver: try row.text("receiver"), lines: try row.text("lines"),
      created: try row.knownDate("created"))
    batch.token = try row.text("token")
    batch.taken = Int(try row.integer("taken"))
    batch.failures = Int(try row.integer("failures"))
    batch.retry = try row.date("retry")
    return batch
  }
}
