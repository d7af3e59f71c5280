package import FoundationEssentials
internal import GRDB
package import SearchModel
internal import TextFormats

/// The tables of runs, windows and tags, within the caller's transaction.
struct RunTables {
  /// A finding as it was written.
  struct WrittenFinding {
    /// The number of its search.
    var search: Int64
    /// The numbers of its posts, without those that are not kept.
    var posts: [Int64] = []
  }

  private let database: Database
  /// The run's now, in milliseconds since 1970.
  private let now: Int64

  init(_ database: Database, now: Int64) {
    self.database = database
    self.now = now
  }

  // MARK: Writing

  /// Writes what a batch says about runs, windows and tags.
  func write(_ batch: RunBatch, _ written: [SearchKey: WrittenFinding]) throws {
    for finding in batch.findings {
      guard let stored = written[finding.search] else { continue }
      if finding.isAnswered {
        try database.cachedStatement(
          sql: "UPDATE search SET answered = max(coalesce(answered, ?), ?) WHERE id = ?"
        ).execute(arguments: [now, now, stored.search])
      }
      if let window = finding.window { try keep(window, stored) }
    }
    if let run = batch.run { try keep(run, written) }
    for sighting in batch.sightings { try keep(sighting) }
  }

  /// Deletes runs, windows and tags that no run has come back to since a date.
  func prune(before date: Date) throws {
    let bound = Milliseconds(date).count
    try database.execute(
      sql: """
        DELETE FROM run_search WHERE run IN (SELECT id FROM run WHERE began < ?);
        DELETE FROM run WHERE began < ?;
        DELETE FROM span WHERE fetched < ?;
        DELETE FROM tag WHERE last_run < ?
        """, arguments: [bound, bound, bound, bound])
  }

  private func keep(_ run: RunRecord, _ written: [SearchKey: WrittenFinding]) throws {
    try database.execute(
      sql: """
        DELETE FROM run_search WHERE run IN (SELECT id FROM run WHERE name = ?);
        DELETE FROM run WHERE name = ?
        """, arguments: [run.name, run.name])
    try database.execute(
      sql: """
        INSERT INTO run (name, began, since, until, newest, per_search) VALUES (?, ?, ?, ?, ?, ?)
        """,
      arguments: [
        run.name, Milliseconds(run.began).count, run.since.map { Milliseconds($0).count },
        run.until.map { Milliseconds($0).count }, run.newest, run.perSearch,
      ])
    let number = database.lastInsertedRowID
    let insert = try database.cachedStatement(
      sql: "INSERT OR REPLACE INTO run_search (run, search, answer, posts) VALUES (?, ?, ?, ?)")
    for part in run.parts {
      guard let stored = written[part.search] else { continue }
      try insert.execute(arguments: [
        number, stored.search, part.answer.map(Self.text), PostNumbers.data(stored.posts),
      ])
    }
  }

  private func keep(_ window: StoredWindow, _ stored: WrittenFinding) throws {
    let (first, last) = (Milliseconds(window.first).count, Milliseconds(window.last).count)
    // It has everything that smaller ones within it had.
    try database.execute(
      sql: "DELETE FROM span WHERE search = ? AND filter = ? AND first >= ? AND last <= ?",
      arguments: [stored.search, window.filter, first, last])
    try database.execute(
      sql: """
        INSERT INTO span (search, filter, first, last, fetched, posts) VALUES (?, ?, ?, ?, ?, ?)
        """,
      arguments: [
        stored.search, window.filter, first, last, now, PostNumbers.data(stored.posts),
      ])
  }

  private func keep(_ sighting: TagSighting) throws {
    let newest = sighting.newest.map { Milliseconds($0).count }
    let hasFound = sighting.posts > 0
    try database.cachedStatement(
      sql: """
        INSERT INTO tag (name, raw, first_run, last_run, newest, found, posts)
        VALUES (?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT DO UPDATE SET
          last_run = max(last_run, excluded.last_run),
          newest = coalesce(max(newest, excluded.newest), newest, excluded.newest),
          found = coalesce(excluded.found, found),
          posts = iif(excluded.found IS NULL, posts, excluded.posts)
        """
    ).execute(arguments: [
      sighting.tag.tag, sighting.tag.isRaw, now, now, newest, hasFound ? now : nil,
      sighting.posts,
    ])
  }

  // MARK: Reading

