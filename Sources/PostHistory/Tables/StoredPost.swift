internal import FoundationEssentials
internal import SearchModel

/// A row of the table of posts, read back.
struct StoredPost {
  /// The columns that `init(_:)` reads.
  static let columns = """
    post.id AS number, source.name AS source, server.address AS server, post.created, post.body
    """
  /// The tables that they are from.
  static let tables =
    "post JOIN source ON source.id = post.source JOIN server ON server.id = post.server"

  let number: Int64
  let body: [UInt8]
  let post: Post

  /// Reads a row; nil when it is not what searchagg writes.
  init?(_ row: borrowing Row) throws {
    number = try row.integer("number")
    body = try row.bytes("body")
    let address = try row.text("server")
    guard let server = ServerAddress(address) ?? ServerAddress.whole(address),
      let post = PostBody.post(
        from: body[...], source: SourceName(rawValue: try row.text("source")), server: server,
        createdAt: try row.date("created"))
    else { return nil }
    self.post = post
  }
}
