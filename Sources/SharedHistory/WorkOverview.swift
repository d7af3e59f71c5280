package import FoundationEssentials
package import PostHistory

/// The watches of a state: which processes share it, and what they have to ask.
package struct WorkOverview: Hashable, Sendable {
  /// A process of `searchagg watch`.
  package struct Worker: Hashable, Sendable {
    package let name: String
    package let began: Date
    package let seen: Date
    /// False if it has not been seen for as long as a lease lasts.
    package let isAlive: Bool
    /// The servers that it is asking.
    package let lanes: Int
  }

  /// A source on a server.
  package struct Lane: Hashable, Sendable {
    package let name: String
    /// The worker that is asking it, until a moment; nil if none is.
    package let worker: String?
    /// The moment at which it is asked next, or at which the lease of its worker ends.
    package let due: Date
    /// The moment until which it wants to be left alone; nil if it does not.
    package let closedUntil: Date?
    package let searches: Int
    /// The searches that are due.
    package let dueCount: Int
    /// Those of them that have been for a minute or longer.
    package let lateCount: Int
    package let failingCount: Int
    /// The reason of one failure.
    package let failure: String?
  }

  package let workers: [Worker]
  package let lanes: [Lane]

  /// The number of milliseconds after which a search is late.
  private static let lateness: Int64 = 60_000

  package init(of history: SharedHistory) throws(HistoryError) {
    (workers, lanes) = try history.read { connection in
      let now = try history.clock.now(connection)
      let workers = try connection.all(
        """
        SELECT name, began, seen, patience, (
          SELECT count(*) FROM lane WHERE holder = worker.id AND due > $1) AS lanes
        FROM worker ORDER BY began, id
        """, .integer(now)
      ) { row in
        let seen = try row.integer("seen")
        return Worker(
          name: try row.text("name"), began: try row.knownDate("began"),
          seen: try row.knownDate("seen"), isAlive: now - seen <= (try row.integer("patience")),
          lanes: Int(try row.integer("lanes")))
      }
      let lanes = try connection.all(
        """
        SELECT lane.name, lane.due, nullif(greatest(closed, $1), $1) AS closed,
          (SELECT worker.name FROM worker WHERE worker.id = holder AND lane.due > $1) AS worker,
          count(*) AS searches, count(*) FILTER (WHERE turn.due <= $1) AS due_count,
          count(*) FILTER (WHERE turn.due <= $1 - $2) AS late_count,
          count(turn.failure) AS failing, max(turn.failure) AS failure
        FROM lane JOIN turn ON turn.lane = lane.id GROUP BY lane.id ORDER BY lane.name
        """, .integer(now), .integer(Self.lateness)
      ) { row in
        Lane(
          name: try row.text("name"), worker: try Self.text("worker", row),
          due: try row.knownDate("due"), closedUntil: try row.date("closed"),
          searches: Int(try row.integer("searches")), dueCount: Int(try row.integer("due_count")),
          lateCount: Int(try row.integer("late_count")),
          failingCount: Int(try row.integer("failing")), failure: try Self.text("failure", row))
      }
      return (workers, lanes)
    }
  }

  private static func text(
    _ name: StaticString, _ row: borrowing PostgresRow
  ) throws -> String? {
    try row.optionalBytes(name).map { String(decoding: $0, as: UTF8.self) }
  }
}
