/// Writes what a run leaves besides its posts, within the caller's transaction: its parts, what it found
/// for each tag, and the outbox.
struct RunNotes {
  let database: Database

  /// Writes the notes; returns true if posts were pruned, too.
  ///
  /// - Parameter found: The posts of each search that are kept; none for a search without any.
  func write(_ batch: RunBatch, found: [SearchKey: [Fingerprint]]) throws -> Bool {
    let now = Milliseconds(batch.now)
    if let run = batch.run {
      let parts = run.parts.compactMap { part in
        found[part.search].map {
          StoredRunPart(search: part.search, answer: part.answer, posts: $0)
        }
      }
      try RunTable(database: database).replace(run, parts)
    }
    for sighting in batch.sightings { try TagTable(database: database).add(sighting, at: now) }
    try OutboxTable(database: database).insert(batch.outbox)
    let hasPruned = try batch.prunesBefore.map { date in
      try DailyPruning(database: database, now: now).prune(before: Milliseconds(date))
    }
    try Chore.fetched.set(to: now.count, in: database)
    return hasPruned ?? false
  }
}
