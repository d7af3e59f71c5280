internal import FoundationEssentials

/// The table of how far each search was read under each filter.
struct ReachTable {
  let database: Database

  /// Version 4 of the schema: a search was remembered without its filter, and one that had found nothing
  /// without a bound.
  static let schema = """
    CREATE TABLE reach (
      search INTEGER NOT NULL, filter TEXT NOT NULL, read_to INTEGER, looked_back INTEGER,
      PRIMARY KEY (search, filter)) WITHOUT ROWID;
    INSERT INTO reach (search, filter, read_to)
      SELECT id, '\(SearchMemory.noFilter)', read_to FROM search WHERE first_run IS NOT NULL;
    UPDATE search SET oldest = first_run - 3600000 WHERE first_run IS NOT NULL AND oldest IS NULL;
    ALTER TABLE search DROP COLUMN read_to;
    """

  /// The memory of a search under a filter.
  func memory(of search: Int64, filter: String, knownBefore: Date?) throws -> SearchMemory {
    let values: SQLiteValues = [":search": .integer(search), ":filter": .text(filter)]
    return try database.first(
      "SELECT read_to, looked_back FROM reach WHERE search = :search AND filter = :filter", values
    ) { row in
      SearchMemory(
        knownBefore: knownBefore, readUpTo: try row.date("read_to"),
        lookedBack: try row.date("looked_back"))
    } ?? SearchMemory(knownBefore: knownBefore, readUpTo: nil)
  }

  func change(_ change: MemoryChange, of search: Int64, filter: String) throws {
    var values: SQLiteValues = [
      ":search": .integer(search), ":filter": .text(filter), ":looked": .date(change.lookedBack),
    ]
    let date: Date?
    let reach: String
    switch change.reach {
    case .unchanged: (date, reach) = (nil, "read_to")
    case .forth(let end):
      (date, reach) = (end, "max(coalesce(read_to, excluded.read_to), excluded.read_to)")
    case .back(let end): (date, reach) = (end, "min(read_to, excluded.read_to)")
    }
    values.add(":read", .date(date))
    try database.run(
      """
      INSERT INTO reach (search, filter, read_to, looked_back)
      VALUES (:search, :filter, :read, :looked)
      ON CONFLICT DO UPDATE SET
        read_to = \(reach), looked_back = coalesce(excluded.looked_back, looked_back)
      """, values)
  }

  func forget(_ search: Int64) throws {
    try database.run(
      "DELETE FROM reach WHERE search = :search", [":search": .integer(search)])
  }
}
