internal import FoundationEssentials
internal import PostHistory
internal import SearchModel
internal import TextFormats

/// A row of the table of posts, read back.
struct StoredPost {
  /// The columns that `init(_:)` reads.
  static let columns = "post.id, post.place, post.source, post.server, post.created, post.body"
  /// The tags that found a post, in their alphabetical order, as a text of JSON.
  static let tags = """
    , array_to_json(ARRAY(
      SELECT DISTINCT search.tag COLLATE "C" AS name
      FROM mark JOIN search ON search.id = mark.search
      WHERE mark.post = post.id AND mark.kept ORDER BY name))::text AS tags
    """

  let number: Int64
  let place: Int64
  let body: [UInt8]
  let post: Post

  /// Reads a row; nil when it is not what searchagg writes.
  init?(_ row: borrowing PostgresRow) throws {
    number = try row.integer("id")
    place = try row.integer("place")
    body = try row.bytes("body")
    let address = try row.text("server")
    let created = try row.optionalInteger("created").map { Milliseconds(count: $0).date }
    guard let server = ServerAddress(address) ?? ServerAddress.whole(address),
      let post = PostBody.post(
        from: body[...], source: SourceName(rawValue: try row.text("source")), server: server,
        createdAt: created)
    else { return nil }
    self.post = post
  }

  /// The tags of a row that has them.
  static func tags(in row: borrowing PostgresRow) throws -> [String] {
    guard case .array(let tags) = try JSONValue(reading: try row.bytes("tags")) else { return [] }
    return tags.compactMap { if case .string(let tag) = $0 { tag } else { nil } }
  }
}
