internal import FoundationEssentials
internal import SearchModel

/// The table of searches, and what later runs remember of each.
struct SearchTable {
  let database: Database

  /// The columns that `key(in:)` reads.
  static let columns = "search.tag, search.raw, source.name AS source, search.server"
  /// The tables that they are from.
  static let tables = "search JOIN source ON source.id = search.source"

  static func key(in row: borrowing Row) throws -> SearchKey {
    SearchKey(
      tag: try row.text("tag"), isRaw: try row.bool("raw"),
      source: SourceName(rawValue: try row.text("source")), serverName: try row.text("server"))
  }

  /// The number of a search; nil if no run had it yet.
  func find(_ search: SearchKey) throws -> Int64? {
    try first("id", of: search) { try $0.integer("id") }
  }

  /// The number of a search, which gets one if it has none yet.
  ///
  /// - Parameter sources: The names of networks.
  func number(of search: SearchKey, _ sources: inout NameTable) throws -> Int64 {
    try find(search) ?? add(search, source: sources.number(of: search.source.rawValue))
  }

  /// The same for a search that has just been answered, or was asked in vain; true for a new one.
  func number(
    of search: SearchKey, answered: Milliseconds?, _ sources: inout NameTable
  ) throws -> (number: Int64, isNew: Bool) {
    guard let number = try find(search) else {
      let source = try sources.number(of: search.source.rawValue)
      return (try add(search, source: source, answered: answered), true)
    }
    if let answered { try markAnswered(number, at: answered) }
    return (number, false)
  }

  /// Adds a search.
  ///
  /// - Parameters:
  ///   - source: The number of its network.
  ///   - answered: The moment of its answer, if it had one.
  private func add(
    _ search: SearchKey, source: Int64, answered: Milliseconds? = nil
  ) throws -> Int64 {
    try database.run(
      """
      INSERT INTO search (tag, raw, source, server, answered)
      VALUES (:tag, :raw, :source, :server, :answered)
      """,
      [
        ":tag": .text(search.tag), ":raw": .bool(search.isRaw), ":source": .integer(source),
        ":server": .text(search.server), ":answered": .integer(answered?.count),
      ])
    return database.lastInsertedNumber
  }

  /// The memory of a search under a filter; nil before its first run.
  func memory(of search: SearchKey, filter: String) throws -> SearchMemory? {
    let first = try first("id, first_run, oldest", of: search) {
      row -> (number: Int64, oldest: Date?)? in
      guard try row.optionalInteger("first_run") != nil else { return nil }
      return (try row.integer("id"), try row.date("oldest"))
    }
    guard case let known?? = first else { return nil }
    return try ReachTable(database: database).memory(
      of: known.number, filter: filter, knownBefore: known.oldest)
  }

  /// Remembers the first run of a search.
  func begin(_ search: Int64, knownBefore: Date?, at now: Milliseconds) throws {
    // Another process may have made the first run meanwhile; its bound counts.
    try database.run(
      """
      UPDATE search SET
        oldest = iif(first_run IS NULL, :oldest, oldest), first_run = coalesce(first_run, :now)
      WHERE id = :search
      """,
      [":oldest": .date(knownBefore), ":now": .integer(now.count), ":search": .integer(search)])
  }

  /// Notes that a search was answered.
  func markAnswered(_ search: Int64, at now: Milliseconds) throws {
    try database.run(
      "UPDATE search SET answered = max(coalesce(answered, :now), :now) WHERE id = :search",
      [":now": .integer(now.count), ":search": .integer(search)])
  }

  /// The number of a search and the moment of its last answer; nil if it never had one.
  func answer(to search: SearchKey) throws -> (number: Int64, answered: Date)? {
    try first("id, answered", of: search) { row in
      guard let answered = try row.date("answered") else { return nil }
      return (try row.integer("id"), answered)
    } ?? nil
  }

  /// The numbers of the searches that have had a first run, by their tags.
  func remembered() throws -> [(number: Int64, tag: String)] {
    try database.all("SELECT id, tag FROM search WHERE first_run IS NOT NULL") { row in
      (try row.integer("id"), try row.text("tag"))
    }
  }

  /// Lets the next run of a search be its first.
  func forget(_ search: Int64) throws {
    try database.run(
      "UPDATE search SET first_run = NULL, oldest = NULL WHERE id = :search",
      [":search": .integer(search)])
  }

  private func first<Value>(
    _ columns: String, of search: SearchKey, _ body: (borrowing Row) throws -> Value
  ) throws -> Value? {
    try database.first(
      """
      SELECT \(columns) FROM search WHERE tag = :tag AND raw = :raw AND server = :server
        AND source = (SELECT id FROM source WHERE name = :source)
      """,
      [
        ":tag": .text(search.tag), ":raw": .bool(search.isRaw), ":server": .text(search.server),
        ":source": .text(search.source.rawValue),
      ], body)
  }
}
