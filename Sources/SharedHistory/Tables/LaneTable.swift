internal import PostHistory

/// The table of lanes: the servers that watches ask, each by one worker at a time.
///
/// A lane that is leased is due at the end of its lease, so that one index finds what is due and what a
/// worker has left behind.
struct LaneTable {
  /// The moment of a lane without searches.
  static let never: Int64 = 1 << 60
  private static let columns =
    "id, lease, buckets, costs, closed, refusals, silent"

  let connection: PostgresConnection
  let key: FingerprintKey

  /// A row that is locked until the transaction ends.
  struct Row {
    let id: Int64
    /// The place in the order in which lanes are taken.
    let due: Int64
    /// The number of its last lease.
    let lease: Int64
    var lane: SharedLane
  }

  /// The numbers of lanes, which get one if they have none yet, locked until the transaction ends.
  func hold(_ names: Set<String>, now: Int64) throws -> [String: Int64] {
    let all = names.map { (name: $0, digest: key.digest(of: $0)) }
      .sorted { $0.digest.lexicographicallyPrecedes($1.digest) }
    try connection.run(
      """
      INSERT INTO lane (digest, name, due) SELECT *, $3 FROM unnest($1::bytea[], $2::text[])
      ON CONFLICT (digest) DO NOTHING
      """, .byteStrings(all.map(\.digest)), .texts(all.map(\.name)), .integer(now))
    let held = try connection.all(
      "SELECT digest, id FROM lane WHERE digest = ANY($1) ORDER BY digest FOR UPDATE",
      .byteStrings(all.map(\.digest))
    ) { (try $0.bytes("digest"), try $0.integer("id")) }
    let numbers = Dictionary(held) { first, _ in first }
    var result: [String: Int64] = [:]
    for (name, digest) in all { result[name] = numbers[digest] }
    return result
  }

  /// The lanes that are due and that nobody else is looking at, in their order.
  static let dueQuery = """
    SELECT \(columns), due FROM lane WHERE due <= $1 AND (due, id) > ($2, $3)
    ORDER BY due, id LIMIT $4 FOR UPDATE SKIP LOCKED
    """

  /// - Parameter last: The place after which to begin.
  func due(
    at now: Int64, after last: (due: Int64, id: Int64), atMost count: Int
  ) throws -> [Row] {
    try connection.all(
      Self.dueQuery, .integer(now), .integer(last.due), .integer(last.id), .integer(Int64(count)),
      row: Self.row)
  }

  /// The moment after now at which the next lane is due.
  func next(after now: Int64) throws -> Int64? {
    try connection.first(
      "SELECT due FROM lane WHERE due > $1 ORDER BY due LIMIT 1", .integer(now)
    ) { try $0.integer("due") }.flatMap { $0 < Self.never ? $0 : nil }
  }

  /// The lane of a lease, locked until the transaction ends; nil when another worker has taken over.
  ///
  /// - Returns: The holder is nil once the lease has ended.
  func find(
    _ lease: LaneLease, on clock: SharedClock
  ) throws -> (row: Row, holder: Int64?, now: Int64)? {
    try connection.first(
      """
      SELECT \(Self.columns), due, holder, coalesce($3, \(SharedClock.moment)) AS now
      FROM lane WHERE id = $1 AND lease = $2 FOR UPDATE
      """, .integer(lease.id), .integer(lease.number), .integer(clock.given)
    ) { (try Self.row($0), try $0.optionalInteger("holder"), try $0.integer("now")) }
  }

  private static func row(_ row: borrowing PostgresRow) throws -> Row {
    var lane = SharedLane()
    let buckets = try row.integers("buckets")
    for place in stride(from: 0, to: buckets.count - 2, by: 3) {
      lane.buckets.append(
        .init(requests: buckets[place], span: buckets[place + 1], full: buckets[place + 2]))
    }
    let costs = try row.integers("costs")
    for place in stride(from: 0, to: costs.count - 1, by: 2) {
      lane.costs.append(.init(hour: costs[place], amount: costs[place + 1]))
    }
    lane.closedUntil = try row.integer("closed")
    lane.rateLimits = try row.integer("refusals")
    lane.isSilent = try row.bool("silent")
    return Row(
      id: try row.integer("id"), due: try row.integer("due"), lease: try row.integer("lease"),
      lane: lane)
  }

