internal import FoundationEssentials
internal import SearchModel

/// The table of the runs that later ones retry: the last run of each name, with its searches in one value.
struct RunTable {
  /// A longer name, such as that of a run of ten thousand queries, is kept as its hash: the index of names
  /// would read all of it, page by page.
  private static let longestName = 256

  let database: Database

  /// Writes a run in place of the one before of its name.
  ///
  /// - Parameter parts: Its parts as they are stored.
  func replace(_ run: PastRun, parts: [UInt8]) throws {
    let name = try kept(run.name)
    if name != run.name { try delete(run.name) }
    let insert = try database.prepare(
      """
      INSERT INTO run (name, began, since, until, newest, per_search, parts)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
      ON CONFLICT (name) DO UPDATE SET
        began = excluded.began, since = excluded.since, until = excluded.until,
        newest = excluded.newest, per_search = excluded.per_search, parts = excluded.parts
      """)
    let dates = [run.began, run.since, run.until].map { $0.map { Milliseconds($0).count } }
    let bounds = [run.newest, run.perSearch].map { $0.map(Int64.init) }
    for (place, number) in (dates + bounds).enumerated() {
      try insert.bind(number, at: Int32(place + 2))
    }
    // A run of a million searches has a hundred megabytes of parts, of which SQLite need not make another copy.
    try Array(name.utf8).withUnsafeBufferPointer { name in
      try parts.withUnsafeBytes { parts in
        try insert.bind(borrowingText: name, at: 1)
        try insert.bind(borrowing: parts, at: 7)
        try insert.run()
      }
    }
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
    try database.first(
      "SELECT began, since, until, newest, per_search, parts FROM run WHERE name = :name",
      [":name": .text(kept)]
    ) { row in
      let run = PastRun(
        name: name, began: try row.knownDate("began"), since: try row.date("since"),
        until: try row.date("until"), newest: try row.optionalInteger("newest").map(Int.init),
        perSearch: try row.optionalInteger("per_search").map(Int.init))
      return (run, StoredRunPart.all(in: try row.bytes("parts")))
    }
  }

  /// The name of a run as its row has it.
  private func kept(_ name: String) throws -> String {
    guard name.utf8.count > Self.longestName else { return name }
    let hash = try FingerprintKey(database).digest(of: Array(name.utf8))
    return "\(String(hash.high, radix: 16))-\(String(hash.low, radix: 16))"
  }

  private func delete(_ name: String) throws {
    try database.run("DELETE FROM run WHERE name = :name", [":name": .text(name)])
  }

  func prune(before date: Milliseconds) throws {
    try database.run("DELETE FROM run WHERE began < :bound", [":bound": .integer(date.count)])
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
