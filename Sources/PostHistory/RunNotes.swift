/// Writes what a run leaves besides its posts, within the caller's transaction: its parts, what it found
/// for each tag, and the outbox.
struct RunNotes {
  /// The bytes of a run's parts from which on the next ones are in another row.
  private static let bytesInPiece = 1 << 18

  let database: Database

  /// Writes the notes; returns true if posts were pruned, too.
  ///
  /// - Parameter kept: Returns the posts of a search that are kept; nil for one that is not in the batch.
  ///   Asked in the order of the run's parts.
  func write<Posts: Collection<Fingerprint>>(
    _ batch: RunBatch, kept: (SearchKey) -> Posts?
  ) throws -> Bool {
    let now = Milliseconds(batch.now)
    if let run = batch.run {
      var rest = run.parts.makeIterator()
      try RunTable(database: database).replace(run) {
        var parts = StoredRunPartWriter()
        while parts.count < Self.bytesInPiece, let part = rest.next() {
          if let posts = kept(part.search) { parts.write(part.search, part.answer, posts: posts) }
        }
        return parts.count > 0 ? parts.bytes : nil
      }
    }
    for sighting in batch.sightings { try TagTable(database: database).add(sighting, at: now) }
    try OutboxTable(database: database).insert(batch.outbox)
    try CostTable(database: database).add(batch.costs, at: now)
    let hasPruned = try batch.prunesBefore.map { date in
      try DailyPruning(database: database, now: now).prune(before: Milliseconds(date))
    }
    try database.forgetFolded(ofDaysBefore: now)
    try Chore.fetched.set(to: now.count, in: database)
    return hasPruned ?? false
  }
}
