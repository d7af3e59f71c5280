internal import FoundationEssentials

/// The table of the outbox.
struct OutboxTable {
  static let schema = """
    CREATE TABLE outbox (
      id INTEGER PRIMARY KEY AUTOINCREMENT, receiver TEXT NOT NULL, lines TEXT NOT NULL,
      created INTEGER NOT NULL, taken INTEGER NOT NULL, failures INTEGER NOT NULL, retry INTEGER);
    CREATE INDEX outbox_receiver ON outbox (receiver, id);
    """

  /// Adds the column of tokens, and a token to each batch.
  static let tokens = """
    ALTER TABLE outbox ADD COLUMN token TEXT NOT NULL DEFAULT '';
    UPDATE outbox SET token = lower(hex(randomblob(16)));
    """

  private static let columns = "id, receiver, lines, created, taken, failures, retry, token"

  let database: Database

  func insert(_ batches: [OutboxBatch]) throws {
    for batch in batches {
      try database.run(
        """
        INSERT INTO outbox (receiver, lines, created, taken, failures, token)
        VALUES (:receiver, :lines, :created, 0, 0, lower(hex(randomblob(16))))
        """,
        [
          ":receiver": .text(batch.receiver), ":lines": .text(batch.lines),
          ":created": .date(batch.created),
        ])
    }
  }

  func oldest(for receiver: String) throws -> OutboxBatch? {
    try database.first(
      "SELECT \(Self.columns) FROM outbox WHERE receiver = :receiver ORDER BY id LIMIT 1",
      [":receiver": .text(receiver)], Self.batch)
  }

  func all(before date: Date) throws -> [OutboxBatch] {
    try database.all(
      "SELECT \(Self.columns) FROM outbox WHERE created < :date ORDER BY id",
      [":date": .date(date)], Self.batch)
  }

  func update(_ batch: OutboxBatch) throws {
    try database.run(
      """
      UPDATE outbox SET taken = :taken, failures = :failures, retry = :retry WHERE id = :id
      """,
      [
        ":taken": .integer(Int64(batch.taken)), ":failures": .integer(Int64(batch.failures)),
        ":retry": .date(batch.retry), ":id": .integer(batch.id),
      ])
  }

  func remove(_ batch: OutboxBatch) throws {
    try database.run("DELETE FROM outbox WHERE id = :id", [":id": .integer(batch.id)])
  }

  /// Removes posts from all batches; returns the identities of those that were there.
  ///
  /// - Parameter remove: Returns what is left of a batch, and the identities of the posts that it has removed.
  func removePosts(
    by remove: (OutboxBatch) -> (rest: OutboxBatch, removed: Set<String>)
  ) throws -> Set<String> {
    var removed: Set<String> = []
    for id in try database.all("SELECT id FROM outbox ORDER BY id", [:], { try $0.integer("id") }) {
      let batch = try database.first(
        "SELECT \(Self.columns) FROM outbox WHERE id = :id", [":id": .integer(id)], Self.batch)
      guard let batch else { continue }
      let (rest, posts) = remove(batch)
      guard !posts.isEmpty else { continue }
      removed.formUnion(posts)
      guard !rest.lines.isEmpty else {
        try self.remove(batch)
        continue
      }
      try database.run(
        "UPDATE outbox SET lines = :lines, taken = :taken WHERE id = :id",
        [
          ":lines": .text(rest.lines), ":taken": .integer(Int64(rest.taken)),
          ":id": .integer(id),
        ])
    }
    return removed
  }

  private static func batch(_ row: borrowing Row) throws -> OutboxBatch {
    var batch = OutboxBatch(
      id: try row.integer("id"), receiver: try row.text("receiver"), lines: try row.text("lines"),
      created: try row.knownDate("created"))
    batch.taken = Int(try row.integer("taken"))
    batch.failures = Int(try row.integer("failures"))
    batch.retry = try row.date("retry")
    batch.token = try row.text("token")
    return batch
  }
}
