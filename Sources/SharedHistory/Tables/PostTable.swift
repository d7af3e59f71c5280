internal import FoundationEssentials
internal import PostHistory
internal import SearchModel

/// The table of posts and its partitions, and of the earlier bodies of edited ones.
struct PostTable {
  /// The number of posts in one statement.
  static let postsAtOnce = 2000

  let connection: PostgresConnection

  /// A post that is new, or not as it was.
  struct Change {
    let identity: Identity
    let draft: PostDraft
    /// The body that is stored; nil for a new post.
    let earlier: [UInt8]?
  }

  // MARK: Reading

  /// Calls `body` with each post of a query until it returns false.
  ///
  /// - Parameter condition: What follows `SELECT … FROM post`.
  func walk(
    _ condition: String, _ values: [PostgresValue], columns: String = "",
    _ body: (StoredPost, borrowing PostgresRow) throws -> Bool
  ) throws {
    try connection.walk(
      "SELECT \(StoredPost.columns)\(columns) FROM post \(condition)", values
    ) { row in
      guard let stored = try StoredPost(row) else { return true }
      return try body(stored, row)
    }
  }

  /// The posts that have a token.
  func all(withToken token: String) throws -> [StoredPost] {
    try connection.all(
      "SELECT \(StoredPost.columns) FROM post WHERE words @> $1", .texts([token])
    ) { try StoredPost($0) }.compactMap(\.self)
  }

  /// The posts with some fingerprints that are kept.
  func all(_ fingerprints: Set<Fingerprint>) throws -> [Fingerprint: StoredPost] {
    let found = try connection.all(
      """
      SELECT identity.fingerprint, \(StoredPost.columns)
      FROM identity JOIN post ON post.id = identity.id AND post.fetched = identity.fetched
      WHERE identity.fingerprint = ANY($1)
      """, .byteStrings(fingerprints.map(\.bytes))
    ) { row in (Fingerprint(try row.bytes("fingerprint")[...]), try StoredPost(row)) }
    return Dictionary(found.compactMap { key, post in post.map { (key, $0) } }) { first, _ in first
    }
  }

  /// The earlier bodies of a post, the latest first.
  func earlierBodies(of post: Int64) throws -> [[UInt8]] {
    try connection.all(
      "SELECT body FROM revision WHERE post = $1 ORDER BY replaced DESC", .integer(post)
    ) { try $0.bytes("body") }
  }

  // MARK: Writing

  /// Makes the partition for the posts of a moment, where there is none yet.
  func makeRoom(at moment: Milliseconds) throws {
    let month = PostMonth(of: moment)
    let isThere = try connection.first(
      "SELECT to_regclass($1) IS NOT NULL AS there", .text("searchagg.\(month.name)")
    ) { try $0.bool("there") }
    guard isThere != true else { return }
    let bounds = month.bounds
    try connection.execute(
      """
      CREATE TABLE IF NOT EXISTS \(month.name) PARTITION OF post
      FOR VALUES FROM (\(bounds.lowerBound)) TO (\(bounds.upperBound))
      """)
  }

  /// What is new or has changed among some posts; those that are as they were need nothing.
  func changes(_ drafts: [(identity: Identity, draft: PostDraft)]) throws -> [Change] {
    var changes: [Change] = []
    for part in drafts.parts(of: Self.postsAtOnce) {
      let kept = part.filter { $0.identity.fetched != nil }
      guard !kept.isEmpty else {
        changes += part.map { Change(identity: $0.identity, draft: $0.draft, earlier: nil) }
        continue
      }
      // A body is not sent back unless it is another one.
      let found = try connection.all(
        """
        SELECT post.id, CASE WHEN post.body = known.body THEN NULL ELSE post.body END AS earlier
        FROM unnest($1::bigint[], $2::bigint[], $3::bytea[]) AS known (id, fetched, body)
        JOIN post ON post.id = known.id AND post.fetched = known.fetched
        """, .integers(kept.map(\.identity.number)), .integers(kept.map(\.identity.fetched)),
        .byteStrings(kept.map(\.draft.body))
      ) { row in (try row.integer("id"), try row.optionalBytes("earlier")) }
      let earlier = Dictionary(found) { first, _ in first }
      for (identity, draft) in part {
        switch earlier[identity.number] {
        case nil: changes.append(Change(identity: identity, draft: draft, earlier: nil))
        case .some(let body?):
          changes.append(Change(identity: identity, draft: draft, earlier: body))
        case .some(nil): break
        }
      }
    }
    return changes
  }

