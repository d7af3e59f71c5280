internal import PostHistory

/// A post as the other tables name it.
struct Identity {
  let number: Int64
  /// The day of its last fetch, as a moment; nil while it is not kept.
  let fetched: Int64?
}

/// The table of all posts that were ever read, by their keyed hashes.
struct IdentityTable {
  private static let attempts = 5

  let connection: PostgresConnection

  /// The identities of posts, which get one if they have none yet, locked until the transaction ends.
  ///
  /// Every transaction locks them in the same order, so that none waits for one that waits for it.
  func hold(_ fingerprints: Set<Fingerprint>) throws -> [Fingerprint: Identity] {
    guard !fingerprints.isEmpty else { return [:] }
    let all = fingerprints.map(\.bytes).sorted { $0.lexicographicallyPrecedes($1) }
    for _ in 0..<Self.attempts {
      try connection.run(
        """
        INSERT INTO identity (fingerprint) SELECT * FROM unnest($1::bytea[])
        ON CONFLICT (fingerprint) DO NOTHING
        """, .byteStrings(all))
      let held = try connection.all(
        """
        SELECT fingerprint, id, fetched FROM identity WHERE fingerprint = ANY($1)
        ORDER BY fingerprint FOR UPDATE
        """, .byteStrings(all)
      ) { row in
        (
          Fingerprint(try row.bytes("fingerprint")[...]),
          Identity(number: try row.integer("id"), fetched: try row.optionalInteger("fetched"))
        )
      }
      if held.count == all.count { return Dictionary(held) { first, _ in first } }
      // Another transaction has deleted one meanwhile.
    }
    throw PostgresError(kind: .refused(code: "40001"), message: "posts are being deleted")
  }

  /// Takes out that posts are kept, and every trace of those that were not printed.
  func release(_ posts: [StoredPost]) throws {
    let numbers = PostgresValue.integers(posts.map(\.number))
    try connection.run("DELETE FROM mark WHERE post = ANY($1) AND kept AND NOT printed", numbers)
    try connection.run("UPDATE mark SET kept = false WHERE post = ANY($1) AND kept", numbers)
    try connection.run("UPDATE identity SET fetched = NULL WHERE id = ANY($1)", numbers)
    try deleteUnmarked(posts.map(\.number))
  }

  /// Deletes what no mark is left of.
  func deleteUnmarked(_ numbers: [Int64]) throws {
    try hold(numbers)
    try connection.run(
      """
      DELETE FROM identity WHERE id = ANY($1) AND fetched IS NULL
        AND NOT EXISTS (SELECT FROM mark WHERE mark.post = identity.id)
      """, .integers(numbers))
  }

  /// Locks identities, so that no other transaction marks their posts meanwhile.
  func hold(_ numbers: [Int64]) throws {
    try connection.run(
      "SELECT FROM identity WHERE id = ANY($1) ORDER BY fingerprint FOR UPDATE", .integers(numbers))
  }
}
