internal import SearchModel

/// The table of the earlier bodies of edited posts.
struct RevisionTable {
  let database: Database

  func insert(_ body: [UInt8], of post: Int64, replaced: Milliseconds) throws {
    try database.run(
      "INSERT OR REPLACE INTO revision (post, replaced, body) VALUES (:post, :replaced, :body)",
      [":post": .integer(post), ":replaced": .integer(replaced.count), ":body": .bytes(body)])
  }

  /// The earlier bodies of a post, the latest first.
  func bodies(of post: Int64) throws -> [[UInt8]] {
    try database.all(
      "SELECT body FROM revision WHERE post = :post ORDER BY replaced DESC",
      [":post": .integer(post)]
    ) { try $0.bytes("body") }
  }

  func delete(of post: Int64) throws {
    try database.run("DELETE FROM revision WHERE post = :post", [":post": .integer(post)])
  }
}
