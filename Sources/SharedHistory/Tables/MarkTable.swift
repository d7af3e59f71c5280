internal import PostHistory

/// The table of marks: which searches have read a post, and whether it was printed.
///
/// A negative number of a search marks a post that its first run has read: to this search alone it is known from then
/// on, as if it had been printed, but to any other it may be new.
struct MarkTable {
  let connection: PostgresConnection

  /// One search's mark of a post.
  struct Place: Hashable {
    let post: Int64
    let search: Int64
  }

  /// The meaning of a mark.
  struct Mark {
    var isPrinted = false
    /// True if the post was kept when the search read it.
    var isKept = false
  }

  /// Adds marks, or adds to those that are there.
  func add(_ marks: [Place: Mark]) throws {
    let all = marks.sorted { ($0.key.post, $0.key.search) < ($1.key.post, $1.key.search) }
    for part in Array(all).parts(of: PostTable.postsAtOnce) {
      try connection.run(
        """
        INSERT INTO mark (post, search, printed, kept)
        SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::boolean[], $4::boolean[])
        ON CONFLICT (post, search) DO UPDATE SET
          printed = mark.printed OR excluded.printed, kept = mark.kept OR excluded.kept
        WHERE excluded.printed AND NOT mark.printed OR excluded.kept AND NOT mark.kept
        """, .integers(part.map(\.key.post)), .integers(part.map(\.key.search)),
        .bools(part.map(\.value.isPrinted)), .bools(part.map(\.value.isKept)))
    }
  }

  /// Which of these posts any search has printed.
  func printed(among posts: [Int64]) throws -> Set<Int64> {
    Set(
      try connection.all(
        "SELECT post FROM mark WHERE post = ANY($1) AND printed AND search > 0",
        .integers(posts)
      ) { try $0.integer("post") })
  }

  /// Takes back that a search has printed anything, and has read what is not kept.
  func forget(search: Int64) throws {
    let posts = try connection.all(
      "DELETE FROM mark WHERE search IN ($1, -$1) AND NOT kept RETURNING post", .integer(search)
    ) { try $0.integer("post") }
    try IdentityTable(connection: connection).deleteUnmarked(posts)
    try connection.run(
      "UPDATE mark SET printed = false WHERE search = $1 AND printed", .integer(search))
  }
}