  /// Lets a worker have lanes until a moment.
  func lease(_ leases: [LaneLease], to holder: Int64, until end: Int64) throws {
    guard !leases.isEmpty else { return }
    // An array of arrays of different lengths goes as texts.
    let buckets = leases.map { lease in
      "{\(Self.numbers(lease.lane.buckets).map(String.init).joined(separator: ","))}"
    }
    try connection.run(
      """
      UPDATE lane SET lease = new.lease, holder = $7, due = $8, buckets = new.buckets::bigint[],
        closed = new.closed, refusals = new.refusals, silent = new.silent
      FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::bigint[], $5::bigint[], $6::boolean[])
        AS new (id, lease, buckets, closed, refusals, silent)
      WHERE lane.id = new.id
      """, .integers(leases.map(\.id)), .integers(leases.map(\.number)), .texts(buckets),
      .integers(leases.map(\.lane.closedUntil)), .integers(leases.map(\.lane.rateLimits)),
      .bools(leases.map(\.lane.isSilent)), .integer(holder), .integer(end))
  }

  /// Ends a lease; the lane is due with its first search, or when its server may be asked again.
  func end(_ id: Int64, _ lane: SharedLane, opening: Int64) throws {
    try connection.run(
      """
      UPDATE lane SET holder = NULL, buckets = $2, costs = $3, closed = $4, refusals = $5,
        silent = $6, due = greatest(
          coalesce((SELECT turn.due FROM turn WHERE turn.lane = $1 ORDER BY turn.due LIMIT 1), $8),
          $7)
      WHERE id = $1
      """, .integer(id), .integers(Self.numbers(lane.buckets)),
      .integers(lane.costs.flatMap { [$0.hour, $0.amount] }), .integer(lane.closedUntil),
      .integer(lane.rateLimits), .bool(lane.isSilent), .integer(opening), .integer(Self.never))
  }

  /// Lets lanes without a lease be due with their first searches.
  ///
  /// - Parameter openings: The moments before which none is due, by lanes.
  func put(_ openings: [(id: Int64, moment: Int64)], freeAt now: Int64) throws {
    guard !openings.isEmpty else { return }
    try connection.run(
      """
      UPDATE lane SET holder = NULL, lease = lease + CASE WHEN holder IS NULL THEN 0 ELSE 1 END,
        due = greatest(new.opening, coalesce(
        (SELECT turn.due FROM turn WHERE turn.lane = lane.id ORDER BY turn.due LIMIT 1), $3))
      FROM unnest($1::bigint[], $2::bigint[]) AS new (id, opening)
      WHERE lane.id = new.id AND (holder IS NULL OR lane.due <= $4)
      """, .integers(openings.map(\.id)), .integers(openings.map(\.moment)),
      .integer(Self.never), .integer(now))
  }

  /// Notes what was asked of a leased lane so far; returns false when another worker has taken over.
  func charge(_ buckets: [SharedLane.Bucket], to lease: LaneLease) throws -> Bool {
    try connection.first(
      """
      UPDATE lane SET buckets = $3 WHERE id = $1 AND lease = $2 AND holder IS NOT NULL
      RETURNING id
      """, .integer(lease.id), .integer(lease.number), .integers(Self.numbers(buckets))
    ) { _ in true } ?? false
  }

  /// Extends leases until a later moment; returns the lanes whose leases go on.
  func renew(_ leases: [LaneLease], until end: Int64) throws -> Set<Int64> {
    Set(
      try connection.all(
        """
        UPDATE lane SET due = $3 FROM unnest($1::bigint[], $2::bigint[]) AS held (id, lease)
        WHERE lane.id = held.id AND lane.lease = held.lease AND holder IS NOT NULL
        RETURNING lane.id
        """, .integers(leases.map(\.id)), .integers(leases.map(\.number)), .integer(end)
      ) { try $0.integer("id") })
  }

  private static func numbers(_ buckets: [SharedLane.Bucket]) -> [Int64] {
    buckets.flatMap { [$0.requests, $0.span, $0.full] }
  }
}
