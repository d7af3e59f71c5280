internal import FoundationEssentials
internal import GRDB
internal import SearchModel

/// Writes a run's posts and marks, within the caller's transaction.
struct BatchWriter {
  private let database: Database
  private let batch: RunBatch
  private let fetched: Int64
  private var sources: [SourceName: Int64] = [:]
  private var servers: [ServerAddress: Int64] = [:]
  /// The next free number in each second that this batch has written to.
  private var nextNumbers: [Int64: Int64] = [:]
  /// The largest distance of a post's number from its date, in seconds.
  private var longestShift: Int64 = 0

  private let selectFindings: Statement
  private let insertFinding: Statement
  private let insertPost: Statement
  private let insertWords: Statement

  init(_ database: Database, _ batch: RunBatch) throws {
    self.database = database
    self.batch = batch
    fetched = Milliseconds(batch.now).count
    selectFindings = try database.cachedStatement(
      sql: "SELECT post FROM finding WHERE uri = ? AND source = ? AND post IS NOT NULL LIMIT 1")
    insertFinding = try database.cachedStatement(
      sql: """
        INSERT INTO finding (uri, source, search, printed, post) VALUES (?, ?, ?, ?, ?)
        ON CONFLICT DO UPDATE SET
          printed = max(printed, excluded.printed), post = coalesce(excluded.post, post)
        """)
    insertPost = try database.cachedStatement(
      sql: """
        INSERT INTO post (id, source, server, created, fetched, body) VALUES (?, ?, ?, ?, ?, ?)
        """)
    insertWords = try database.cachedStatement(
      sql: "INSERT INTO post_words (rowid, words, facets) VALUES (?, ?, ?)")
  }

  mutating func write() throws {
    var numbers: [PostIdentity: Int64?] = [:]
    var written: [SearchKey: RunTables.WrittenFinding] = [:]
    for finding in batch.findings {
      let search = try number(of: finding.search)
      if let memory = finding.memory { try remember(memory, of: search) }
      var stored = written[finding.search] ?? RunTables.WrittenFinding(search: search)
      // Oldest first, so that most rows are appended to their tables.
      for post in finding.posts.sorted(by: Self.isOlder) {
        let identity = PostIdentity(post)
        let source = try number(of: post.source)
        if numbers[identity] == nil {
          numbers[identity] = batch.keepsPosts ? try store(post, identity, source) : .some(nil)
        }
        try insertFinding.execute(arguments: [
          identity.uri, source, search, batch.printed.contains(identity),
          numbers[identity] ?? nil,
        ])
        if let number = numbers[identity] ?? nil { stored.posts.append(number) }
      }
      written[finding.search] = stored
    }
    try RunTables(database, now: fetched).write(batch, written)
    if longestShift > 0 { try Chore.shift.raise(to: longestShift, in: database) }
    if let date = batch.prunesBefore { try pruneOnceADay(before: date) }
  }

  private func pruneOnceADay(before date: Date) throws {
    let day = fetched / 86_400_000
    guard try Chore.pruning.value(in: database) < day else { return }
    try RunTables(database, now: fetched).prune(before: date)
    let count = try Pruning(before: date).prune(atMost: Pruning.part, in: database)
    // What is left is for the next runs.
    if count < Pruning.part { try Chore.pruning.raise(to: day, in: database) }
  }

  private static func isOlder(_ one: Post, _ other: Post) -> Bool {
    switch (one.createdAt, other.createdAt) {
    case (let one?, let other?): one < other
    case (nil, _?): true
    case (_, nil): false
    }
  }

  // MARK: Posts

  /// Stores a post, or what has changed of it, and returns its number.
  private mutating func store(
    _ post: Post, _ identity: PostIdentity, _ source: Int64
  ) throws -> Int64 {
    let body = PostBody.text(of: post)
    if let number = try Int64.fetchOne(selectFindings, arguments: [identity.uri, source]),
      let stored = try StoredPost.find(number, in: database)
    {
      try update(stored, to: post, body)
      return number
    }
    let number = try freeNumber(for: post)
    try insertPost.execute(arguments: [
      number, source, self.number(of: post.server), post.createdAt.map { Milliseconds($0).count },
      fetched, body,
    ])
    try insertWords.execute(arguments: [
      number, IndexedPost.words(of: post), PostFacets.indexed(of: post),
    ])
    return number
  }

