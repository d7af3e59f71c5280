package import FoundationEssentials
internal import SearchModel

/// Plain runs leave their posts in a spool; whoever reads the history moves them into the tables first.
extension SQLiteHistory {
  /// The posts of one transaction. Each transaction writes most pages of the index of marks once more, which is
  /// in no order of time: with a quarter of these posts it takes 1.4 times as long.
  private static let postsAtOnce = 65_536
  /// The same where time is short.
  private static let postsInHaste = 512
  /// The memory for pages, in megabytes: those of the index of a million marks.
  private static let foldingCache = 64
  /// The same while a run is written: a page with posts is seldom needed again.
  private static let writingCache = 2
  private static let longestSilence = Duration.seconds(1)

  /// Writes a plain run, which matters only once somebody reads the history.
  func spool(_ batch: RunBatch) throws(HistoryError) {
    try keepLog(true)
    if fileSize("-wal") > TidyRule.longestLog { try emptyLog() }
    try withCache(megabytes: Self.writingCache) { () throws(HistoryError) in
      try writeParts(of: batch)
    }
  }

  private func writeParts(of batch: RunBatch) throws(HistoryError) {
    var writer = SpoolWriter(batch)
    while true {
      let (next, state) = try write { database in
        var next = writer
        let state = try next.writePart(database)
        return (next, state)
      }
      writer = next
      switch state {
      case .unfinished: try emptyLog()
      case .finished(hasPruned: true): return try emptyLog()
      case .finished(hasPruned: false): return
      }
    }
  }

  /// Moves the posts of plain runs into the tables and the index, a part at a time: a process that is
  /// killed meanwhile leaves the rest for the next one.
  ///
  /// - Parameter limit: The time that it may take; nil for all that it needs.
  package func fold(within limit: Duration? = nil) throws(HistoryError) {
    // Most calls find nothing.
    if try read({ try SpoolTable(database: $0).isEmpty() }) { return }
    try withCache(megabytes: Self.foldingCache) { () throws(HistoryError) in
      try foldParts(within: limit)
    }
  }

  private func foldParts(within limit: Duration?) throws(HistoryError) {
    let begin = ContinuousClock.now
    var isReported = false
    while try !read({ try SpoolTable(database: $0).isEmpty() }) {
      try keepLog(false)
      let took = ContinuousClock.now - begin
      if let limit, took >= limit { return }
      if took > Self.longestSilence, !isReported {
        isReported = true
        let posts = try read { try SpoolTable(database: $0).postCount() }
        tell("indexing \(posts) posts of earlier runs")
      }
      let posts = limit == nil ? Self.postsAtOnce : Self.postsInHaste
      tell(unread: try write { try Folding($0).foldPart(posts: posts) } ?? 0)
    }
  }

  /// Reads what all runs have committed.
  func readAll<Value>(_ body: (Database) throws -> Value) throws(HistoryError) -> Value {
    try fold()
    return try read(body)
  }

  /// Writes on top of what all runs have committed, in their order.
  func writeOnAll<Value>(_ body: (Database) throws -> Value) throws(HistoryError) -> Value {
    try fold()
    let (value, unread) = try write { database in
      // The posts that another process has committed meanwhile.
      let unread = try Folding(database).foldAll()
      return (try body(database), unread)
    }
    tell(unread: unread)
    return value
  }

  /// Says that posts of a row were lost, as a disk or another program has changed it.
  private func tell(unread count: Int) {
    guard count > 0 else { return }
    tell("\(path): lost \(Plural.count(count, "post")) of earlier runs, which could not be read")
  }

  /// Keeps the files small, at the end of a run that has nothing else left to do.
  package func tidy(now: Date) throws(HistoryError) {
    let (size, pages) = try read { database in
      let pages =
        try database.first(
          "SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size"
        ) { try $0.integer("bytes") } ?? 0
      let spool = SpoolTable(database: database)
      return (try spool.size(countsBytes: TidyRule.needsBytes(pages: pages)), pages)
    }
    let rule = TidyRule(
      spool: size, now: Milliseconds(now), pages: pages, files: fileSize(""), log: fileSize("-wal"))
    if let limit = rule.foldingTime { try fold(within: limit) }
    if rule.emptiesLog { try emptyLog() }
  }
}
