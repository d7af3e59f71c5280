internal import SearchModel

/// Moves posts from the spool into the tables and the index, within the caller's transaction.
struct Folding {
  /// The bytes that are moved at once, but at least one row: a row has up to a thousand posts, and all of it is
  /// in memory.
  private static let bytesAtOnce = 64 << 20

  private let database: Database
  private let spool: SpoolTable
  private let marks: MarkTable

  init(_ database: Database) throws {
    self.database = database
    spool = SpoolTable(database: database)
    marks = try MarkTable(database)
  }

  /// Moves everything, and returns the number of posts that could not be read.
  func foldAll() throws -> Int {
    var unread = 0
    while let part = try foldPart(posts: 4096) { unread += part }
    return unread
  }

  /// Moves the oldest rows, as many as hold a number of posts; returns the number of those that could not be read, or
  /// nil if no row is left.
  func foldPart(posts: Int) throws -> Int? {
    let rows = try spool.oldest(posts: posts, bytes: Self.bytesAtOnce)
    guard let last = rows.last else { return nil }
    let key = marks.key
    let digests = Coming { rows.map { key.digest(of: $0.posts) } }
    let contents = rows.mapOnAllCores(partsOf: 4) { SpooledPost.all(in: $0.posts) }
    // First, so that the posts take the pages that their rows had, which are written once for both.
    try spool.delete(upTo: last.id)
    let sources = try NameTable.sources(database).names()
    var writer = try PostWriter(database, marks: marks)
    var part = Part(sources, expecting: contents.reduce(0) { $0 + $1.count })
    for (row, posts) in zip(rows, contents) {
      for post in posts {
        if part.add(post, of: row) { continue }
        // A later run has read it again: what is written last counts.
        try write(part, &writer)
        part = Part(sources)
        _ = part.add(post, of: row)
      }
    }
    try write(part, &writer)
    if !writer.hasUpdated {
      let folded = FoldedTable(database: database, key: key)
      let last = try Chore.lastCommit(in: database)
      // What earlier days have left is spooled again, so that it counts as fetched today.
      for (row, digest) in zip(rows, digests.value)
      where !FetchDate.isRenewed(row.fetched, at: last) {
        try folded.insert(row, digest)
      }
    }
    return zip(rows, contents).reduce(0) { $0 + max($1.0.count - $1.1.count, 0) }
  }

  /// A mark of a post that is folded.
  private struct Mark: Sendable {
    let post: Fingerprint
    let search: Int64
    /// The place of its body among the drafts; nil if another row has it.
    let draft: Int?
  }

  /// Posts of which no two are the same.
  private struct Part: Sendable {
    private(set) var drafts: [PostDraft] = []
    private(set) var marks: [Mark] = []
    private var bodies: Set<Fingerprint> = []
    private let sources: [Int64: String]
    /// The network of the post before.
    private var last: (number: Int64, name: SourceName)?

    /// - Parameters:
    ///   - sources: The names of networks by their numbers.
    ///   - count: The expected number of posts.
    init(_ sources: [Int64: String], expecting count: Int = 0) {
      self.sources = sources
      drafts.reserveCapacity(count)
      marks.reserveCapacity(count)
      bodies.reserveCapacity(count)
    }

    /// Adds a post of a row; returns false where another body of the same post is there.
    mutating func add(_ post: SpooledPost, of row: SpoolTable.Stored) -> Bool {
      guard let content = post.content, let source = source(content.origin.source) else {
        marks.append(Mark(post: post.fingerprint, search: row.search, draft: nil))
        return true
      }
      guard bodies.insert(post.fingerprint).inserted else { return false }
      marks.append(Mark(post: post.fingerprint, search: row.search, draft: drafts.count))
      drafts.append(
        PostDraft(
          fingerprint: post.fingerprint, source: source, server: content.origin.server,
          createdAt: content.createdAt, fetched: row.fetched, body: content.body))
      return true
    }

    private mutating func source(_ number: Int64) -> SourceName? {
      if let last, last.number == number { return last.name }
      guard let name = sources[number].map(SourceName.init(rawValue:)) else { return nil }
      last = (number, name)
      return name
    }
  }

  private func write(_ part: Part, _ writer: inout PostWriter) throws {
    // In the order of their index, so that each of its pages is looked at once.
    let inOrder = Coming { part.marks.places { $0.post.orderKey } }
    let numbers = try writer.store(part.drafts)
    let insertion = try MarkInsertion(database)
    for place in inOrder.value {
      let mark = part.marks[place]
      // The body of a post that two searches of a run have found is in the row of one of them, which was read
      // before.
      guard let number = try mark.draft.flatMap({ numbers[$0] }) ?? marks.post(mark.post) else {
        continue
      }
      try insertion.add(mark.post, search: mark.search, isPrinted: false, post: number)
    }
  }
}
