internal import FoundationEssentials
internal import SearchModel

/// The table of findings: which searches read a post, and whether it was printed.
struct FindingTable {
  let database: Database

  /// Adds a finding, or adds to one that is there.
  ///
  /// - Parameters:
  ///   - source: The number of the post's network.
  ///   - post: The number of the post.
  func add(
    uri: String, source: Int64, search: Int64, isPrinted: Bool, post: Int64
  ) throws {
    try database.run(
      """
      INSERT INTO finding (uri, source, search, printed, post)
      VALUES (:uri, :source, :search, :printed, :post)
      ON CONFLICT DO UPDATE SET
        printed = max(printed, excluded.printed), post = excluded.post
      WHERE printed < excluded.printed OR post <> excluded.post
      """,
      [
        ":uri": .text(uri), ":source": .integer(source), ":search": .integer(search),
        ":printed": .bool(isPrinted), ":post": .integer(post),
      ])
  }

  /// The number of a post that is kept; nil if it is not.
  func post(uri: String, source: Int64) throws -> Int64? {
    try database.first(
      """
      SELECT post FROM finding WHERE uri = :uri AND source = :source LIMIT 1
      """, [":uri": .text(uri), ":source": .integer(source)]
    ) { try $0.integer("post") }
  }

  /// The facts known about a post.
  ///
  /// - Parameters:
  ///   - source: The number of its network.
  ///   - search: The search that asks; nil if no run had it yet.
  func status(uri: String, source: Int64, search: Int64?) throws -> PostStatus {
    var status = PostStatus(isPrinted: false, isRead: false)
    try database.each(
      "SELECT search, printed FROM finding WHERE uri = :uri AND source = :source",
      [":uri": .text(uri), ":source": .integer(source)]
    ) { row in
      if try row.bool("printed") { status.isPrinted = true }
      if try row.integer("search") == search { status.isRead = true }
      return true
    }
    return status
  }

  /// True if a search has found a post that has this number.
  func holds(uri: String, search: Int64, post: Int64) throws -> Bool {
    try database.first(
      """
      SELECT 1 FROM finding WHERE uri = :uri AND search = :search AND post = :post
        AND source = (SELECT source FROM post WHERE id = :post)
      """, [":uri": .text(uri), ":search": .integer(search), ":post": .integer(post)]
    ) { _ in true } ?? false
  }

  /// The tags that found a post, in their alphabetical order.
  func tags(uri: String, post: Int64) throws -> [String] {
    try database.all(
      """
      SELECT DISTINCT search.tag FROM finding JOIN search ON search.id = finding.search
      WHERE finding.uri = :uri AND finding.post = :post ORDER BY search.tag
      """, [":uri": .text(uri), ":post": .integer(post)]
    ) { try $0.text("tag") }
  }

  /// Calls `body` with each search and post of the findings from a number on.
  func each(from number: Int64, _ body: (_ search: Int64, _ post: Int64) -> Void) throws {
    // One walk through all findings, which have no index by search.
    try database.each(
      "SELECT search, post FROM finding WHERE post IS NOT NULL AND post >= :number",
      [":number": .integer(number)]
    ) { row in
      body(try row.integer("search"), try row.integer("post"))
      return true
    }
  }

  /// The posts of a span of dates, by the tags that found them.
  ///
  /// - Parameter shift: The largest distance of a post's number from its date, in seconds.
  func found(
    from first: Date, until last: Date, shift: Int64
  ) throws -> [TagKey: Set<PostIdentity>] {
    var found: [TagKey: Set<PostIdentity>] = [:]
    try database.each(
      """
      SELECT search.tag, search.raw, source.name AS source, finding.uri FROM post
      CROSS JOIN finding ON finding.uri = json_extract(post.body, '$.r')
        AND finding.source = post.source AND finding.post = post.id
      CROSS JOIN search ON search.id = finding.search
      CROSS JOIN source ON source.id = post.source
      WHERE post.id >= :low AND post.id < :high AND post.created >= :first AND post.created < :last
      """,
      [
        ":low": .integer(PostNumber.first(ofSecond: Milliseconds(first).second)),
        ":high": .integer(PostNumber.first(ofSecond: Milliseconds(last).second + 1 + shift)),
        ":first": .date(first), ":last": .date(last),
      ]
    ) { row in
      let tag = TagKey(tag: try row.text("tag"), isRaw: try row.bool("raw"))
      let source = SourceName(rawValue: try row.text("source"))
      found[tag, default: []].insert(PostIdentity(source: source, uri: try row.text("uri")))
      return true
    }
    return found
  }

  /// Takes a deleted post out; that it was printed stays known, as a mark.
  func forget(post: Int64, _ identity: PostIdentity) throws {
    let values: SQLiteValues = [":uri": .text(identity.uri), ":post": .integer(post)]
    let searches = try database.all(
      "SELECT search FROM finding WHERE uri = :uri AND post = :post AND printed = 1", values
    ) { try $0.integer("search") }
    let marks = try MarkTable(database)
    for search in searches { try marks.add(identity, search: search, isPrinted: true) }
    try database.run("DELETE FROM finding WHERE uri = :uri AND post = :post", values)
  }

  /// Makes marks of the findings without a post, which versions before 4 kept with their addresses.
  func forgetUnkept() throws {
    let marks = try MarkTable(database)
    try database.each(
      """
      SELECT finding.uri, source.name AS source, finding.search, finding.printed
      FROM finding JOIN source ON source.id = finding.source WHERE finding.post IS NULL
      """
    ) { row in
      let source = SourceName(rawValue: try row.text("source"))
      try marks.add(
        PostIdentity(source: source, uri: try row.text("uri")),
        search: try row.integer("search"), isPrinted: try row.bool("printed"))
      return true
    }
    try database.execute("DELETE FROM finding WHERE post IS NULL")
  }

  /// Takes back that a search has printed anything.
  func forget(search: Int64) throws {
    try database.run(
      "UPDATE finding SET printed = 0 WHERE search = :search", [":search": .integer(search)])
  }
}
