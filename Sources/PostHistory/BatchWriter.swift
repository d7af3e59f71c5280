internal import FoundationEssentials
internal import SearchModel

/// Writes a run's posts and marks, within the caller's transaction.
struct BatchWriter {
  private let database: Database
  private let batch: RunBatch
  private let fetched: Milliseconds
  private var sources: NameTable
  private var servers: NameTable
  /// The posts of each search that are kept.
  private var found: [SearchKey: [Fingerprint]] = [:]

  private let marks: MarkTable
  private let searches: SearchTable

  init(_ database: Database, _ batch: RunBatch) throws {
    self.database = database
    self.batch = batch
    fetched = Milliseconds(batch.now)
    sources = .sources(database)
    servers = .servers(database)
    marks = try MarkTable(database)
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
    return try RunNotes(database: database).write(batch) { found[$0] }
  }

  /// Writes what one search read, with the numbers of the posts that are kept.
  private mutating func add(
    _ finding: RunBatch.Finding, _ numbers: [Fingerprint: Int64], to earlier: WrittenFinding?
  ) throws -> WrittenFinding {
    var written =
      try earlier ?? WrittenFinding(search: searches.number(of: finding.search, &sources))
    var kept = found[finding.search] ?? []
    if let memory = finding.memory {
      try searches.begin(written.search, knownBefore: memory.knownBefore, at: fetched)
      try ReachTable(database: database).change(memory, of: written.search, filter: batch.filter)
    }
    for uri in finding.known {
      let identity = PostIdentity(source: finding.search.source, uri: uri)
      try marks.addKnown(marks.key.fingerprint(of: identity), to: written.search)
    }
    try SkimmedTable(database: database, key: marks.key)
      .add(finding.skimmed, to: written.search, at: fetched)
    for post in finding.postsOldestFirst {
      let identity = PostIdentity(post)
      let fingerprint = marks.key.fingerprint(of: identity)
      let number = numbers[fingerprint]
      try marks.add(
        fingerprint, search: written.search, isPrinted: batch.printed.contains(identity),
        post: number)
      guard let number else { continue }
      written.posts.append(number)
      kept.append(fingerprint)
    }
    found[finding.search] = kept
    return written
  }

  /// Stores each post, or what has changed of it, and returns their numbers.
  private mutating func storePosts() throws -> [Fingerprint: Int64] {
    var seen: Set<Fingerprint> = []
    var drafts: [PostDraft] = []
    for post in batch.findings.lazy.flatMap(\.posts) {
      let fingerprint = marks.key.fingerprint(of: post)
      guard seen.insert(fingerprint).inserted else { continue }
      drafts.append(
        PostDraft(
          fingerprint: fingerprint, source: post.source,
          server: try servers.number(of: post.server.text), createdAt: post.createdAt,
          fetched: fetched, body: PostBody.bytes(of: post)[...]))
    }
    var writer = try PostWriter(database, marks: marks)
    let numbers = try writer.store(drafts)
    return Dictionary(
      zip(drafts, numbers).compactMap { draft, number in
        number.map { (draft.fingerprint, $0) }
      }, uniquingKeysWith: { first, _ in first })
  }
}
