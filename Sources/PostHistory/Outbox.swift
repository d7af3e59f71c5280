package import FoundationEssentials
internal import GRDB

/// The new posts that runs have printed and not yet passed on to commands and channels.
///
/// A batch is stored in the transaction that marks its posts as printed, and removed after its
/// receiver has taken it: a process that is killed in between leaves it for the next one.
package protocol Outbox {
  /// Returns the oldest batch for a receiver.
  func oldestBatch(for receiver: String) throws(HistoryError) -> OutboxBatch?

  /// Returns the batches from before a date for receivers other than these.
  func batches(before date: Date, except receivers: [String]) throws(HistoryError) -> [OutboxBatch]

  /// Records how much of a batch was taken, and when to try the rest.
  func update(_ batch: OutboxBatch) throws(HistoryError)

  /// Removes a batch that needs nothing more.
  func remove(_ batch: OutboxBatch) throws(HistoryError)
}

/// New posts for one receiver.
package struct OutboxBatch: Hashable, Sendable {
  /// Greater than those of all earlier batches; 0 before it is stored.
  package var id: Int64
  /// The command or the channel.
  package var receiver: String
  /// A line of ndjson for each post, the oldest first.
  package var lines: String
  /// The run's now.
  package var created: Date
  /// The number of lines that the receiver has taken.
  package var taken = 0
  /// The number of attempts that failed.
  package var failures = 0
  /// The earliest time of the next attempt; nil for at once.
  package var retry: Date?

  package init(id: Int64 = 0, receiver: String, lines: String, created: Date) {
    self.id = id
    self.receiver = receiver
    self.lines = lines
    self.created = created
  }
}

/// The table of the outbox.
enum OutboxTable {
  static let schema = """
    CREATE TABLE outbox (
      id INTEGER PRIMARY KEY AUTOINCREMENT, receiver TEXT NOT NULL, lines TEXT NOT NULL,
      created INTEGER NOT NULL, taken INTEGER NOT NULL, failures INTEGER NOT NULL, retry INTEGER);
    CREATE INDEX outbox_receiver ON outbox (receiver, id);
    """

  /// Stores batches within the caller's transaction.
  static func insert(_ batches: [OutboxBatch], in database: Database) throws {
    for batch in batches {
      try database.execute(
        sql: """
          INSERT INTO outbox (receiver, lines, created, taken, failures) VALUES (?, ?, ?, 0, 0)
          """,
        arguments: [batch.receiver, batch.lines, Milliseconds(batch.created).count])
    }
  }

  fileprivate static let columns = "id, receiver, lines, created, taken, failures, retry"

  fileprivate static func batch(_ row: Row) -> OutboxBatch {
    var batch = OutboxBatch(
      id: row[0], receiver: row[1], lines: row[2], created: Milliseconds(count: row[3]).date)
    batch.taken = row[4]
    batch.failures = row[5]
    batch.retry = (row[6] as Int64?).map { Milliseconds(count: $0).date }
    return batch
  }
}

extension SQLiteHistory: Outbox {
  package func oldestBatch(for receiver: String) throws(HistoryError) -> OutboxBatch? {
    try read { database in
      try Row.fetchOne(
        database,
        sql: """
          SELECT \(OutboxTable.columns) FROM outbox WHERE receiver = ? ORDER BY id LIMIT 1
          """, arguments: [receiver]
      ).map(OutboxTable.batch)
    }
  }

  package func batches(
    before date: Date, except receivers: [String]
  ) throws(HistoryError) -> [OutboxBatch] {
    try read { database in
      try Row.fetchAll(
        database, sql: "SELECT \(OutboxTable.columns) FROM outbox WHERE created < ? ORDER BY id",
        arguments: [Milliseconds(date).count]
      ).map(OutboxTable.batch).filter { !receivers.contains($0.receiver) }
    }
  }

  package func update(_ batch: OutboxBatch) throws(HistoryError) {
    try write { database in
      try database.execute(
        sql: "UPDATE outbox SET taken = ?, failures = ?, retry = ? WHERE id = ?",
        arguments: [
          batch.taken, batch.failures, batch.retry.map { Milliseconds($0).count }, batch.id,
        ])
    }
  }

  package func remove(_ batch: OutboxBatch) throws(HistoryError) {
    try write { database in
      try database.execute(sql: "DELETE FROM outbox WHERE id = ?", arguments: [batch.id])
    }
  }
}