  func run(named name: String) throws -> RunRecord? {
    guard
      let row = try Row.fetchOne(
        database,
        sql: "SELECT id, began, since, until, newest, per_search FROM run WHERE name = ?",
        arguments: [name])
    else { return nil }
    var run = RunRecord(
      name: name, began: Milliseconds(count: row[1]).date, since: Self.date(row[2]),
      until: Self.date(row[3]), newest: row[4], perSearch: row[5])
    let parts = try Row.fetchAll(
      database,
      sql: """
        SELECT search.id, search.tag, search.raw, source.name, search.server, run_search.answer,
          run_search.posts
        FROM run_search JOIN search ON search.id = run_search.search
        JOIN source ON source.id = search.source WHERE run_search.run = ?
        """, arguments: [row[0] as Int64])
    for part in parts {
      run.parts.append(
        RunRecord.Part(
          search: SearchKey(
            tag: part[1], isRaw: part[2], source: SourceName(rawValue: part[3]),
            serverName: part[4]),
          answer: (part[5] as String?).flatMap(Self.answer),
          posts: try posts(PostNumbers.all(in: part[6]), of: part[0]).compactMap(\.self)))
    }
    return run
  }

  /// The windows of a search, newest first, without those that have lost a post since.
  func windows(of search: SearchKey, filter: String) throws -> [StoredWindow] {
    guard let number = try number(of: search) else { return [] }
    let rows = try Row.fetchAll(
      database,
      sql: """
        SELECT first, last, posts, fetched FROM span WHERE search = ? AND filter = ? ORDER BY last DESC
        """, arguments: [number, filter])
    return try rows.compactMap { row in
      let posts = try posts(PostNumbers.all(in: row[2]), of: number)
      let kept = posts.compactMap(\.self)
      guard kept.count == posts.count else { return nil }
      return StoredWindow(
        filter: filter, first: Milliseconds(count: row[0]).date,
        last: Milliseconds(count: row[1]).date, fetched: Milliseconds(count: row[3]).date,
        posts: kept)
    }
  }

  func tags() throws -> [TagKey: TagMemory] {
    var tags: [TagKey: TagMemory] = [:]
    let rows = try Row.fetchCursor(
      database, sql: "SELECT name, raw, first_run, newest, found, posts FROM tag")
    while let row = try rows.next() {
      tags[TagKey(tag: row[0], isRaw: row[1])] = TagMemory(
        firstRun: Milliseconds(count: row[2]).date, newest: Self.date(row[3]),
        lastFound: Self.date(row[4]), posts: row[5])
    }
    return tags
  }

  /// The posts of a span of dates, by the tags that found them.
  func found(from first: Date, until last: Date) throws -> [TagKey: Set<PostIdentity>] {
    let shift = try Chore.shift.value(in: database)
    let rows = try Row.fetchCursor(
      database,
      sql: """
        SELECT search.tag, search.raw, source.name, finding.uri FROM post
        CROSS JOIN finding ON finding.uri = json_extract(post.body, '$.r')
          AND finding.source = post.source AND finding.post = post.id
        CROSS JOIN search ON search.id = finding.search
        CROSS JOIN source ON source.id = post.source
        WHERE post.id >= ? AND post.id < ? AND post.created >= ? AND post.created < ?
        """,
      arguments: [
        PostNumber.first(ofSecond: Milliseconds(first).second),
        PostNumber.first(ofSecond: Milliseconds(last).second + 1 + shift),
        Milliseconds(first).count, Milliseconds(last).count,
      ])
    var found: [TagKey: Set<PostIdentity>] = [:]
    while let row = try rows.next() {
      found[TagKey(tag: row[0], isRaw: row[1]), default: []].insert(
        PostIdentity(source: SourceName(rawValue: row[2]), uri: row[3]))
    }
    return found
  }

  /// The moment at which each search was answered last, and its newest posts.
  func answers(
    to searches: [SearchKey], since: Date?, until: Date?, limit: Int?
  ) throws -> [SearchKey: (answered: Date, posts: [Post])] {
    var numbers: [Int64: (search: SearchKey, answered: Date, posts: [Int64])] = [:]
    for search in Set(searches) {
      guard let number = try number(of: search),
        let answered = try Int64.fetchOne(
          database, sql: "SELECT answered FROM search WHERE id = ?", arguments: [number])
      else { continue }
      numbers[number] = (search, Milliseconds(count: answered).date, [])
    }
    guard !numbers.isEmpty else { return [:] }
    let first = since.map { PostNumber.first(ofSecond: Milliseconds($0).second) }
    // One walk through all findings, which have no index by search.
    let rows = try Row.fetchCursor(
      database, sql: "SELECT search, post FROM finding WHERE post IS NOT NULL AND post >= ?",
      arguments: [first ?? Int64.min])
    while let row = try rows.next() { numbers[row[0] as Int64]?.posts.append(row[1]) }
    var answers: [SearchKey: (answered: Date, posts: [Post])] = [:]
    for (search, answered, all) in numbers.values {
      var posts: [Post] = []
      for number in all.sorted(by: >) {
        if let limit, posts.count >= limit { break }
        guard let post = try StoredPost.find(number, in: database)?.post else { continue }
        let isWithin =
          post.createdAt.map { date in
            since.map { date >= $0 } ?? true && until.map { date < $0 } ?? true
          } ?? (since == nil && until == nil)
        if isWithin { posts.append(post) }
      }
      answers[search] = (answered, posts)
    }
    return answers
  }

