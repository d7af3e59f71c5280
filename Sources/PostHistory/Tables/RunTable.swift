internal import FoundationEssentials
internal import SearchModel

/// The tables of the runs that later ones retry: the last run of each name, with its searches in one value, or
/// in several if they are many.
struct RunTable {
  /// A longer name, such as that of a run of ten thousand queries, is kept as its hash: the index of names
  /// would read all of it, page by page.
  private static let longestName = 256

  /// The pieces of one run that have numbers of their own.
  private static let pieceBits: Int64 = 24

  /// The parts of a run after its first piece: `id` is the run's, followed by the number of the piece.
  static let pieces = "CREATE TABLE run_piece (id INTEGER PRIMARY KEY, parts BLOB NOT NULL);"

  let database: Database

  /// Writes a run in place of the one before of its name.
  ///
  /// - Parameter next: Returns the next piece of its parts; nil after the last one. Piece by piece, as a run of a
  ///   million searches has a hundred megabytes of parts, of which SQLite makes copies.
  func replace(_ run: PastRun, pieces next: () throws -> [UInt8]?) throws {
    let name = try kept(run.name)
    try delete(name)
    // Earlier versions kept every name as it is.
    if name != run.name { try delete(run.name) }
    try insert(run, as: name, next() ?? [])
    var piece = database.lastInsertedNumber << Self.pieceBits
    while let parts = try next() {
      try database.run(
        "INSERT INTO run_piece (id, parts) VALUES (:id, :parts)",
        [":id": .integer(piece), ":parts": .bytes(parts)])
      piece += 1
    }
  }

  private func insert(_ run: PastRun, as name: String, _ parts: [UInt8]) throws {
    try database.run(
      """
      INSERT INTO run (name, began, since, until, newest, per_search, parts)
      VALUES (:name, :began, :since, :until, :newest, :perSearch, :parts)
      """,
      [
        ":name": .text(name), ":began": .integer(Milliseconds(run.began).count),
        ":since": .date(run.since), ":until": .date(run.until),
        ":newest": .integer(run.newest.map(Int64.init)),
        ":perSearch": .integer(run.perSearch.map(Int64.init)), ":parts": .bytes(parts),
      ])
  }

  /// A run without its parts, and these as they are stored.
  func find(_ name: String) throws -> (run: PastRun, parts: [StoredRunPart])? {
    // Earlier versions kept every name as it is.
    let kept = try kept(name)
    return try find(name, as: kept) ?? (kept == name ? nil : find(name, as: name))
  }

  private func find(
    _ name: String, as kept: String
  ) throws -> (run: PastRun, parts: [StoredRunPart])? {
    let found = try database.first(
      "SELECT id, began, since, until, newest, per_search, parts FROM run WHERE name = :name",
      [":name": .text(kept)]
    ) { row in
      let run = PastRun(
        name: name, began: try row.knownDate("began"), since: try row.date("since"),
        until: try row.date("until"), newest: try row.optionalInteger("newest").map(Int.init),
        perSearch: try row.optionalInteger("per_search").map(Int.init))
      return (
        id: try row.integer("id"), run: run, parts: StoredRunPart.all(in: try row.bytes("parts"))
      )
    }
    guard var found else { return nil }
    try database.each(
      """
      SELECT parts FROM run_piece
      WHERE id BETWEEN :id << \(Self.pieceBits) AND (:id + 1 << \(Self.pieceBits)) - 1 ORDER BY id
      """, [":id": .integer(found.id)]
    ) { row in
      found.parts += StoredRunPart.all(in: try row.bytes("parts"))
      return true
    }
    return (found.run, found.parts)
  }

  /// The name of a run as its row has it.
  private func kept(_ name: String) throws -> String {
    guard name.utf8.count > Self.longestName else { return name }
    let hash = try FingerprintKey(database).digest(of: Array(name.utf8))
    return "\(String(hash.high, radix: 16))-\(String(hash.low, radix: 16))"
  }

  private func delete(_ name: String) throws {
    try database.run("DELETE FROM run WHERE name = :name", [":name": .text(name)])
    try deletePieces()
  }

  func prune(before date: Milliseconds) throws {
    try database.run("DELETE FROM run WHERE began < :bound", [":bound": .integer(date.count)])
    try deletePieces()
  }

  /// Deletes the pieces of deleted runs.
  private func deletePieces() throws {
    try database.run(
      "DELETE FROM run_piece WHERE id >> \(Self.pieceBits) NOT IN (SELECT id FROM run)")
  }

  /// Version 6 of the schema: the searches of a run were rows of a table of their own.
  func takeParts() throws {
    try database.execute("ALTER TABLE run ADD COLUMN parts BLOB NOT NULL DEFAULT x''")
    let marks = try MarkTable(database)
    let posts = PostTable(database: database)
    let runs = try database.all("SELECT id FROM run") { try $0.integer("id") }
    for run in runs {
      let parts = try database.all(
        """
        SELECT \(SearchTable.columns), run_search.answer, run_search.posts
        FROM run_search JOIN search ON search.id = run_search.search
        JOIN source ON source.id = search.source WHERE run_search.run = :run
        """, [":run": .integer(run)]
      ) { row in
        let kept = try PostNumbers.all(in: try row.bytes("posts")).compactMap(posts.find)
        return StoredRunPart(
          search: try SearchTable.key(in: row),
          answer: try row.optionalText("answer").flatMap(StoredAnswerText.answer),
          posts: kept.map { marks.key.fingerprint(of: $0.post) })
      }
      try database.run(
        "UPDATE run SET parts = :parts WHERE id = :run",
        [":parts": .bytes(StoredRunPart.bytes(parts)), ":run": .integer(run)])
    }
    try database.execute("DROP TABLE run_search")
  }
}
