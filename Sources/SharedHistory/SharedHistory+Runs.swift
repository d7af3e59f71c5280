package import FoundationEssentials
package import PostHistory
package import SearchModel

/// The memory of runs, and what they leave for later ones.
extension SharedHistory {
  /// None: each lane has its own, which `SharedWork` commits with its lease.
  package func costs(at now: Date) -> [SourceName: Int] { [:] }

  package func memories(
    of searches: [SearchKey], filter: String
  ) throws(HistoryError) -> [SearchKey: SearchMemory] {
    try readOnce { connection in
      try SearchTable(connection: connection, key: key).memories(of: searches, filter: filter)
    }
  }

  package func status(
    of posts: [Post], in search: SearchKey
  ) throws(HistoryError) -> [PostStatus] {
    let identities = posts.map { PostIdentity($0) }
    return try readOnce { connection in
      try SearchTable(connection: connection, key: key).status(of: identities, in: search)
    }
  }

  package func commit(_ batch: RunBatch) throws(HistoryError) {
    // The same tokens where the transaction is repeated.
    let whole = batch.withTokens
    try write { try BatchWriter($0, key: key, whole).write() }
  }

  /// Nothing is left for later here: the server does what is to be done.
  package func fold(within limit: Duration?) throws(HistoryError) {}

  /// PostgreSQL keeps its own files small.
  package func tidy(now: Date) throws(HistoryError) {}

  package func forget(tags: [String]?) throws(HistoryError) -> Int {
    let tags = tags.map(Set.init)
    return try write { connection in
      let searches = SearchTable(connection: connection, key: key)
      let forgotten = try searches.remembered().filter { search in
        tags.map { $0.contains(search.tag) } ?? true
      }
      for (number, _) in forgotten {
        try MarkTable(connection: connection).forget(search: number)
        try searches.forget(number)
      }
      return forgotten.count
    }
  }

  package func run(named name: String) throws(HistoryError) -> PastRun? {
    try read { try RunNotesTable(connection: $0, key: key).run(named: name) }
  }

  package func windows(
    of search: SearchKey, filter: String
  ) throws(HistoryError) -> [StoredWindow] {
    try read { connection in
      let searches = SearchTable(connection: connection, key: key)
      return try searches.find(search).map { try searches.windows(of: $0, filter: filter) } ?? []
    }
  }

  package func tags() throws(HistoryError) -> [TagKey: TagMemory] {
    try read { try RunNotesTable(connection: $0, key: key).tags() }
  }

  package func found(
    from first: Date, until last: Date
  ) throws(HistoryError) -> [TagKey: Set<PostIdentity>] {
    try read { connection in
      var found: [TagKey: Set<PostIdentity>] = [:]
      let condition = """
        JOIN mark ON mark.post = post.id AND mark.kept JOIN search ON search.id = mark.search
        WHERE post.place >= $1 AND post.place < $2
          OR post.place = \(PostDraft.ahead) AND post.created >= $1 AND post.created < $2
        """
      try PostTable(connection: connection).walk(
        condition, [.date(first), .date(last)], columns: ", search.tag, search.raw"
      ) { stored, row in
        if stored.post.isOpen {
          let key = TagKey(tag: try row.text("tag"), isRaw: try row.bool("raw"))
          found[key, default: []].insert(PostIdentity(stored.post))
        }
        return true
      }
      return found
    }
  }

  package func answers(
    to keys: [SearchKey], since: Date?, until: Date?
  ) throws(HistoryError) -> [SearchKey: (answered: Date, posts: [Post])] {
    try read { connection in
      let searches = SearchTable(connection: connection, key: key)
      var answers: [SearchKey: (answered: Date, posts: [Post])] = [:]
      for key in Set(keys) {
        guard let (number, answered) = try searches.answer(to: key) else { continue }
        let posts = try newest(
          of: number, since: since, until: until, in: connection)
        answers[key] = (answered, posts)
      }
      return answers
    }
  }

  /// The newest posts of a search that were written within some dates, and those without a date.
  private func newest(
    of search: Int64, since: Date?, until: Date?, in connection: PostgresConnection
  ) throws -> [Post] {
    let condition = """
      JOIN mark ON mark.post = post.id AND mark.search = $1 AND mark.kept
      WHERE post.place >= $2 OR post.place <= \(PostDraft.ahead)
      ORDER BY post.place DESC, post.id DESC
      """
    let first = since.map { Milliseconds($0).count - 1 } ?? .min
    var found: [Post] = []
    try PostTable(connection: connection).walk(
      condition, [.integer(search), .integer(first)]
    ) { stored, _ in
      if stored.post.createdAt?.isWithin(since: since, until: until) ?? true {
        found.append(stored.post)
      }
      return true
    }
    return found
  }
}

extension RunBatch {
  /// The same, where each of the outbox has a random name that nobody else has.
  var withTokens: RunBatch {
    var batch = self
    for index in batch.outbox.indices { batch.outbox[index].token = Self.token() }
    return batch
  }

  private static func token() -> String {
    (0..<2).map { _ in
      let digits = String(UInt64.random(in: 0 ... .max), radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }
}
