/// A number that the database remembers about itself.
enum Chore: String {
  /// The last day, since 1970, on which old posts were deleted.
  case pruning
  /// The run's now of the last commit, in milliseconds since 1970.
  case fetched
  /// The part of the index's rewriting that is due: 0 none, 1 the next part, 2 the first one.
  case rewriting
  /// The largest distance of a post's number from its date, in seconds.
  case shift

  /// The number; 0 when nothing was remembered yet.
  func value(in database: Database) throws -> Int64 {
    try database.first(
      "SELECT value FROM chore WHERE name = :name", [":name": .text(rawValue)]
    ) { try $0.integer("value") } ?? 0
  }

  /// The now of the run that was committed last.
  static func lastCommit(in database: Database) throws -> Milliseconds {
    Milliseconds(count: try fetched.value(in: database))
  }

  /// Remembers a number.
  func set(to value: Int64, in database: Database) throws {
    try database.run(
      "INSERT OR REPLACE INTO chore (name, value) VALUES (:name, :value)",
      [":name": .text(rawValue), ":value": .integer(value)])
  }

  /// Remembers a number unless a greater one is remembered.
  func raise(to value: Int64, in database: Database) throws {
    try database.run(
      """
      INSERT INTO chore (name, value) VALUES (:name, :value)
      ON CONFLICT DO UPDATE SET value = max(value, excluded.value)
      """, [":name": .text(rawValue), ":value": .integer(value)])
  }
}