  /// Adds posts that are new.
  func insert(_ changes: [Change], key: FingerprintKey, fetched: Milliseconds) throws {
    for part in changes.parts(of: Self.postsAtOnce) {
      try connection.run(
        """
        WITH kept AS (UPDATE identity SET fetched = $2 WHERE id = ANY($1))
        INSERT INTO post (id, fetched, place, source, server, created, body, words)
        SELECT id, $2, place, source, server, created, body, string_to_array(words, ' ')
        FROM unnest(
          $1::bigint[], $3::bigint[], $4::text[], $5::text[], $6::bigint[], $7::bytea[], $8::text[])
          AS new (id, place, source, server, created, body, words)
        """, .integers(part.map(\.identity.number)), .integer(fetched.count),
        .integers(part.map { $0.draft.place(fetched: fetched) }),
        .texts(part.map(\.draft.post.source.rawValue)),
        .texts(part.map(\.draft.post.server.text)),
        .integers(part.map { $0.draft.post.createdAt.map { Milliseconds($0).count } }),
        .byteStrings(part.map(\.draft.body)), .texts(part.map { $0.draft.words(key: key) }))
    }
  }

  /// Notes that posts were fetched again, which may move them to another partition.
  func renew(_ posts: [Identity], fetched: Milliseconds) throws {
    for part in posts.parts(of: Self.postsAtOnce) {
      try connection.run(
        """
        WITH old AS (SELECT * FROM unnest($1::bigint[], $2::bigint[]) AS old (id, fetched)),
          kept AS (UPDATE identity SET fetched = $3 FROM old WHERE identity.id = old.id)
        UPDATE post SET fetched = $3 FROM old WHERE post.id = old.id AND post.fetched = old.fetched
        """, .integers(part.map(\.number)), .integers(part.map(\.fetched)),
        .integer(fetched.count))
    }
  }

  /// Writes what has changed of a post, and keeps its earlier text.
  func update(_ change: Change, key: FingerprintKey, at now: Milliseconds) throws {
    let number = PostgresValue.integer(change.identity.number)
    if let earlier = change.earlier,
      PostBody.text(inBody: earlier) != change.draft.post.searchableText
    {
      try connection.run(
        """
        INSERT INTO revision (post, replaced, body) VALUES ($1, $2, $3)
        ON CONFLICT (post, replaced) DO UPDATE SET body = excluded.body
        """, number, .integer(now.count), .bytes(earlier))
    }
    try connection.run(
      """
      UPDATE post SET body = $3, words = string_to_array($4, ' ') WHERE id = $1 AND fetched = $2
      """, number, .integer(change.identity.fetched), .bytes(change.draft.body),
      .text(change.draft.words(key: key)))
  }

  /// Deletes posts, whose identities are locked, with their earlier texts.
  func delete(_ posts: [StoredPost]) throws {
    let numbers = PostgresValue.integers(posts.map(\.number))
    // Another run may have fetched them since they were found.
    try connection.run(
      """
      DELETE FROM post USING identity
      WHERE identity.id = ANY($1) AND post.id = identity.id AND post.fetched = identity.fetched
      """, numbers)
    try connection.run("DELETE FROM revision WHERE post = ANY($1)", numbers)
  }
}

extension Array {
  /// Its parts of a length, in order.
  func parts(of length: Int) -> [ArraySlice<Element>] {
    stride(from: 0, to: count, by: length).map { self[$0..<Swift.min($0 + length, count)] }
  }
}
