internal import FoundationEssentials
internal import PostHistory
internal import SearchModel

/// The tables of searches, and of what later runs remember of each.
struct SearchTable {
  let connection: PostgresConnection
  let key: FingerprintKey

  /// The name of a search in its table, where its own text may be too long for an index.
  private func digest(of search: SearchKey) -> [UInt8] {
    let parts = [search.source.rawValue, search.server, search.isRaw ? "1" : "0", search.tag]
    return key.digest(of: parts.joined(separator: "\0"))
  }

  func digest(of filter: String) -> [UInt8] { key.digest(of: filter) }

  /// The number of a search; nil if no run had it yet.
  func find(_ search: SearchKey) throws -> Int64? {
    try connection.first("SELECT id FROM search WHERE digest = $1", .bytes(digest(of: search))) {
      try $0.integer("id")
    }
  }

  /// The numbers of searches, which get one if they have none yet, locked until the transaction ends.
  func hold(_ searches: Set<SearchKey>) throws -> [SearchKey: Int64] {
    guard !searches.isEmpty else { return [:] }
    let all = searches.map { (key: $0, digest: digest(of: $0)) }
      .sorted { $0.digest.lexicographicallyPrecedes($1.digest) }
    // Nearly always all of them are there.
    let known = try lock(all)
    guard known.count < all.count else { return known }
    try connection.run(
      """
      INSERT INTO search (digest, tag, raw, source, server)
      SELECT * FROM unnest($1::bytea[], $2::text[], $3::boolean[], $4::text[], $5::text[])
      ON CONFLICT (digest) DO NOTHING
      """, .byteStrings(all.map(\.digest)), .texts(all.map(\.key.tag)),
      .bools(all.map(\.key.isRaw)), .texts(all.map(\.key.source.rawValue)),
      .texts(all.map(\.key.server)))
    return try lock(all)
  }

  private func lock(
    _ all: [(key: SearchKey, digest: [UInt8])]
  ) throws -> [SearchKey: Int64] {
    let held = try connection.all(
      "SELECT digest, id FROM search WHERE digest = ANY($1) ORDER BY digest FOR UPDATE",
      .byteStrings(all.map(\.digest))
    ) { (try $0.bytes("digest"), try $0.integer("id")) }
    let numbers = Dictionary(held) { first, _ in first }
    var result: [SearchKey: Int64] = [:]
    for (key, digest) in all { result[key] = numbers[digest] }
    return result
  }

  /// The memories of searches that runs with a filter have; one that has had no first run is left out.
  func memories(
    of searches: [SearchKey], filter: String
  ) throws -> [SearchKey: SearchMemory] {
    let digests = Dictionary(searches.map { (digest(of: $0), $0) }) { first, _ in first }
    let found = try connection.all(
      """
      SELECT search.digest, search.oldest, reach.read_to, reach.looked_back, reach.gap_since,
        reach.gap_end, reach.gap_top
      FROM search LEFT JOIN reach ON reach.search = search.id AND reach.filter = $2
      WHERE search.digest = ANY($1) AND search.first_run IS NOT NULL
      """, .byteStrings(Array(digests.keys)), .bytes(digest(of: filter))
    ) { row in
      (
        try row.bytes("digest"),
        SearchMemory(
          knownBefore: try row.date("oldest"), readUpTo: try row.date("read_to"),
          lookedBack: try row.date("looked_back"),
          gap: SearchGap(
            since: try row.date("gap_since"), end: try row.date("gap_end"),
            top: try row.date("gap_top")))
      )
    }
    var memories: [SearchKey: SearchMemory] = [:]
    for (digest, memory) in found {
      if let search = digests[digest] { memories[search] = memory }
    }
    return memories
  }

