internal import FoundationEssentials
internal import SearchModel

/// The table of what watches have spent in each hour, on networks that charge.
struct CostTable {
  static let schema = """
    CREATE TABLE cost (
      source TEXT NOT NULL, hour INTEGER NOT NULL, amount INTEGER NOT NULL,
      PRIMARY KEY (source, hour)) WITHOUT ROWID;
    """

  /// The hours of a day.
  private static let hours: Int64 = 24
  /// Hours so far from now cannot come from a clock that is only a little wrong.
  private static let forgottenAfter: Int64 = 30 * 24

  let database: Database

  /// Adds what a round has spent, and forgets what is long past.
  func add(_ costs: [SourceName: Int], at now: Milliseconds) throws {
    guard !costs.isEmpty else { return }
    for (source, amount) in costs {
      try database.run(
        """
        INSERT INTO cost (source, hour, amount) VALUES (:source, :hour, :amount)
        ON CONFLICT DO UPDATE SET amount = amount + excluded.amount
        """,
        [
          ":source": .text(source.rawValue), ":hour": .integer(Self.hour(of: now)),
          ":amount": .integer(Int64(amount)),
        ])
    }
    try database.run(
      "DELETE FROM cost WHERE hour < :first OR hour > :last",
      [
        ":first": .integer(Self.hour(of: now) - Self.forgottenAfter),
        ":last": .integer(Self.hour(of: now) + Self.forgottenAfter),
      ])
  }

  /// The costs of the last 24 hours, by source, and of the next ones: it may be the present clock that is behind.
  func sums(at now: Milliseconds) throws -> [SourceName: Int] {
    var sums: [SourceName: Int] = [:]
    let hour = Self.hour(of: now)
    try database.each(
      """
      SELECT source, sum(amount) AS amount FROM cost WHERE hour > :first AND hour < :last
      GROUP BY source
      """, [":first": .integer(hour - Self.hours), ":last": .integer(hour + Self.hours)]
    ) { row in
      sums[SourceName(rawValue: try row.text("source"))] = Int(try row.integer("amount"))
      return true
    }
    return sums
  }

  private static func hour(of now: Milliseconds) -> Int64 { now.count / 3_600_000 }
}
