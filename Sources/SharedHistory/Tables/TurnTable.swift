internal import PostHistory

/// The table of turns: when each search of a watch is due.
struct TurnTable {
  private static let columns = "search, added, due, begun, every, newest, rejections"

  let connection: PostgresConnection

  /// A search to be part of the watches with a filter.
  struct Entry {
    let search: Int64
    let lane: Int64
    /// The longest time since it was last asked, in milliseconds: at first, and after its first day.
    let soon: Int64
    let late: Int64
  }

  /// The searches of lanes that are due, the first of each lane.
  static let dueQuery = """
    SELECT held.id AS lane, turn.* FROM unnest($1::bigint[]) AS held (id), LATERAL (
      SELECT \(columns) FROM turn WHERE lane = held.id AND due <= $2 AND (due, search) > ($5, $6)
        AND filter = $3
      ORDER BY due, search LIMIT $4) AS turn
    """

  /// - Parameter last: The place after which to begin.
  func due(
    of lanes: [Int64], filter: [UInt8], at now: Int64, after last: (due: Int64, search: Int64),
    atMost count: Int
  ) throws -> [Int64: [SharedTurn]] {
    var turns: [Int64: [SharedTurn]] = [:]
    try connection.each(
      Self.dueQuery,
      [
        .integers(lanes), .integer(now), .bytes(filter), .integer(Int64(count)),
        .integer(last.due), .integer(last.search),
      ]
    ) { row in
      let turn = SharedTurn(
        search: try row.integer("search"), added: try row.integer("added"),
        due: try row.integer("due"), begun: try row.integer("begun"),
        interval: try row.integer("every"), newest: try row.optionalInteger("newest"),
        rejections: try row.integer("rejections"))
      turns[try row.integer("lane"), default: []].append(turn)
    }
    return turns
  }

  /// Adds searches to the watches with a filter, due at once if they are new to them.
  ///
  /// - Parameter isExact: Whether quiet searches are never asked less often.
  func add(
    _ entries: [Entry], filter: [UInt8], isExact: Bool, firstDay: Int64, now: Int64
  ) throws {
    let latest = """
      turn.begun + CASE WHEN $6 OR $7 - turn.added < $8 THEN new.soon ELSE new.late END
      """
    try connection.run(
      """
      INSERT INTO turn (search, filter, lane, added, due, wanted)
      SELECT search, $3, lane, $4, $4, $4
      FROM unnest($1::bigint[], $2::bigint[]) AS new (search, lane)
      ON CONFLICT (search, filter) DO NOTHING
      """,
      .integers(entries.map(\.search)), .integers(entries.map(\.lane)), .bytes(filter),
      .integer(now))
    // A shorter interval counts at once. What is late for half a day is still wanted.
    try connection.run(
      """
      UPDATE turn SET lane = new.lane, wanted = $7, due = least(turn.due, \(latest))
      FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[])
        AS new (search, lane, soon, late)
      WHERE turn.search = new.search AND turn.filter = $5
        AND (turn.lane <> new.lane OR turn.due > \(latest) OR turn.due < $7 - $8 / 2)
      """, .integers(entries.map(\.search)), .integers(entries.map(\.lane)),
      .integers(entries.map(\.soon)), .integers(entries.map(\.late)), .bytes(filter),
      .bool(isExact), .integer(now), .integer(firstDay))
  }

  /// Schedules searches that were asked.
  func update(_ turns: [SharedTurn], filter: [UInt8]) throws {
    try connection.run(
      """
      UPDATE turn SET due = new.due, begun = new.begun, every = new.every, newest = new.newest,
        rejections = new.rejections, failure = nullif(new.failure, '')
      FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[],
        $6::bigint[], $7::text[])
        AS new (search, due, begun, every, newest, rejections, failure)
      WHERE turn.search = new.search AND turn.filter = $8
      """, .integers(turns.map(\.search)), .integers(turns.map(\.due)),
      .integers(turns.map(\.begun)), .integers(turns.map(\.interval)),
      .integers(turns.map(\.newest)), .integers(turns.map(\.rejections)),
      .texts(turns.map { $0.failure ?? "" }), .bytes(filter))
  }

  /// Forgets the searches that no worker wants any more: nobody has asked them for a day.
  func forgetUnwanted(at now: Int64, day: Int64) throws {
    try connection.run("DELETE FROM turn WHERE due < $1 AND wanted < $1", .integer(now - day))
  }
}