  /// Remembers the first runs of searches, and which of them were answered.
  ///
  /// - Parameters:
  ///   - firstRuns: The dates before which posts are not new; the first one of a search counts.
  ///   - answered: The searches that were answered.
  func note(
    firstRuns: [(search: Int64, knownBefore: Date?)], answered: Set<Int64>, at now: Milliseconds
  ) throws {
    let bounds = Dictionary(firstRuns.map { ($0.search, $0.knownBefore) }) { first, _ in first }
    let all = Set(bounds.keys).union(answered).sorted()
    guard !all.isEmpty else { return }
    // Another run may have had the first run meanwhile: its bound holds.
    try connection.run(
      """
      UPDATE search SET
        oldest = CASE WHEN new.runs AND search.first_run IS NULL THEN new.oldest
          ELSE search.oldest END,
        first_run = CASE WHEN new.runs THEN coalesce(search.first_run, $5)
          ELSE search.first_run END,
        answered = CASE WHEN new.answers THEN greatest(search.answered, $5)
          ELSE search.answered END
      FROM unnest($1::bigint[], $2::boolean[], $3::bigint[], $4::boolean[])
        AS new (id, runs, oldest, answers)
      WHERE search.id = new.id
      """, .integers(all), .bools(all.map { bounds[$0] != nil }),
      .integers(all.map { bounds[$0].flatMap { $0 }.map { Milliseconds($0).count } }),
      .bools(all.map(answered.contains)), .integer(now.count))
  }

  /// Remembers how far searches were read under a filter, in the order of the changes.
  func remember(
    _ changes: [(search: Int64, change: MemoryChange)], filter: String
  ) throws {
    var rest = changes[...]
    while let first = rest.first {
      // One statement changes each row once, and all of them in the same way.
      let assignments = first.change.reach.assignments
      var searches: Set<Int64> = []
      let part = rest.prefix {
        $0.change.reach.assignments == assignments && searches.insert($0.search).inserted
      }
      rest = rest.dropFirst(part.count)
      let dates = { (date: (MemoryChange) -> Date?) in
        PostgresValue.integers(part.map { date($0.change).map { Milliseconds($0).count } })
      }
      try connection.run(
        """
        INSERT INTO reach (search, filter, read_to, looked_back, gap_since, gap_end, gap_top)
        SELECT search, $2, read_to, looked_back, gap_since, gap_end, gap_top
        FROM unnest($1::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[])
          AS new (search, read_to, looked_back, gap_since, gap_end, gap_top)
        ON CONFLICT (search, filter) DO UPDATE SET \(assignments),
          looked_back = coalesce(excluded.looked_back, reach.looked_back)
        """, .integers(part.map(\.search)), .bytes(digest(of: filter)), dates(\.reach.date),
        dates(\.lookedBack), dates(\.reach.gap?.since), dates(\.reach.gap?.end),
        dates(\.reach.gap?.top))
    }
  }

  /// The number of a search and the moment of its last answer; nil if it never had one.
  func answer(to search: SearchKey) throws -> (number: Int64, answered: Date)? {
    try connection.first(
      "SELECT id, answered FROM search WHERE digest = $1 AND answered IS NOT NULL",
      .bytes(digest(of: search))
    ) { (try $0.integer("id"), try $0.knownDate("answered")) }
  }

  /// The numbers of the searches that have had a first run, by their tags.
  func remembered() throws -> [(number: Int64, tag: String)] {
    try connection.all("SELECT id, tag FROM search WHERE first_run IS NOT NULL ORDER BY digest") {
      (try $0.integer("id"), try $0.text("tag"))
    }
  }

  /// Lets the next run of a search be its first.
  func forget(_ search: Int64) throws {
    try connection.run(
      "UPDATE search SET first_run = NULL, oldest = NULL WHERE id = $1", .integer(search))
    try connection.run("DELETE FROM reach WHERE search = $1", .integer(search))
    try connection.run("DELETE FROM skimmed WHERE search = $1", .integer(search))
  }

  // MARK: What filters left out

  /// The posts of one search that are kept, with those of their last run: more than a page holds.
  private static let mostSkimmed: Int64 = 1000

  /// Adds the addresses of posts that filters left out.
  func addSkimmed(_ uris: [String], to search: Int64, at now: Milliseconds) throws {
    guard !uris.isEmpty else { return }
    try connection.run(
      """
      INSERT INTO skimmed (search, mark, run)
      SELECT $1, mark, $3 FROM unnest($2::bigint[]) AS new (mark)
      ON CONFLICT (search, mark) DO UPDATE SET run = excluded.run
      """, .integer(search), .integers(Set(uris.map(key.hash)).sorted()), .integer(now.count))
    try connection.run(
      """
      DELETE FROM skimmed WHERE search = $1 AND run < (
        SELECT run FROM skimmed WHERE search = $1 ORDER BY run DESC LIMIT 1 OFFSET $2)
      """, .integer(search), .integer(Self.mostSkimmed))
  }