  private func update(_ stored: StoredPost, to post: Post, _ body: String) throws {
    guard stored.body != body else { return }
    let old = stored.post
    if old.searchableText != post.searchableText {
      try database.execute(
        sql: "INSERT OR REPLACE INTO revision (post, replaced, body) VALUES (?, ?, ?)",
        arguments: [stored.number, fetched, stored.body])
    }
    let (words, facets) = (IndexedPost.words(of: post), PostFacets.indexed(of: post))
    let (oldWords, oldFacets) = (IndexedPost.words(of: old), PostFacets.indexed(of: old))
    if words != oldWords || facets != oldFacets {
      try stored.deleteWords(in: database)
      try insertWords.execute(arguments: [stored.number, words, facets])
    }
    try database.execute(
      sql: "UPDATE post SET body = ? WHERE id = ?", arguments: [body, stored.number])
  }

  private mutating func freeNumber(for post: Post) throws -> Int64 {
    let tolerated = fetched + Int64(Merge.toleratedLead * 1000)
    guard let created = post.createdAt.map({ Milliseconds($0) }), created.count <= tolerated else {
      let last = try Int64.fetchOne(
        database, sql: "SELECT max(id) FROM post WHERE id >= ? AND id < ?",
        arguments: [PostNumber.firstUndated, PostNumber.firstUndated / 2])
      return last.map { $0 + 1 } ?? PostNumber.firstUndated
    }
    var second = created.second
    while true {
      let end = PostNumber.first(ofSecond: second + 1)
      let next = try nextNumbers[second] ?? firstFree(ofSecond: second)
      if next < end {
        nextNumbers[second] = next + 1
        longestShift = max(longestShift, second - created.second)
        return next
      }
      nextNumbers[second] = next
      second += 1
    }
  }

  private func firstFree(ofSecond second: Int64) throws -> Int64 {
    let first = PostNumber.first(ofSecond: second)
    let last = try Int64.fetchOne(
      database.cachedStatement(sql: "SELECT max(id) FROM post WHERE id >= ? AND id < ?"),
      arguments: [first, PostNumber.first(ofSecond: second + 1)])
    return last.map { $0 + 1 } ?? first
  }

  // MARK: Searches

  private func remember(_ memory: SearchMemory, of search: Int64) throws {
    let oldest = memory.oldest.map { Milliseconds($0).count }
    let readUpTo = memory.readUpTo.map { Milliseconds($0).count }
    // Another run may have had the first run meanwhile: its bound holds.
    try database.cachedStatement(
      sql: """
        UPDATE search SET
          oldest = iif(first_run IS NULL, ?, oldest),
          read_to = iif(? IS NULL, read_to, max(coalesce(read_to, ?), ?)),
          first_run = coalesce(first_run, ?)
        WHERE id = ?
        """
    ).execute(arguments: [oldest, readUpTo, readUpTo, readUpTo, fetched, search])
  }

  private mutating func number(of search: SearchKey) throws -> Int64 {
    let source = try number(of: search.source)
    return try number(
      select: "SELECT id FROM search WHERE tag = ? AND raw = ? AND source = ? AND server = ?",
      insert: "INSERT INTO search (tag, raw, source, server) VALUES (?, ?, ?, ?)",
      [search.tag, search.isRaw, source, search.server])
  }

  private mutating func number(of source: SourceName) throws -> Int64 {
    if let number = sources[source] { return number }
    let number = try number(
      select: "SELECT id FROM source WHERE name = ?",
      insert: "INSERT INTO source (name) VALUES (?)", [source.rawValue])
    sources[source] = number
    return number
  }

  private mutating func number(of server: ServerAddress) throws -> Int64 {
    if let number = servers[server] { return number }
    let number = try number(
      select: "SELECT id FROM server WHERE address = ?",
      insert: "INSERT INTO server (address) VALUES (?)", [server.text])
    servers[server] = number
    return number
  }

  private func number(
    select: String, insert: String, _ arguments: StatementArguments
  ) throws -> Int64 {
    if let number = try Int64.fetchOne(database.cachedStatement(sql: select), arguments: arguments)
    {
      return number
    }
    try database.cachedStatement(sql: insert).execute(arguments: arguments)
    return database.lastInsertedRowID
  }
}
