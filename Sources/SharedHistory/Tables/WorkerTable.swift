/// The table of workers: the processes that share the searches of a state.
struct WorkerTable {
  let connection: PostgresConnection

  /// - Parameter patience: The length of its leases in milliseconds.
  func add(_ name: String, patience: Int64, now: Int64) throws -> Int64 {
    // Those that were not seen for a day have ended without a word.
    try connection.run("DELETE FROM worker WHERE seen < $1", .integer(now - 86_400_000))
    return try connection.first(
      """
      INSERT INTO worker (name, began, seen, patience) VALUES ($1, $2, $2, $3) RETURNING id
      """, .text(name), .integer(now), .integer(patience)
    ) { try $0.integer("id") } ?? 0
  }

  /// Notes that a worker lives; returns false if it is not there, as after the database was restored, or if its number
  /// is that of another one by now.
  func note(_ worker: Int64, named name: String, seen now: Int64) throws -> Bool {
    try connection.first(
      "UPDATE worker SET seen = $3 WHERE id = $1 AND name = $2 RETURNING id", .integer(worker),
      .text(name), .integer(now)
    ) { _ in true } ?? false
  }

  /// Takes a worker out that has ended, and lets others have its lanes.
  func remove(_ worker: Int64, now: Int64) throws {
    try connection.run(
      "UPDATE lane SET holder = NULL, due = $2 WHERE holder = $1", .integer(worker), .integer(now))
    try connection.run("DELETE FROM worker WHERE id = $1", .integer(worker))
  }
}
