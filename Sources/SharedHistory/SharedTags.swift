package import PostHistory

/// The tags of a team in a shared state: the entries of a tags file, in their order.
package struct SharedTags {
  private static let entriesAtOnce = 10_000

  private let connection: SharedConnection

  package init(at address: SharedAddress) throws(HistoryError) {
    connection = try SharedConnection(to: address)
    _ = try SharedHistory.key(of: connection, address)
  }

  /// The entries, each as a text of JSON.
  package func entries() throws(HistoryError) -> [[UInt8]] {
    try connection.transaction(.reading, Self.entries)
  }

  /// Changes the entries, while nobody else does, and returns the result of the change.
  ///
  /// - Parameter change: Returns the new entries, nil for the same ones; it may be called again.
  package func change<Outcome>(
    _ change: ([[UInt8]]) -> (entries: [[UInt8]]?, outcome: Outcome)
  ) throws(HistoryError) -> Outcome {
    try connection.transaction(.writing) { connection in
      // Whoever reads meanwhile sees the earlier ones.
      try connection.execute("LOCK TABLE team_tag IN EXCLUSIVE MODE")
      let old = try Self.entries(connection)
      let (new, outcome) = change(old)
      if let new { try Self.replace(old, by: new, connection) }
      return outcome
    }
  }

  private static func entries(_ connection: PostgresConnection) throws -> [[UInt8]] {
    var entries: [[UInt8]] = []
    try connection.walk("SELECT entry FROM team_tag ORDER BY place", []) { row in
      entries.append(try row.bytes("entry"))
      return true
    }
    return entries
  }

  /// Writes the entries from the first one that is another on.
  private static func replace(
    _ old: [[UInt8]], by new: [[UInt8]], _ connection: PostgresConnection
  ) throws {
    let same = zip(old, new).prefix { $0 == $1 }.count
    if same < old.count {
      try connection.run("DELETE FROM team_tag WHERE place >= $1", .integer(Int64(same)))
    }
    for part in Array(new.indices.dropFirst(same)).parts(of: entriesAtOnce) {
      try connection.run(
        """
        INSERT INTO team_tag (place, entry)
        SELECT place, convert_from(entry, 'UTF8')
        FROM unnest($1::bigint[], $2::bytea[]) AS new (place, entry)
        """, .integers(part.map { Int64($0) }), .byteStrings(part.map { new[$0] }))
    }
  }
}