  /// The status of posts for a search: what all searches have marked, and what filters left out of it.
  func status(of posts: [PostIdentity], in search: SearchKey) throws -> [PostStatus] {
    guard !posts.isEmpty else { return [] }
    return try connection.all(
      """
      SELECT known.printed, known.read OR EXISTS (
        SELECT FROM skimmed WHERE search = own.id AND mark = new.mark) AS read
      FROM unnest($1::bytea[], $2::bigint[]) WITH ORDINALITY AS new (fingerprint, mark, place)
        LEFT JOIN search AS own ON own.digest = $3, LATERAL (
          SELECT
            coalesce(
              bool_or(mark.printed AND (mark.search > 0 OR mark.search = -own.id)), false) AS printed,
            coalesce(bool_or(mark.search IN (own.id, -own.id)), false) AS read
          FROM identity JOIN mark ON mark.post = identity.id
          WHERE identity.fingerprint = new.fingerprint) AS known
      ORDER BY new.place
      """, .byteStrings(posts.map { key.fingerprint(of: $0).bytes }),
      .integers(posts.map { key.hash(of: $0.uri) }), .bytes(digest(of: search))
    ) { PostStatus(isPrinted: try $0.bool("printed"), isRead: try $0.bool("read")) }
  }

  // MARK: Windows

  /// Adds a window in place of those within it.
  func add(
    _ window: StoredWindow, of search: Int64, posts: [Int64], fetched: Milliseconds
  ) throws {
    let filter = PostgresValue.bytes(digest(of: window.filter))
    try connection.run(
      "DELETE FROM span WHERE search = $1 AND filter = $2 AND first >= $3 AND last <= $4",
      .integer(search), filter, .date(window.first), .date(window.last))
    try connection.run(
      """
      INSERT INTO span (search, filter, first, last, fetched, posts) VALUES ($1, $2, $3, $4, $5, $6)
      """, .integer(search), filter, .date(window.first), .date(window.last),
      .integer(fetched.count), .integers(posts))
  }

  /// The windows of a search, newest first, without those that have lost a post since.
  func windows(of search: Int64, filter: String) throws -> [StoredWindow] {
    let spans = try connection.all(
      """
      SELECT id, first, last, fetched, cardinality(posts) AS count FROM span
      WHERE search = $1 AND filter = $2 ORDER BY last DESC
      """, .integer(search), .bytes(digest(of: filter))
    ) { row in
      (
        number: try row.integer("id"), count: Int(try row.integer("count")),
        window: StoredWindow(
          filter: filter, first: try row.knownDate("first"), last: try row.knownDate("last"),
          fetched: try row.knownDate("fetched"))
      )
    }
    return try spans.compactMap { span in
      var window = span.window
      window.posts = try connection.all(
        """
        SELECT \(StoredPost.columns)
        FROM span, unnest(span.posts) WITH ORDINALITY AS known (id, number)
        JOIN mark ON mark.post = known.id AND mark.search = $2 AND mark.kept
        JOIN identity ON identity.id = known.id
        JOIN post ON post.id = identity.id AND post.fetched = identity.fetched
        WHERE span.id = $1 ORDER BY known.number
        """, .integer(span.number), .integer(search)
      ) { try StoredPost($0)?.post }.compactMap(\.self)
      return window.posts.count == span.count ? window : nil
    }
  }
}

extension MemoryChange.Reach {
  /// The new values of a row in SQL: of `read_to` and the columns of a gap.
  fileprivate var assignments: String { "read_to = \(rule), \(gapAssignments)" }

  private var rule: String {
    switch self {
    case .unchanged: "reach.read_to"
    case .forth, .gap: "greatest(reach.read_to, excluded.read_to)"
    // Where there is a gap since the beginning there still is one.
    case .back:
      "CASE WHEN reach.read_to IS NULL THEN NULL ELSE least(reach.read_to, excluded.read_to) END"
    }
  }
}
