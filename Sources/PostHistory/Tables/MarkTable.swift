internal import SearchModel

/// The table of marks: which searches have read a post, whether it was printed, and its number while it
/// is kept.
///
/// A negative number of a search marks a post that its first run has read: to this search alone it is known from then
/// on, as if it had been printed, but to any other it may be new.
struct MarkTable {
  static let schema =
    """
    CREATE TABLE mark (
      fingerprint BLOB NOT NULL, search INTEGER NOT NULL, printed INTEGER NOT NULL,
      PRIMARY KEY (fingerprint, search)) WITHOUT ROWID;
    """ + FingerprintKey.schema

  private let database: Database
  let key: FingerprintKey

  init(_ database: Database) throws {
    self.database = database
    key = try FingerprintKey(database)
  }

  /// Adds a mark, or adds to one that is there.
  ///
  /// - Parameter post: The number of the post; nil if it is not kept.
  func add(
    _ fingerprint: Fingerprint, search: Int64, isPrinted: Bool, post: Int64? = nil
  ) throws {
    try MarkInsertion(database).add(
      fingerprint, search: search, isPrinted: isPrinted, post: post)
  }

  /// The number of a post that is kept; nil if it is not.
  func post(_ fingerprint: Fingerprint) throws -> Int64? {
    try MarkLookup(database).post(fingerprint)
  }

  /// Marks a post as known to a search, and to no other.
  func addKnown(_ fingerprint: Fingerprint, to search: Int64) throws {
    try MarkInsertion(database).add(fingerprint, search: -search, isPrinted: true, post: nil)
  }

  /// The facts known about a post.
  ///
  /// - Parameter search: The search that asks; nil if no run had it yet.
  func status(of fingerprint: Fingerprint, search: Int64?) throws -> PostStatus {
    var status = PostStatus(isPrinted: false, isRead: false)
    try database.each(
      "SELECT search, printed FROM mark WHERE fingerprint = :fingerprint",
      [":fingerprint": .bytes(fingerprint.bytes)]
    ) { row in
      let reader = try row.integer("search")
      let isOwn = search.map { $0.magnitude == reader.magnitude } ?? false
      if isOwn { status.isRead = true }
      if try row.bool("printed"), reader > 0 || isOwn { status.isPrinted = true }
      return true
    }
    return status
  }

  /// True if a search has found a post that has this number.
  func holds(_ fingerprint: Fingerprint, search: Int64, post: Int64) throws -> Bool {
    try database.first(
      "SELECT 1 FROM mark WHERE fingerprint = :fingerprint AND search = :search AND post = :post",
      [
        ":fingerprint": .bytes(fingerprint.bytes), ":search": .integer(search),
        ":post": .integer(post),
      ]
    ) { _ in true } ?? false
  }

  /// The tags that found a post, in their alphabetical order.
  func tags(_ fingerprint: Fingerprint, post: Int64) throws -> [TagKey] {
    try database.all(
      """
      SELECT DISTINCT search.tag, search.raw FROM mark JOIN search ON search.id = mark.search
      WHERE mark.fingerprint = :fingerprint AND mark.post = :post ORDER BY search.tag, search.raw
      """, [":fingerprint": .bytes(fingerprint.bytes), ":post": .integer(post)]
    ) { TagKey(tag: try $0.text("tag"), isRaw: try $0.bool("raw")) }
  }

  /// Calls `body` with each search and post of the posts that are kept, from a number on, and of those whose
  /// number says nothing of their date.
  func eachPost(from number: Int64, _ body: (_ search: Int64, _ post: Int64) -> Void) throws {
    // One walk through all marks, which have no index by search.
    try database.each(
      "SELECT search, post FROM mark WHERE post >= :number OR post < :dated",
      [":number": .integer(number), ":dated": .integer(PostNumber.firstDated)]
    ) { row in
      body(try row.integer("search"), try row.integer("post"))
      return true
    }
  }

  /// Takes a deleted post out; that it was printed stays known.
  func forget(post: Int64, _ fingerprint: Fingerprint) throws {
    let values: SQLiteValues = [
      ":fingerprint": .bytes(fingerprint.bytes), ":post": .integer(post),
    ]
    let those = "WHERE fingerprint = :fingerprint AND post = :post"
    try database.run("DELETE FROM mark \(those) AND printed = 0", values)
    try database.run("UPDATE mark SET post = NULL \(those)", values)
  }

  /// Takes back that a search has printed anything, and has read what is not kept.
  func forget(search: Int64) throws {
    let search: SQLiteValues = [":search": .integer(search)]
    try database.run(
      "DELETE FROM mark WHERE search IN (:search, -:search) AND post IS NULL", search)
    try database.run("UPDATE mark SET printed = 0 WHERE search = :search", search)
  }

  /// Version 5 of the schema: what was a table of its own, with the addresses of the posts that are kept,
  /// becomes a column.
  func takeFindings() throws {
    try database.execute("ALTER TABLE mark ADD COLUMN post INTEGER")
    try database.each(
      """
      SELECT finding.uri, source.name AS source, finding.search, finding.printed, finding.post
      FROM finding JOIN source ON source.id = finding.source
      """
    ) { row in
      let identity = PostIdentity(
        source: SourceName(rawValue: try row.text("source")), uri: try row.text("uri"))
      try add(
        key.fingerprint(of: identity), search: try row.integer("search"),
        isPrinted: try row.bool("printed"), post: try row.optionalInteger("post"))
      return true
    }
    try database.execute("DROP TABLE finding")
  }
}

/// Adds marks to their table.
struct MarkInsertion: ~Copyable {
  private let statement: Statement

  init(_ database: Database) throws {
    statement = try database.prepare(
      """
      INSERT INTO mark (fingerprint, search, printed, post) VALUES (?1, ?2, ?3, ?4)
      ON CONFLICT DO UPDATE SET
        printed = max(printed, excluded.printed), post = coalesce(excluded.post, post)
      WHERE printed < excluded.printed OR post IS NOT coalesce(excluded.post, post)
      """)
  }

  /// Adds a mark, or adds to one that is there.
  ///
  /// - Parameter post: The number of the post; nil if it is not kept.
  func add(
    _ fingerprint: Fingerprint, search: Int64, isPrinted: Bool, post: Int64?
  ) throws(SQLiteError) {
    try fingerprint.withBytes { (bytes) throws(SQLiteError) in
      try statement.bind(borrowing: bytes, at: 1)
      try statement.bind(search, at: 2)
      try statement.bind(isPrinted ? 1 : 0, at: 3)
      try statement.bind(post, at: 4)
      try statement.run()
    }
  }
}

/// Finds posts by their marks.
struct MarkLookup: ~Copyable {
  private let statement: Statement

  init(_ database: Database) throws {
    statement = try database.prepare(
      "SELECT post FROM mark WHERE fingerprint = ?1 AND post IS NOT NULL LIMIT 1")
  }

  /// The number of a post that is kept; nil if it is not.
  func post(_ fingerprint: Fingerprint) throws(SQLiteError) -> Int64? {
    try fingerprint.withBytes { (bytes) throws(SQLiteError) in
      try statement.bind(borrowing: bytes, at: 1)
      return try statement.number()
    }
  }
}
