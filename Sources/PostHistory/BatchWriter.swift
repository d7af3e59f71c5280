internal import Dispatch
internal import FoundationEssentials
internal import GRDB
internal import SearchModel
internal import Synchronization

/// Writes a run's posts and marks, within the caller's transaction.
struct BatchWriter {
  /// The posts whose texts are in memory at once.
  private static let postsAtOnce = 4096

  private let database: Database
  private let batch: RunBatch
  private let fetched: Int64
  private var sources: [SourceName: Int64] = [:]
  private var servers: [ServerAddress: Int64] = [:]
  /// The next free number in each second that this batch has written to.
  private var nextNumbers: [Int64: Int64] = [:]
  /// The largest distance of a post's number from its date, in seconds.
  private var longestShift: Int64 = 0

  private let selectFinding: RepeatedStatement
  private let insertFinding: RepeatedStatement
  private let selectLastNumber: RepeatedStatement
  private let insertPost: RepeatedStatement
  private let insertWords: RepeatedStatement

  init(_ database: Database, _ batch: RunBatch) throws {
    self.database = database
    self.batch = batch
    fetched = Milliseconds(batch.now).count
    func statement(_ sql: String) throws -> RepeatedStatement {
      try RepeatedStatement(sql, in: database)
    }
    selectFinding = try statement(
      "SELECT post FROM finding WHERE uri = ? AND source = ? AND post IS NOT NULL LIMIT 1")
    insertFinding = try statement(
      """
      INSERT INTO finding (uri, source, search, printed, post) VALUES (?, ?, ?, ?, ?)
      ON CONFLICT DO UPDATE SET
        printed = max(printed, excluded.printed), post = coalesce(excluded.post, post)
      """)
    selectLastNumber = try statement("SELECT max(id) FROM post WHERE id >= ? AND id < ?")
    insertPost = try statement(
      "INSERT INTO post (id, source, server, created, fetched, body) VALUES (?, ?, ?, ?, ?, ?)")
    insertWords = try statement(
      "INSERT INTO post_words (rowid, words, facets) VALUES (?, ?, ?)")
  }

  mutating func write() throws {
    let numbers = batch.keepsPosts ? try storePosts() : [:]
    var written: [SearchKey: RunTables.WrittenFinding] = [:]
    for finding in batch.findings {
      let search = try number(of: finding.search)
      if let memory = finding.memory { try remember(memory, of: search) }
      var stored = written[finding.search] ?? RunTables.WrittenFinding(search: search)
      for post in finding.posts.sorted(by: Self.isOlder) {
        let identity = PostIdentity(post)
        let number = numbers[identity]
        try insertFinding.run(
          .text(identity.uri), .integer(self.number(of: post.source)), .integer(search),
          .integer(batch.printed.contains(identity) ? 1 : 0), .integer(number))
        if let number { stored.posts.append(number) }
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

  /// Stores each post, or what has changed of it, and returns their numbers.
  private mutating func storePosts() throws -> [PostIdentity: Int64] {
    var seen: Set<PostIdentity> = []
    // Oldest first, so that most rows are appended to their table.
    let posts = batch.findings.flatMap(\.posts).filter { seen.insert(PostIdentity($0)).inserted }
      .sorted(by: Self.isOlder)
    var numbers: [PostIdentity: Int64] = [:]
    for start in stride(from: 0, to: posts.count, by: Self.postsAtOnce) {
      let drafts = try posts[start..<min(start + Self.postsAtOnce, posts.count)].map { post in
        let identity = PostIdentity(post)
        let stored = try selectFinding.number(
          .text(identity.uri), .integer(number(of: post.source)))
        return Draft(post: post, identity: identity, stored: stored)
      }
      for (draft, texts) in zip(drafts, drafts.mapOnAllCores(RowTexts.init)) {
        numbers[draft.identity] = try store(draft, texts)
      }
    }
    return numbers
  }

  /// A post on its way to its row.
  private struct Draft: Sendable {
    let post: Post
    let identity: PostIdentity
    /// The number of the row that it has already.
    let stored: Int64?
  }

  /// The texts of a post's row, which take longer to make than to store.
  private struct RowTexts: Sendable {
    let body: String
    /// Nil for a post that is indexed already.
    let index: IndexTexts?

    init(_ draft: Draft) {
      body = PostBody.text(of: draft.post)
      index = draft.stored == nil ? IndexTexts(of: draft.post) : nil
    }
  }

  private mutating func store(_ draft: Draft, _ texts: RowTexts) throws -> Int64 {
    let post = draft.post
    if let number = draft.stored, let stored = try StoredPost.find(number, in: database) {
      try update(stored, to: post, texts.body)
      return number
    }
    let number = try freeNumber(for: post)
    try insertPost.run(
      .integer(number), .integer(self.number(of: post.source)),
      .integer(self.number(of: post.server)),
      .integer(post.createdAt.map { Milliseconds($0).count }), .integer(fetched),
      .text(texts.body))
    try insert(texts.index ?? IndexTexts(of: post), number)
    return number
  }

  private func insert(_ texts: IndexTexts, _ number: Int64) throws {
    try insertWords.run(.integer(number), .text(texts.words), .text(texts.facets))
  }

  private func update(_ stored: StoredPost, to post: Post, _ body: String) throws {
    guard stored.body != body else { return }
    let old = stored.post
    if old.searchableText != post.searchableText {
      try database.execute(
        sql: "INSERT OR REPLACE INTO revision (post, replaced, body) VALUES (?, ?, ?)",
        arguments: [stored.number, fetched, stored.body])
    }
    let texts = IndexTexts(of: post)
    if texts != IndexTexts(of: old) {
      try stored.deleteWords(in: database)
      try insert(texts, stored.number)
    }
    try database.execute(
      sql: "UPDATE post SET body = ? WHERE id = ?", arguments: [body, stored.number])
  }

  private mutating func freeNumber(for post: Post) throws -> Int64 {
    let tolerated = fetched + Int64(Merge.toleratedLead * 1000)
    guard let created = post.createdAt.map({ Milliseconds($0) }), created.count <= tolerated else {
      return try firstFree(from: PostNumber.firstUndated, to: PostNumber.firstUndated / 2)
    }
    var second = created.second
    while true {
      let end = PostNumber.first(ofSecond: second + 1)
      let next =
        try nextNumbers[second] ?? firstFree(from: PostNumber.first(ofSecond: second), to: end)
      if next < end {
        nextNumbers[second] = next + 1
        longestShift = max(longestShift, second - created.second)
        return next
      }
      nextNumbers[second] = next
      second += 1
    }
  }

  /// The number after the last one that is taken in a range.
  private func firstFree(from first: Int64, to end: Int64) throws -> Int64 {
    let last = try selectLastNumber.number(.integer(first), .integer(end))
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

extension Array where Element: Sendable {
  /// Returns the transformed elements, in order; parts of the array are transformed on all cores.
  fileprivate func mapOnAllCores<Value: Sendable>(
    _ transform: @Sendable (Element) -> Value
  ) -> [Value] {
    let length = 64
    let partCount = (count + length - 1) / length
    let parts = Mutex([[Value]](repeating: [], count: partCount))
    DispatchQueue.concurrentPerform(iterations: partCount) { number in
      let part = self[(number * length)..<Swift.min((number + 1) * length, count)].map(transform)
      parts.withLock { $0[number] = part }
    }
    return parts.withLock { $0.flatMap(\.self) }
  }
}