  /// The posts with some numbers, nil for those that the search's finding no longer has: a number may
  /// have passed on to another post since.
  private func posts(_ numbers: [Int64], of search: Int64) throws -> [Post?] {
    let isFound = try database.cachedStatement(
      sql: """
        SELECT 1 FROM finding WHERE uri = ? AND search = ? AND post = ?
          AND source = (SELECT source FROM post WHERE id = ?)
        """)
    return try numbers.map { number in
      guard let post = try StoredPost.find(number, in: database)?.post else { return nil }
      let arguments: StatementArguments = [PostIdentity(post).uri, search, number, number]
      return try Int.fetchOne(isFound, arguments: arguments) == nil ? nil : post
    }
  }

  private func number(of search: SearchKey) throws -> Int64? {
    try Int64.fetchOne(
      database.cachedStatement(
        sql: """
          SELECT id FROM search WHERE tag = ? AND raw = ? AND server = ?
            AND source = (SELECT id FROM source WHERE name = ?)
          """),
      arguments: [search.tag, search.isRaw, search.server, search.source.rawValue])
  }

  private static func date(_ milliseconds: Int64?) -> Date? {
    milliseconds.map { Milliseconds(count: $0).date }
  }

  // MARK: Answers as text

  private static func text(of answer: StoredAnswer) -> String {
    let value = JSONValue.members([
      "notes": answer.notes.isEmpty ? nil : .array(answer.notes.map(JSONValue.string)),
      "posts": answer.posts.map { .integer($0) }, "pages": answer.pages.map { .integer($0) },
      "excluded": answer.excluded.isEmpty
        ? nil
        : .object(
          answer.excluded.sorted { $0.key < $1.key }.map { JSONMember($0.key, .integer($0.value)) }
        ),
    ])
    return String(decoding: value.bytes, as: UTF8.self)
  }

  private static func answer(_ text: String) -> StoredAnswer? {
    guard let value = try? JSONValue(reading: Array(text.utf8)) else { return nil }
    var answer = StoredAnswer()
    if case .array(let notes)? = value["notes"] {
      answer.notes = notes.compactMap { if case .string(let note) = $0 { note } else { nil } }
    }
    answer.posts = integer(value["posts"])
    answer.pages = integer(value["pages"])
    if case .object(let members)? = value["excluded"] {
      for member in members { answer.excluded[member.key] = integer(member.value) }
    }
    return answer
  }

  private static func integer(_ value: JSONValue?) -> Int? {
    if case .number(let spelling)? = value { Int(spelling) } else { nil }
  }
}

/// The numbers of posts in a column: eight bytes each.
enum PostNumbers {
  static func data(_ numbers: [Int64]) -> Data {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(numbers.count * 8)
    for number in numbers {
      for shift in stride(from: 0, to: 64, by: 8) {
        bytes.append(UInt8(truncatingIfNeeded: number >> Int64(shift)))
      }
    }
    return Data(bytes)
  }

  static func all(in data: Data?) -> [Int64] {
    let bytes = data.map(Array.init) ?? []
    return stride(from: 0, to: bytes.count / 8 * 8, by: 8).map { start in
      var number: Int64 = 0
      for place in 0..<8 { number |= Int64(bytes[start + place]) << Int64(place * 8) }
      return number
    }
  }
}

extension SQLiteHistory {
  package func run(named name: String) throws(HistoryError) -> RunRecord? {
    try read { try RunTables($0, now: 0).run(named: name) }
  }

  package func windows(
    of search: SearchKey, filter: String
  ) throws(HistoryError) -> [StoredWindow] {
    try read { try RunTables($0, now: 0).windows(of: search, filter: filter) }
  }

  package func tags() throws(HistoryError) -> [TagKey: TagMemory] {
    try read { try RunTables($0, now: 0).tags() }
  }

  package func found(
    from first: Date, until last: Date
  ) throws(HistoryError) -> [TagKey: Set<PostIdentity>] {
    try read { try RunTables($0, now: 0).found(from: first, until: last) }
  }

  package func answers(
    to searches: [SearchKey], since: Date?, until: Date?, limit: Int?
  ) throws(HistoryError) -> [SearchKey: (answered: Date, posts: [Post])] {
    try read {
      try RunTables($0, now: 0).answers(to: searches, since: since, until: until, limit: limit)
    }
  }
}
