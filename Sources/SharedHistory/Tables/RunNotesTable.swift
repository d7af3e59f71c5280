internal import FoundationEssentials
internal import PostHistory

/// The tables of runs to retry, and of what runs found for each tag.
struct RunNotesTable {
  let connection: PostgresConnection
  let key: FingerprintKey

  // MARK: Runs

  /// Writes a run in place of the one before of its name.
  func replace(_ run: PastRun, _ parts: [StoredRunPart]) throws {
    try connection.run(
      """
      INSERT INTO run (digest, began, since, until, newest, per_search, parts)
      VALUES ($1, $2, $3, $4, $5, $6, $7)
      ON CONFLICT (digest) DO UPDATE SET
        began = excluded.began, since = excluded.since, until = excluded.until,
        newest = excluded.newest, per_search = excluded.per_search, parts = excluded.parts
      """, .bytes(key.digest(of: run.name)), .date(run.began), .date(run.since), .date(run.until),
      .integer(run.newest.map(Int64.init)), .integer(run.perSearch.map(Int64.init)),
      .bytes(StoredRunPart.bytes(parts)))
  }

  /// Returns the last run of that name with its posts; nil if there is none.
  ///
  /// A search that has lost a post since counts as not completed.
  func run(named name: String) throws -> PastRun? {
    let found = try connection.first(
      "SELECT began, since, until, newest, per_search, parts FROM run WHERE digest = $1",
      .bytes(key.digest(of: name))
    ) { row in
      let run = PastRun(
        name: name, began: try row.knownDate("began"), since: try row.date("since"),
        until: try row.date("until"), newest: try row.optionalInteger("newest").map(Int.init),
        perSearch: try row.optionalInteger("per_search").map(Int.init))
      return (run, StoredRunPart.all(in: try row.bytes("parts")))
    }
    guard let (found, parts) = found else { return nil }
    let posts = try PostTable(connection: connection).all(Set(parts.flatMap(\.posts)))
    var run = found
    let kept = parts.map { part in
      // Oldest first.
      let kept = part.posts.compactMap { posts[$0] }
        .sorted { ($0.place, $0.number) < ($1.place, $1.number) }
      return PastRun.Part(
        search: part.search, answer: kept.count == part.posts.count ? part.answer : nil,
        posts: kept.map(\.post))
    }
    run.parts = BatchList(kept)
    return run
  }

  // MARK: Tags

  func add(_ sighting: TagSighting, at now: Milliseconds) throws {
    let name = sighting.tag.isRaw ? "\0\(sighting.tag.tag)" : sighting.tag.tag
    try connection.run(
      """
      INSERT INTO tag (digest, name, raw, first_run, last_run, newest, found, posts)
      VALUES ($1, $2, $3, $4, $4, $5, $6, $7)
      ON CONFLICT (digest) DO UPDATE SET
        last_run = greatest(tag.last_run, excluded.last_run),
        newest = greatest(tag.newest, excluded.newest),
        found = coalesce(excluded.found, tag.found),
        posts = CASE WHEN excluded.found IS NULL THEN tag.posts ELSE excluded.posts END
      """, .bytes(key.digest(of: name)), .text(sighting.tag.tag), .bool(sighting.tag.isRaw),
      .integer(now.count), .date(sighting.newest),
      .integer(sighting.posts > 0 ? now.count : nil), .integer(Int64(sighting.posts)))
  }

  func tags() throws -> [TagKey: TagMemory] {
    let all = try connection.all("SELECT name, raw, first_run, newest, found, posts FROM tag") {
      row in
      (
        TagKey(tag: try row.text("name"), isRaw: try row.bool("raw")),
        TagMemory(
          firstRun: try row.knownDate("first_run"), newest: try row.date("newest"),
          lastFound: try row.date("found"), posts: Int(try row.integer("posts")))
      )
    }
    return Dictionary(all) { first, _ in first }
  }

  // MARK: Pruning

  /// Deletes runs, windows and tags that no run has come back to since a date.
  func prune(before date: Milliseconds) throws {
    let date = PostgresValue.integer(date.count)
    try connection.run("DELETE FROM run WHERE began < $1", date)
    try connection.run("DELETE FROM span WHERE fetched < $1", date)
    try connection.run("DELETE FROM tag WHERE last_run < $1", date)
  }
}
