package import FoundationEssentials
package import SearchModel

/// What runs remember, and what they left for later ones.
extension SQLiteHistory {
  package func lease(_ searches: [SearchKey]) throws(HistoryError) -> RunLease {
    try read { database in
      let table = SearchTable(database: database)
      var lease = RunLease()
      for search in searches { lease.memories[search] = try table.memory(of: search) }
      return lease
    }
  }

  package func status(
    of posts: [Post], in search: SearchKey
  ) throws(HistoryError) -> [PostStatus] {
    try read { database in
      let number = try SearchTable(database: database).find(search)
      let sources = NameTable.sources(database)
      let findings = FindingTable(database: database)
      var numbers: [SourceName: Int64] = [:]
      return try posts.map { post in
        let identity = PostIdentity(post)
        let known = try numbers[identity.source] ?? sources.find(identity.source.rawValue)
        guard let source = known else { return PostStatus(isPrinted: false, isRead: false) }
        numbers[identity.source] = source
        return try findings.status(uri: identity.uri, source: source, search: number)
      }
    }
  }

  package func commit(_ batch: RunBatch) throws(HistoryError) {
    try write { database in
      var writer = BatchWriter(database, batch)
      try writer.write()
    }
  }

  package func forget(tags: [String]?) throws(HistoryError) -> Int {
    try write { database in
      let tags = tags.map(Set.init)
      let searches = SearchTable(database: database)
      let forgotten = try searches.remembered().filter { search in
        tags.map { $0.contains(search.tag) } ?? true
      }
      for (number, _) in forgotten {
        try searches.forget(number)
        try FindingTable(database: database).forget(search: number)
      }
      return forgotten.count
    }
  }

  package func run(named name: String) throws(HistoryError) -> RunRecord? {
    try read { try KeptAnswers($0).run(named: name) }
  }

  package func windows(
    of search: SearchKey, filter: String
  ) throws(HistoryError) -> [StoredWindow] {
    try read { try KeptAnswers($0).windows(of: search, filter: filter) }
  }

  package func tags() throws(HistoryError) -> [TagKey: TagMemory] {
    try read { try TagTable(database: $0).all() }
  }

  package func found(
    from first: Date, until last: Date
  ) throws(HistoryError) -> [TagKey: Set<PostIdentity>] {
    try read { database in
      let shift = try Chore.shift.value(in: database)
      return try FindingTable(database: database).found(from: first, until: last, shift: shift)
    }
  }

  package func answers(
    to searches: [SearchKey], since: Date?, until: Date?, limit: Int?
  ) throws(HistoryError) -> [SearchKey: (answered: Date, posts: [Post])] {
    try read {
      try KeptAnswers($0).answers(to: searches, since: since, until: until, limit: limit)
    }
  }
}
