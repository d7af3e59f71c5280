internal import FoundationEssentials
internal import SearchModel

/// Writes a plain run: its posts into the spool, and all else into its tables. A value that is used in one
/// transaction after the other, each of which writes a part.
struct SpoolWriter {
  private static let postsInRow = 1000
  /// The bytes of one transaction, which the log has to hold.
  private static let bytesAtOnce = 56 << 20

  private let batch: RunBatch
  private let fetched: Milliseconds
  /// The finding to begin the next part with.
  private var next = 0
  /// The posts whose bodies the run has spooled.
  private var seen: Set<Fingerprint> = []
  /// The posts of each search.
  private var found: [SearchKey: [Fingerprint]] = [:]
  private var run: Int64?

  init(_ batch: RunBatch) {
    self.batch = batch
    fetched = Milliseconds(batch.now)
  }

  /// The state of a batch after a part of it was written.
  enum State { case unfinished, finished(hasPruned: Bool) }

  /// Writes a part within the caller's transaction.
  mutating func writePart(_ database: Database) throws -> State {
    let spool = SpoolTable(database: database)
    let folded = FoldedTable(database: database, key: try FingerprintKey(database))
    let searches = SearchTable(database: database)
    var sources = NameTable.sources(database)
    var packing = try Packing(database)
    let run = try run ?? spool.nextRun()
    self.run = run
    var bytes = 0
    while next < batch.findings.count {
      if bytes >= Self.bytesAtOnce { return .unfinished }
      let finding = batch.findings[next]
      next += 1
      let kept = found[finding.search] ?? []
      guard !finding.posts.isEmpty || finding.isAnswered else {
        // After a signal most searches have no posts.
        found[finding.search] = kept
        continue
      }
      let search = try searches.number(of: finding.search, &sources)
      if finding.isAnswered { try searches.markAnswered(search, at: fetched) }
      let fingerprints = packing.fingerprints(of: finding.posts)
      found[finding.search] = kept + fingerprints
      let rows = try rows(finding.posts, fingerprints, &packing)
      // Waiting posts arrived later than those already written.
      if try !spool.has(search), try folded.holds(rows.map(\.posts), search: search) { continue }
      try spool.insert(rows, search: search, run: run, fetched: fetched)
      bytes += rows.reduce(0) { $0 + $1.posts.count }
    }
    return .finished(
      hasPruned: try RunNotes(database: database).write(batch, found: found))
  }

  /// The posts of one search as rows.
  private mutating func rows(
    _ posts: [Post], _ fingerprints: [Fingerprint], _ packing: inout Packing
  ) throws -> [(count: Int, posts: [UInt8])] {
    var rows: [(count: Int, posts: [UInt8])] = []
    for start in stride(from: 0, to: posts.count, by: Self.postsInRow) {
      let range = start..<min(start + Self.postsInRow, posts.count)
      var writer = PackedWriter(capacity: range.count * 512)
      for index in range {
        // The first one of a run is the one that counts.
        let isFirst = seen.insert(fingerprints[index]).inserted
        if isFirst {
          try packing.write(posts[index], fingerprints[index], to: &writer)
        } else {
          SpooledPost.write(fingerprints[index], to: &writer)
        }
      }
      rows.append((range.count, writer.bytes))
    }
    return rows
  }
}

/// Makes posts what the spool holds of them.
private struct Packing: ~Copyable {
  private let key: FingerprintKey
  private var sources: NameTable
  private var servers: NameTable
  /// The body of the latest post; kept for its memory.
  private var body = PackedWriter(capacity: 1024)

  init(_ database: Database) throws {
    key = try FingerprintKey(database)
    sources = .sources(database)
    servers = .servers(database)
  }

  func fingerprints(of posts: [Post]) -> [Fingerprint] {
    posts.map { key.fingerprint(of: $0) }
  }

  mutating func write(
    _ post: Post, _ fingerprint: Fingerprint, to writer: inout PackedWriter
  ) throws {
    body.removeAll()
    PostBody.write(post, to: &body)
    SpooledPost.write(
      fingerprint, source: try sources.number(of: post.source.rawValue),
      server: try servers.number(of: post.server.text), createdAt: post.createdAt, body: body,
      to: &writer)
  }
}
