package import FoundationEssentials
package import SearchModel

/// The memory of runs, and what they leave for later ones.
extension SQLiteHistory {
  package func costs(at now: Date) throws(HistoryError) -> [SourceName: Int] {
    try read { try CostTable(database: $0).sums(at: Milliseconds(now)) }
  }

  package func memories(
    of searches: [SearchKey], filter: String
  ) throws(HistoryError) -> [SearchKey: SearchMemory] {
    try readAll { database in
      let table = SearchTable(database: database)
      var memories: [SearchKey: SearchMemory] = [:]
      for search in searches { memories[search] = try table.memory(of: search, filter: filter) }
      return memories
    }
  }

  package func status(
    of posts: [Post], in search: SearchKey
  ) throws(HistoryError) -> [PostStatus] {
    try readAll { database in
      let number = try SearchTable(database: database).find(search)
      let marks = try MarkTable(database)
      let skimmed = SkimmedTable(database: database, key: marks.key)
      return try posts.map { post in
        let identity = PostIdentity(post)
        var status = try marks.status(of: marks.key.fingerprint(of: identity), search: number)
        if !status.isRead, let number {
          status.isRead = try skimmed.holds(identity.uri, of: number)
        }
        return status
      }
    }
  }

  package func unprinted(_ posts: [Post]) throws(HistoryError) -> [Post] {
    try readAll { database in
      let marks = try MarkTable(database)
      return try posts.filter { post in
        let fingerprint = marks.key.fingerprint(of: PostIdentity(post))
        return try !marks.status(of: fingerprint, search: nil).isPrinted
      }
    }
  }

  package func commit(_ batch: RunBatch) throws(HistoryError) {
    if batch.isPlain { return try spool(batch) }
    let writing = { (database: Database) in
      var writer = try BatchWriter(database, batch)
      return try writer.write()
    }
    // Marks alone do not depend on what is spooled, and a signal does not wait for it.
    let hasPruned = batch.keepsPosts ? try writeOnAll(writing) : try write(writing)
    if hasPruned { try emptyLog() }
  }

  package func forget(tags: [String]?) throws(HistoryError) -> Int {
    try write { database in
      let tags = tags.map(Set.init)
      let searches = SearchTable(database: database)
      let forgotten = try searches.remembered().filter { search in
        tags.map { $0.contains(search.tag) } ?? true
      }
      let marks = try MarkTable(database)
      for (number, _) in forgotten {
        try marks.forget(search: number)
        try searches.forget(number)
        try ReachTable(database: database).forget(number)
        try SkimmedTable(database: database, key: marks.key).forget(number)
      }
      return forgotten.count
    }
  }

  package func run(named name: String) throws(HistoryError) -> PastRun? {
    try readAll { try KeptAnswers($0).run(named: name) }
  }

  package func windows(
    of search: SearchKey, filter: String
  ) throws(HistoryError) -> [StoredWindow] {
    try readAll { try KeptAnswers($0).windows(of: search, filter: filter) }
  }

  package func tags() throws(HistoryError) -> [TagKey: TagMemory] {
    try read { try TagTable(database: $0).all() }
  }

  package func found(
    from first: Date, until last: Date
  ) throws(HistoryError) -> [TagKey: Set<PostIdentity>] {
    try readAll { database in
      let shift = try Chore.shift.value(in: database)
      return try KeptAnswers(database).found(from: first, until: last, shift: shift)
    }
  }

  package func answers(
    to searches: [SearchKey], since: Date?, until: Date?
  ) throws(HistoryError) -> [SearchKey: (answered: Date, posts: [Post])] {
    try readAll {
      try KeptAnswers($0).answers(to: searches, since: since, until: until)
    }
  }
}
