internal import FoundationEssentials
internal import SearchModel

/// Writes a plain run: its posts into the spool, and all else into its tables. A value that is used in one
/// transaction after the other, each of which writes a part.
struct SpoolWriter {
  /// The bytes of one transaction, which the log has to hold.
  private static let bytesAtOnce = 56 << 20
  /// The posts that are packed while those before them are being written, and the bytes of their texts.
  private static let postsAtOnce = 1024
  private static let textAtOnce = 4 << 20

  private let batch: RunBatch
  private let fetched: Milliseconds
  /// The finding to begin the next part with.
  private var next = 0
  /// The posts of the findings before `next`, whose bodies are in a row; nil before the first part, which would only
  /// copy an empty table.
  private var seen: SeenHashes?
  /// The posts of the findings before `next`.
  private var kept = KeptFingerprints()
  private var run: Int64?

  init(_ batch: RunBatch) {
    self.batch = batch
    fetched = Milliseconds(batch.now)
  }

  /// The state of a batch after a part of it was written.
  enum State { case unfinished, finished(hasPruned: Bool) }

  /// Writes a part within the caller's transaction.
  mutating func writePart(_ database: Database) throws -> State {
    var tables = try Tables(database)
    if run == nil { try database.forgetFolded(ofDaysBefore: fetched) }
    let run = try run ?? tables.spool.nextRun()
    self.run = run
    var bytes = 0
    let packer = SpoolPacker(seen ?? noneSeen, key: tables.key)
    var upcoming = try packNext(by: packer, &tables)
    while let group = upcoming {
      let packed = group.packed.value
      if batch.run != nil { kept.append(packed.map(\.fingerprints), group.arePacked) }
      bytes += packed.lazy.flatMap(\.rows).reduce(0) { $0 + $1.posts.count }
      upcoming = bytes < Self.bytesAtOnce ? try packNext(by: packer, &tables) : nil
      for (finding, packed) in zip(group.findings, packed) {
        try write(packed.rows, of: finding, run: run, to: &tables)
      }
    }
    // Only now: a transaction that fails is begun again by the writer as it was.
    seen = packer.seen
    guard next == batch.findings.count else { return .unfinished }
    var kept = kept
    let findings = batch.findings
    return .finished(
      hasPruned: try RunNotes(database: database).write(batch) { kept.posts(of: $0, in: findings) })
  }

  private var noneSeen: SeenHashes {
    SeenHashes(expecting: batch.findings.reduce(0) { $0 + $1.posts.count })
  }

  /// Findings whose posts another thread makes rows of.
  private struct Group {
    let findings: [RunBatch.Finding]
    /// For each finding since the previous group, whether it is in `findings`.
    let arePacked: [Bool]
    let packed: Coming<[PackedFinding]>
  }

  /// Begins to pack the next findings; nil if none is left.
  private mutating func packNext(
    by packer: SpoolPacker, _ tables: inout Tables
  ) throws -> Group? {
    var findings: [RunBatch.Finding] = []
    var arePacked: [Bool] = []
    var origins: [ObjectIdentifier: SpooledPost.Origin] = [:]
    var count = 0
    var text = 0
    var page: ObjectIdentifier?
    while next < batch.findings.count, count < Self.postsAtOnce, text < Self.textAtOnce {
      let finding = batch.findings[next]
      next += 1
      // After a signal most searches have no posts.
      arePacked.append(!finding.posts.isEmpty || finding.isAnswered)
      if arePacked.last == true {
        findings.append(finding)
        count += finding.posts.count
        try finding.posts[...].readEach { post in
          if post.page == page { return }
          page = post.page
          text += post.pageSize
          origins[post.page] = try tables.origin(of: post)
        }
      }
    }
    guard !findings.isEmpty else {
      if batch.run != nil { kept.append([], arePacked) }
      return nil
    }
    let (all, known) = (findings, origins)
    return Group(
      findings: findings, arePacked: arePacked,
      packed: Coming { packer.pack(all, from: known) })
  }

  private func write(
    _ rows: [SpoolTable.Part], of finding: RunBatch.Finding, run: Int64, to tables: inout Tables
  ) throws {
    let answered = finding.isAnswered ? fetched : nil
    let (search, isNew) = try tables.searches.number(
      of: finding.search, answered: answered, &tables.sources)
    // Waiting posts arrived later than those already written.
    if !isNew, try !tables.spool.has(search),
      try tables.folded.holds(rows.map(\.posts), search: search)
    {
      return
    }
    try tables.spool.insert(rows, search: search, isNew: isNew, run: run, fetched: fetched)
  }
}

/// The tables that a plain run writes to.
private struct Tables {
  let key: FingerprintKey
  let spool: SpoolTable
  let folded: FoldedTable
  let searches: SearchTable
  var sources: NameTable
  private var servers: NameTable

  init(_ database: Database) throws {
    key = try FingerprintKey(database)
    spool = SpoolTable(database: database)
    folded = FoldedTable(database: database, key: key)
    searches = SearchTable(database: database)
    sources = .sources(database)
    servers = .servers(database)
  }

  /// The numbers of a post's network and server.
  mutating func origin(of post: PostValues) throws -> SpooledPost.Origin {
    SpooledPost.Origin(
      source: try sources.number(of: post.source.rawValue),
      server: try servers.number(of: post.server.text))
  }
}

/// The posts of each finding of a batch, in order.
private struct KeptFingerprints {
  private var all: [Fingerprint] = []
  /// The end of each finding's posts.
  private var ends: [Int] = []
  /// The finding where the next search is expected.
  private var next = 0

  /// Adds the posts of the next findings: each of `fingerprints` belongs to one that is packed, and the others
  /// have none.
  mutating func append(_ fingerprints: [[Fingerprint]], _ arePacked: [Bool]) {
    var rest = fingerprints[...]
    for isPacked in arePacked {
      if isPacked, let posts = rest.popFirst() { all += posts }
      ends.append(all.count)
    }
  }

  /// Returns the posts of a search; nil if the batch has no finding of it.
  ///
  /// The findings of one search follow each other, and searches are asked for in the order of their findings.
  mutating func posts(
    of search: SearchKey, in findings: BatchList<RunBatch.Finding>
  ) -> ArraySlice<Fingerprint>? {
    guard let first = findings[next...].firstIndex(where: { $0.search == search }) else {
      return nil
    }
    let end = findings[first...].firstIndex { $0.search != search } ?? findings.endIndex
    next = end
    return all[(first == 0 ? 0 : ends[first - 1])..<ends[end - 1]]
  }
}
