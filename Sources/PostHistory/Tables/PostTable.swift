internal import FoundationEssentials
internal import SearchModel

/// The table of posts.
struct PostTable {
  let database: Database

  func find(_ number: Int64) throws -> StoredPost? {
    try database.first(
      "SELECT \(StoredPost.columns) FROM \(StoredPost.tables) WHERE post.id = :number",
      [":number": .integer(number)]
    ) { try StoredPost($0) } ?? nil
  }

  /// The moment at which a post was fetched last, if it is stored with this body, which SQLite compares by bytes; nil
  /// if it is not.
  func fetched(_ number: Int64, with body: ArraySlice<UInt8>) throws -> Milliseconds? {
    let statement = try database.prepare("SELECT fetched FROM post WHERE id = ?1 AND body = ?2")
    return try body.withUnsafeBytes { bytes in
      try statement.bind(number, at: 1)
      try statement.bind(borrowing: bytes, at: 2)
      return try statement.number().map { Milliseconds(count: $0) }
    }
  }

  /// The posts with an identifier, `uri` or page address.
  func all(named name: String) throws -> [StoredPost] {
    try database.all(
      """
      SELECT \(StoredPost.columns) FROM \(StoredPost.tables)
      WHERE iif(typeof(post.body) = 'blob', instr(post.body, :bytes) > 0,
        :name IN (
          json_extract(post.body, '$.r'), json_extract(post.body, '$.i'),
          json_extract(post.body, '$.u')))
      """, [":name": .text(name), ":bytes": .bytes(Array(name.utf8))]
    ) { try StoredPost($0) }
    .compactMap(\.self)
    .filter { [$0.post.uri, $0.post.id, $0.post.url].contains(name) }
  }

  /// Calls `body` with each post that was written in a span of dates.
  ///
  /// - Parameter shift: The largest distance of a post's number from its date, in seconds.
  func each(
    from first: Date, until last: Date, shift: Int64, _ body: (StoredPost) throws -> Void
  ) throws {
    try database.each(
      """
      SELECT \(StoredPost.columns) FROM \(StoredPost.tables)
      WHERE (post.id >= :low AND post.id < :high OR post.id < :dated)
        AND post.created >= :first AND post.created < :last
      """,
      [
        ":dated": .integer(PostNumber.firstDated),
        ":low": .integer(PostNumber.first(ofSecond: Milliseconds(first).second)),
        ":high": .integer(PostNumber.first(ofSecond: Milliseconds(last).second + 1 + shift)),
        ":first": .date(first), ":last": .date(last),
      ]
    ) { row in
      if let stored = try StoredPost(row) { try body(stored) }
      return true
    }
  }

  /// The oldest posts that were both written and fetched before a date: their numbers, and the posts
  /// where the rows can be read.
  func all(
    before date: Milliseconds, atMost limit: Int
  ) throws -> [(number: Int64, stored: StoredPost?)] {
    try database.all(
      """
      SELECT \(StoredPost.columns) FROM \(StoredPost.tables)
      WHERE post.id < :number AND post.fetched < :date ORDER BY post.id LIMIT :limit
      """,
      [
        ":number": .integer(PostNumber.first(ofSecond: date.second + 1)),
        ":date": .integer(date.count), ":limit": .integer(Int64(limit)),
      ]
    ) { (try $0.integer("number"), try StoredPost($0)) }
  }

  /// Writes what has changed of a post.
  func update(_ number: Int64, body: [UInt8], fetched: Milliseconds) throws {
    try database.run(
      "UPDATE post SET body = :body, fetched = max(fetched, :fetched) WHERE id = :number",
      [
        ":body": .bytes(body), ":fetched": .integer(fetched.count), ":number": .integer(number),
      ])
  }

  /// Notes that a post was fetched again, as it was.
  func renew(_ number: Int64, fetched: Milliseconds) throws {
    try database.run(
      "UPDATE post SET fetched = :fetched WHERE id = :number",
      [":fetched": .integer(fetched.count), ":number": .integer(number)])
  }

  func delete(_ number: Int64) throws {
    try database.run("DELETE FROM post WHERE id = :number", [":number": .integer(number)])
  }

  /// The greatest number of a post; that of the oldest one could be without any.
  func greatest() throws -> Int64 {
    try database.first("SELECT max(id) AS last FROM post") { try $0.optionalInteger("last") }
      .flatMap(\.self) ?? .min
  }

  /// The number after the last one that is taken in a range.
  func firstFree(from first: Int64, to end: Int64) throws -> Int64 {
    let last =
      try database.first(
        "SELECT max(id) AS last FROM post WHERE id >= :first AND id < :end",
        [":first": .integer(first), ":end": .integer(end)]
      ) { try $0.optionalInteger("last") } ?? nil
    return last.map { $0 + 1 } ?? first
  }
}

/// Adds rows to the table of posts.
struct PostInsertion: ~Copyable {
  private let statement: Statement

  init(_ database: Database) throws {
    statement = try database.prepare(
      """
      INSERT INTO post (id, source, server, created, fetched, body)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6)
      """)
  }

  /// Adds a row.
  ///
  /// - Parameters:
  ///   - source: The number of the post's network.
  ///   - server: The number of its server.
  func insert(
    _ number: Int64, source: Int64, server: Int64, created: Date?, fetched: Milliseconds,
    body: ArraySlice<UInt8>
  ) throws {
    try body.withUnsafeBytes { bytes in
      try statement.bind(number, at: 1)
      try statement.bind(source, at: 2)
      try statement.bind(server, at: 3)
      try statement.bind(created.map { Milliseconds($0).count }, at: 4)
      try statement.bind(fetched.count, at: 5)
      try statement.bind(borrowing: bytes, at: 6)
      try statement.run()
    }
  }
}
