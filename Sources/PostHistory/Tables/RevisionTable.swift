internal import SearchModel

/// The table of the earlier bodies of edited posts.
struct RevisionTable {
  let database: Database

  func insert(_ body: String, of post: Int64, replaced: Milliseconds) throws {
    try database.run(
      "INSERT OR REPLACE INTO revision (post, replaced, body) VALUES (:post, :replaced, :body)",
      [":post": .integer(post), ":replaced": .integer(replaced.count), ":body": .text(body)])
  }

  /// The earlier bodies of a post, oldest first.
  func bodies(of identity: PostIdentity) throws -> [String] {
    try database.all(
      """
      SELECT DISTINCT revision.body, revision.replaced FROM finding
      JOIN source ON source.id = finding.source
      JOIN revision ON revision.post = finding.post
      WHERE finding.uri = :uri AND source.name = :source ORDER BY revision.replaced
      """, [":uri": .text(identity.uri), ":source": .text(identity.source.rawValue)]
    ) { try $0.text("body") }
  }

  func delete(of post: Int64) throws {
    try database.run("DELETE FROM revision WHERE post = :post", [":post": .integer(post)])
  }
}
