/// A number that the state remembers about itself.
enum Chore: String {
  /// The last day, since 1970, on which old posts were deleted.
  case pruning
  /// The run's now of a late commit, in milliseconds since 1970.
  case fetched

  /// The number; 0 when nothing was remembered yet.
  func value(in connection: PostgresConnection) throws -> Int64 {
    try connection.first("SELECT value FROM chore WHERE name = $1", .text(rawValue)) {
      try $0.integer("value")
    } ?? 0
  }

  /// Remembers a number.
  func set(to value: Int64, in connection: PostgresConnection) throws {
    try connection.run(
      """
      INSERT INTO chore (name, value) VALUES ($1, $2)
      ON CONFLICT (name) DO UPDATE SET value = excluded.value
      """, .text(rawValue), .integer(value))
  }
}
