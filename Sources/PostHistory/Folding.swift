internal import SearchModel

/// Moves posts from the spool into the tables and the index, within the caller's transaction.
struct Folding {
  private let database: Database
  private let spool: SpoolTable
  private let marks: MarkTable

  init(_ database: Database) throws {
    self.database = database
    spool = SpoolTable(database: database)
    marks = try MarkTable(database)
  }

  /// Moves everything.
  func foldAll() throws {
    while try foldPart(posts: 4096) {}
  }

  /// Moves the oldest rows, as many as hold a number of posts; returns true if there may be more.
  func foldPart(posts: Int) throws -> Bool {
    let rows = try spool.oldest(posts: posts)
    guard let last = rows.last else { return false }
    let sources = try NameTable.sources(database).names()
    var writer = try PostWriter(database, marks: marks)
    var part = Part()
    let contents = rows.mapOnAllCores(partsOf: 16) { SpooledPost.all(in: $0.posts) }
    for (row, posts) in zip(rows, contents) {
      for post in posts {
        // A later run has read it again: what is written last counts.
        if post.content != nil, part.holds(post.fingerprint) {
          try write(part, &writer)
          part = Part()
        }
        part.add(post, of: row, sources)
      }
    }
    try write(part, &writer)
    if !writer.hasUpdated {
      let folded = FoldedTable(database: database, key: marks.key)
      let key = marks.key
      let digests = rows.mapOnAllCores(partsOf: 16) { key.digest(of: $0.posts) }
      for (row, digest) in zip(rows, digests) { try folded.insert(row, digest) }
    }
    try spool.delete(upTo: last.id)
    return true
  }

  /// Posts of which no two are the same.
  private struct Part {
    private(set) var drafts: [PostDraft] = []
    private(set) var marks: [(search: Int64, post: Fingerprint)] = []
    private var bodies: Set<Fingerprint> = []

    /// True if it has the body of a post.
    func holds(_ post: Fingerprint) -> Bool { bodies.contains(post) }

    mutating func add(
      _ post: SpooledPost, of row: SpoolTable.Stored, _ sources: [Int64: String]
    ) {
      marks.append((row.search, post.fingerprint))
      guard let content = post.content, let source = sources[content.origin.source] else { return }
      bodies.insert(post.fingerprint)
      drafts.append(
        PostDraft(
          fingerprint: post.fingerprint, source: SourceName(rawValue: source),
          server: content.origin.server, createdAt: content.createdAt, fetched: row.fetched,
          body: Array(content.body)))
    }
  }

  private func write(_ part: Part, _ writer: inout PostWriter) throws {
    let numbers = try writer.store(part.drafts)
    // In the order of their index, so that each of its pages is looked at once.
    for (search, post) in part.marks.sorted(by: { $0.post < $1.post }) {
      // The body of a post that two searches of a run have found is in the row of one of them.
      guard let number = try numbers[post] ?? marks.post(post) else { continue }
      try marks.add(post, search: search, isPrinted: false, post: number)
    }
  }
}
