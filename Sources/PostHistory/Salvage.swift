/// Copies what can be read of a damaged database into an empty one.
struct Salvage {
  private let database: Database

  /// The rows that are copied at once where a table cannot be copied as a whole.
  private static let mostAtOnce = 65_536

  /// Returns whether anything was saved. Where it throws, a part may have been copied.
  ///
  /// - Parameters:
  ///   - damaged: The path of a damaged database.
  ///   - path: The path of a database with empty tables of the present version, which nobody else uses.
  static func copy(from damaged: String, into path: String, _ wait: LockWait) throws -> Bool {
    let database = try Database(at: path, wait: wait)
    try database.execute(
      "ATTACH '\(damaged.replacing("'", with: "''"))' AS damaged; PRAGMA synchronous = OFF")
    // Other versions have other tables.
    let version = try database.first("PRAGMA damaged.user_version") {
      try $0.integer("user_version")
    }
    return try version == Int64(Schema.version) && Salvage(database: database).copy()
  }

  // Without a transaction around all: after SQLite has met damage in one, it refuses everything else.
  private func copy() throws -> Bool {
    let tables = try tables
    for table in tables { try copy(table) }
    try keepMarksWithKey()
    try database.transaction(.writing) { try WordTable(database: database).indexAnew() }
    // A new database has a key of its own.
    return try tables.contains { try $0 != "mark_key" && hasRows($0) }
  }

  private func hasRows(_ table: String) throws -> Bool {
    try database.first("SELECT 1 FROM main.\(table) LIMIT 1") { _ in true } ?? false
  }

  /// The tables but for those of the index of words, which is made anew.
  private var tables: [String] {
    get throws {
      try database.all(
        """
        SELECT name FROM main.sqlite_schema
        WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE 'post_words%'
        """
      ) { try $0.text("name") }
    }
  }

  private func copy(_ table: String) throws {
    try database.run("DELETE FROM main.\(table)")
    if try insert("INSERT OR IGNORE INTO main.\(table) SELECT * FROM damaged.\(table)") { return }
    let key = try database.all(
      "SELECT name FROM pragma_table_info('\(table)') WHERE pk > 0 ORDER BY pk"
    ) { try $0.text("name") }
    // From both ends up to the damage.
    for direction in ["ASC", "DESC"] {
      let order = (key.isEmpty ? ["rowid"] : key).map { "\($0) \(direction)" }
      try copy(table, by: order.joined(separator: ", "))
    }
  }

  /// Copies the rows that come before the damage in an order.
  private func copy(_ table: String, by order: String) throws {
    var (done, most) = (0, Self.mostAtOnce)
    while most > 0 {
      let rows = "SELECT * FROM damaged.\(table) ORDER BY \(order) LIMIT \(most) OFFSET \(done)"
      // A row that is there already came from the other end.
      if try insert("INSERT OR IGNORE INTO main.\(table) \(rows)"), let count = try count(rows) {
        if count < most { return }
        done += most
      } else {
        most /= 2
      }
    }
  }

  /// The number of the rows of a query; nil where it meets the damage.
  private func count(_ rows: String) throws -> Int? {
    do {
      return try database.first("SELECT count(*) AS count FROM (\(rows))") {
        Int(try $0.integer("count"))
      }
    } catch let error as SQLiteError where error.reason == .damaged {
      return nil
    }
  }

  /// Runs a statement; returns whether it did not meet the damage.
  private func insert(_ sql: String) throws(SQLiteError) -> Bool {
    do {
      try database.execute(sql)
      return true
    } catch let error where error.reason == .damaged {
      return false
    }
  }

  /// Marks mean nothing without the key that they were made with.
  private func keepMarksWithKey() throws {
    let keys = try database.first("SELECT count(*) AS count FROM mark_key") {
      try $0.integer("count")
    }
    guard keys != 1 else { return }
    try database.execute(
      """
      DELETE FROM mark; DELETE FROM folded; DELETE FROM mark_key;
      INSERT INTO mark_key (key) VALUES (randomblob(16));
      """)
  }
}
