internal import FoundationEssentials

/// The table of the posts that plain runs have read, before they are moved into the other tables: some
/// rows for each search, without an index of what they hold.
struct SpoolTable {
  static let schema = """
    CREATE TABLE spool (
      id INTEGER PRIMARY KEY AUTOINCREMENT, search INTEGER NOT NULL, run INTEGER NOT NULL,
      fetched INTEGER NOT NULL, count INTEGER NOT NULL, posts BLOB NOT NULL);
    CREATE INDEX spool_search ON spool (search, run);
    """

  /// The posts of a row that is written.
  typealias Part = (count: Int, posts: [UInt8])

  /// A row as it is read back.
  struct Stored: Sendable {
    let id: Int64
    let search: Int64
    let run: Int64
    let fetched: Milliseconds
    let count: Int
    let posts: [UInt8]
  }

  /// The size of what is waiting.
  struct Size: Hashable {
    /// Nil if nobody has counted them.
    var bytes: Int64?
    var runs: Int64
    /// The run's now of the first row.
    var oldest: Milliseconds?
  }

  let database: Database

  /// A number for a run that is greater than those of all earlier runs.
  func nextRun() throws -> Int64 {
    // A row with the number of an earlier one was read by an earlier run.
    let last = try database.first("SELECT seq FROM sqlite_sequence WHERE name = 'spool'") {
      try $0.integer("seq")
    }
    return (last ?? 0) + 1
  }

  /// Adds what one search has read, unless its last run has left the same.
  ///
  /// - Parameters:
  ///   - parts: The posts in parts; each is a row.
  ///   - isNew: Whether no earlier run had the search.
  func insert(
    _ parts: [Part], search: Int64, isNew: Bool, run: Int64, fetched: Milliseconds
  ) throws {
    if !isNew, try holds(parts.map(\.posts), search: search) { return }
    let insert = try database.prepare(
      "INSERT INTO spool (search, run, fetched, count, posts) VALUES (?1, ?2, ?3, ?4, ?5)")
    for part in parts {
      for (place, number) in [search, run, fetched.count, Int64(part.count)].enumerated() {
        try insert.bind(number, at: Int32(place + 1))
      }
      try part.posts.withUnsafeBytes { posts in
        try insert.bind(borrowing: posts, at: 5)
        try insert.run()
      }
    }
  }

  /// True if something of a search is waiting.
  func has(_ search: Int64) throws -> Bool {
    try database.first(
      "SELECT 1 FROM spool WHERE search = :search LIMIT 1", [":search": .integer(search)]
    ) { _ in true } ?? false
  }

  /// True if the last run that left anything of a search has left exactly these parts.
  private func holds(_ parts: [[UInt8]], search: Int64) throws -> Bool {
    var rest = parts[...]
    var isSame = true
    try database.each(
      """
      SELECT posts FROM spool
      WHERE search = :search AND run = (SELECT max(run) FROM spool WHERE search = :search)
      ORDER BY id
      """, [":search": .integer(search)]
    ) { row in
      isSame = try row.holds(rest.popFirst() ?? [], in: "posts")
      return isSame
    }
    return isSame && rest.isEmpty
  }

  /// The oldest rows, as many as hold a number of posts or of bytes, but at least one.
  func oldest(posts: Int, bytes: Int) throws -> [Stored] {
    var rows: [Stored] = []
    var count = 0
    var size = 0
    try database.each("SELECT id, search, run, fetched, count, posts FROM spool ORDER BY id") {
      row in
      let row = Stored(
        id: try row.integer("id"), search: try row.integer("search"),
        run: try row.integer("run"), fetched: Milliseconds(count: try row.integer("fetched")),
        count: Int(try row.integer("count")), posts: try row.bytes("posts"))
      count += row.count
      rows.append(row)
      size += rows.last?.posts.count ?? 0
      return count < posts && size < bytes
    }
    return rows
  }

  func delete(upTo id: Int64) throws {
    try database.run("DELETE FROM spool WHERE id <= :id", [":id": .integer(id)])
  }

  func isEmpty() throws -> Bool {
    try database.first("SELECT 1 FROM spool LIMIT 1") { _ in false } ?? true
  }

  /// - Parameter countsBytes: Whether to count the bytes, for which everything that is waiting is read.
  func size(countsBytes: Bool) throws -> Size {
    Size(
      bytes: countsBytes ? try sum("length(posts)") : nil,
      // The index holds all that this needs.
      runs: try database.first("SELECT count(DISTINCT run) AS runs FROM spool") {
        try $0.integer("runs")
      } ?? 0,
      oldest: try database.first("SELECT fetched FROM spool ORDER BY id LIMIT 1") {
        Milliseconds(count: try $0.integer("fetched"))
      })
  }

  /// The number of posts that are waiting.
  func postCount() throws -> Int64 { try sum("count") }

  private func sum(_ expression: String) throws -> Int64 {
    try database.first("SELECT coalesce(sum(\(expression)), 0) AS total FROM spool") {
      try $0.integer("total")
    } ?? 0
  }
}
