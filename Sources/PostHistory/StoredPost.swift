internal import FoundationEssentials
internal import GRDB
internal import SearchModel

/// A row of the table of posts, read back.
struct StoredPost {
  /// The columns that `init(_:)` reads, in its order.
  static let columns = "post.id, source.name, server.address, post.created, post.body"
  /// The tables that they are from.
  static let tables =
    "post JOIN source ON source.id = post.source JOIN server ON server.id = post.server"

  let number: Int64
  let body: String
  var post: Post

  /// Reads a row; nil when it is not what searchagg writes.
  init?(_ row: Row) {
    number = row[0]
    body = row[4]
    guard let server = ServerAddress(row[2]) ?? ServerAddress.whole(row[2]),
      let post = PostBody.post(
        from: body, source: SourceName(rawValue: row[1]), server: server,
        createdAt: (row[3] as Int64?).map { Milliseconds(count: $0).date })
    else { return nil }
    self.post = post
  }

  static func find(_ number: Int64, in database: Database) throws -> StoredPost? {
    try Row.fetchOne(
      database.cachedStatement(sql: "SELECT \(columns) FROM \(tables) WHERE post.id = ?"),
      arguments: [number]
    ).flatMap(StoredPost.init)
  }

  /// Returns the tags that found it, in their alphabetical order.
  func tags(in database: Database) throws -> [String] {
    let identity = PostIdentity(post)
    return try String.fetchAll(
      database.cachedStatement(
        sql: """
          SELECT DISTINCT search.tag FROM finding JOIN search ON search.id = finding.search
          WHERE finding.uri = ? AND finding.post = ? ORDER BY search.tag
          """), arguments: [identity.uri, number])
  }

  /// Takes it out of the full-text index, which needs the texts that it was indexed with.
  func deleteWords(in database: Database) throws {
    let texts = IndexTexts(of: post)
    try database.cachedStatement(
      sql: "INSERT INTO post_words (post_words, rowid, words, facets) VALUES ('delete', ?, ?, ?)"
    ).execute(arguments: [number, texts.words, texts.facets])
  }

  /// Deletes it with its earlier texts; that it was printed stays known.
  func delete(in database: Database) throws {
    try deleteWords(in: database)
    try database.cachedStatement(sql: "DELETE FROM post WHERE id = ?").execute(arguments: [number])
    try database.cachedStatement(sql: "DELETE FROM revision WHERE post = ?")
      .execute(arguments: [number])
    let uri = PostIdentity(post).uri
    try database.cachedStatement(
      sql: "DELETE FROM finding WHERE uri = ? AND post = ? AND printed = 0"
    )
    .execute(arguments: [uri, number])
    try database.cachedStatement(sql: "UPDATE finding SET post = NULL WHERE uri = ? AND post = ?")
      .execute(arguments: [uri, number])
  }
}

/// The texts that a post is indexed with; the index needs them again to delete it.
struct IndexTexts: Equatable, Sendable {
  let words: String
  let facets: String

  init(of post: Post) {
    words = IndexedText.indexed(post.searchableText)
    facets = PostFacets.indexed(of: post)
  }
}
