internal import Dispatch
internal import FoundationEssentials
internal import SearchModel
internal import Synchronization

/// Writes a run's posts and marks, within the caller's transaction.
struct BatchWriter {
  /// The posts whose texts are in memory at once.
  private static let postsAtOnce = 4096

  private let database: Database
  private let batch: RunBatch
  private let fetched: Milliseconds
  private var sources: NameTable
  private var servers: NameTable
  /// The next free number in each second that this batch has written to.
  private var nextNumbers: [Int64: Int64] = [:]
  /// The largest distance of a post's number from its date, in seconds.
  private var longestShift: Int64 = 0

  private let posts: PostTable
  private let marks: MarkTable
  private let words: WordTable
  private let searches: SearchTable

  init(_ database: Database, _ batch: RunBatch) throws {
    self.database = database
    self.batch = batch
    fetched = Milliseconds(batch.now)
    sources = .sources(database)
    servers = .servers(database)
    posts = PostTable(database: database)
    marks = try MarkTable(database)
    words = WordTable(database: database)
    searches = SearchTable(database: database)
  }

  /// Writes the batch; returns true if posts were pruned, too.
  mutating func write() throws -> Bool {
    let numbers = batch.keepsPosts ? try storePosts() : [:]
    var written: [SearchKey: WrittenFinding] = [:]
    for finding in batch.findings {
      written[finding.search] = try add(finding, numbers, to: written[finding.search])
    }
    for finding in batch.findings {
      guard let stored = written[finding.search] else { continue }
      if finding.isAnswered { try searches.markAnswered(stored.search, at: fetched) }
      if let window = finding.window {
        try WindowTable(database: database).add(window, stored, fetched: fetched)
      }
    }
    if let run = batch.run { try RunTable(database: database).replace(run, written) }
    for sighting in batch.sightings {
      try TagTable(database: database).add(sighting, at: fetched)
    }
    if longestShift > 0 { try Chore.shift.raise(to: longestShift, in: database) }
    try OutboxTable(database: database).insert(batch.outbox)
    let hasPruned = try batch.prunesBefore.map { date in
      try DailyPruning(database: database, now: fetched).prune(before: Milliseconds(date))
    }
    try Chore.fetched.set(to: fetched.count, in: database)
    return hasPruned ?? false
  }

  /// Writes what one search read, with the numbers of the posts that are kept.
  private mutating func add(
    _ finding: RunBatch.Finding, _ numbers: [PostIdentity: Int64], to earlier: WrittenFinding?
  ) throws -> WrittenFinding {
    var written =
      try earlier ?? WrittenFinding(search: try number(of: finding.search))
    if let memory = finding.memory {
      try searches.begin(written.search, knownBefore: memory.knownBefore, at: fetched)
      try ReachTable(database: database).change(memory, of: written.search, filter: batch.filter)
    }
    for uri in finding.known {
      let identity = PostIdentity(source: finding.search.source, uri: uri)
      try marks.add(
        marks.key.fingerprint(of: identity), search: written.search, isPrinted: true)
    }
    try SkimmedTable(database: database, key: marks.key).add(finding.skimmed, to: written.search, at: fetched)
    for post in finding.posts.sorted(by: Self.isOlder) {
      let identity = PostIdentity(post)
      let isPrinted = batch.printed.contains(identity)
      let number = numbers[identity]
      try marks.add(
        marks.key.fingerprint(of: identity), search: written.search, isPrinted: isPrinted,
        post: number)
      if let number { written.posts.append(number) }
    }
    return written
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
    let fresh = batch.findings.flatMap(\.posts).filter { seen.insert(PostIdentity($0)).inserted }
      .sorted(by: Self.isOlder)
    var numbers: [PostIdentity: Int64] = [:]
    for start in stride(from: 0, to: fresh.count, by: Self.postsAtOnce) {
      let drafts = try fresh[start..<min(start + Self.postsAtOnce, fresh.count)].map { post in
        let identity = PostIdentity(post)
        let stored = try marks.post(marks.key.fingerprint(of: identity))
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
    // Most posts of a repeated run are as they were.
    if let number = draft.stored, try posts.holds(texts.body, number) { return number }
    if let number = draft.stored, let stored = try posts.find(number) {
      try update(stored, to: post, texts.body)
      return number
    }
    let number = try freeNumber(for: post)
    try posts.insert(
      number, source: try sources.number(of: post.source.rawValue),
      server: try servers.number(of: post.server.text), created: post.createdAt, fetched: fetched,
      body: texts.body)
    try words.insert(texts.index ?? IndexTexts(of: post), number)
    return number
  }

  private func update(_ stored: StoredPost, to post: Post, _ body: String) throws {
    if stored.post.searchableText != post.searchableText {
      try RevisionTable(database: database).insert(
        stored.body, of: stored.number, replaced: fetched)
    }
    let (old, new) = (IndexTexts(of: stored.post), IndexTexts(of: post))
    if new != old {
      try words.delete(old, stored.number)
      try words.insert(new, stored.number)
    }
    try posts.update(stored.number, body: body)
  }

  private mutating func freeNumber(for post: Post) throws -> Int64 {
    let tolerated = fetched.count + Int64(Merge.toleratedLead * 1000)
    guard let created = post.createdAt.map({ Milliseconds($0) }), created.count <= tolerated else {
      return try posts.firstFree(from: PostNumber.firstUndated, to: PostNumber.firstUndated / 2)
    }
    var second = created.second
    while true {
      let end = PostNumber.first(ofSecond: second + 1)
      let next =
        try nextNumbers[second]
        ?? posts.firstFree(from: PostNumber.first(ofSecond: second), to: end)
      if next < end {
        nextNumbers[second] = next + 1
        longestShift = max(longestShift, second - created.second)
        return next
      }
      nextNumbers[second] = next
      second += 1
    }
  }

  private mutating func number(of search: SearchKey) throws -> Int64 {
    try searches.find(search)
      ?? searches.add(search, source: sources.number(of: search.source.rawValue))
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
