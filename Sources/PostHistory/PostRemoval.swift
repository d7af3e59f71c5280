internal import SearchModel

/// Deletes posts from all tables, within the caller's transaction.
struct PostRemoval {
  let database: Database

  /// Deletes a post with its earlier texts; that it was printed stays known.
  func remove(_ stored: StoredPost) throws {
    try WordTable(database: database).delete(IndexTexts(of: stored.post), stored.number)
    try PostTable(database: database).delete(stored.number)
    try RevisionTable(database: database).delete(of: stored.number)
    let marks = try MarkTable(database)
    let fingerprint = marks.key.fingerprint(of: stored.post)
    try marks.forget(post: stored.number, fingerprint)
    try database.forgetFolded()
  }
}
