/// The table of receivers: which process passes posts on to each command and channel.
struct ReceiverTable {
  let connection: PostgresConnection

  /// Takes the right to deliver to a receiver for some milliseconds; returns the number of the lease, nil
  /// while somebody else has one.
  func lease(_ hash: Int64, _ name: String, for patience: Int64, now: Int64) throws -> Int64? {
    try connection.first(
      """
      INSERT INTO receiver (hash, name, lease, until) VALUES ($1, $2, 1, $4 + $3)
      ON CONFLICT (hash) DO UPDATE SET lease = receiver.lease + 1, until = excluded.until
        WHERE receiver.until <= $4 RETURNING lease
      """, .integer(hash), .text(name), .integer(patience), .integer(now)
    ) { try $0.integer("lease") }
  }

  /// True while somebody has the right to deliver to a receiver.
  func isHeld(_ hash: Int64, at now: Int64) throws -> Bool {
    try connection.first(
      "SELECT hash FROM receiver WHERE hash = $1 AND until > $2", .integer(hash), .integer(now)
    ) { _ in true } ?? false
  }

  /// Lets a lease last until a moment; returns false when somebody else has taken over.
  func renew(_ hash: Int64, lease: Int64, until end: Int64) throws -> Bool {
    try connection.first(
      "UPDATE receiver SET until = $3 WHERE hash = $1 AND lease = $2 RETURNING lease",
      .integer(hash), .integer(lease), .integer(end)
    ) { _ in true } ?? false
  }
}
