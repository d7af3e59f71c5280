/// The table of what was moved out of the spool last, by searches: while no post of it has changed since,
/// a run that reads the same again leaves nothing in the spool.
struct FoldedTable {
  static let schema = """
    CREATE TABLE folded (
      search INTEGER NOT NULL, digest BLOB NOT NULL, run INTEGER NOT NULL,
      PRIMARY KEY (search, digest)) WITHOUT ROWID;
    """

  let database: Database
  let key: FingerprintKey

  /// Remembers a row of the spool in place of those of earlier runs of its search.
  ///
  /// - Parameter digest: That of the row's posts.
  func insert(_ row: SpoolTable.Stored, _ digest: Fingerprint) throws {
    let values: SQLiteValues = [":search": .integer(row.search), ":run": .integer(row.run)]
    try database.run("DELETE FROM folded WHERE search = :search AND run <> :run", values)
    try database.run(
      "INSERT OR REPLACE INTO folded (search, digest, run) VALUES (:search, :digest, :run)",
      [
        ":search": .integer(row.search), ":digest": .bytes(digest.bytes),
        ":run": .integer(row.run),
      ])
  }

  /// True if the posts of a search are in the tables as they are here.
  func holds(_ parts: [[UInt8]], search: Int64) throws -> Bool {
    guard try has(search) else { return false }
    return try parts.allSatisfy { part in
      try database.first(
        "SELECT 1 FROM folded WHERE search = :search AND digest = :digest",
        [":search": .integer(search), ":digest": .bytes(key.digest(of: part).bytes)]
      ) { _ in true } ?? false
    }
  }

  private func has(_ search: Int64) throws -> Bool {
    try database.first(
      "SELECT 1 FROM folded WHERE search = :search LIMIT 1", [":search": .integer(search)]
    ) { _ in true } ?? false
  }
}

extension Database {
  /// Forgets what was moved out of the spool, as a post has been changed or deleted.
  func forgetFolded() throws { try run("DELETE FROM folded") }

  /// Forgets it in a day's first run, so that unchanged posts are spooled once more and count as fetched on that day.
  func forgetFolded(ofDaysBefore now: Milliseconds) throws {
    if FetchDate.isRenewed(try Chore.lastCommit(in: self), at: now) { try forgetFolded() }
  }
}
