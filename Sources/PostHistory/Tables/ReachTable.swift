internal import FoundationEssentials

/// The table of how far each search was read under each filter.
struct ReachTable {
  let database: Database

  /// Version 4 of the schema: a search was remembered without its filter, and one that had found nothing
  /// without a bound.
  static let schema = """
    CREATE TABLE reach (
      search INTEGER NOT NULL, filter TEXT NOT NULL, read_to INTEGER, looked_back INTEGER,
      gap_since INTEGER, gap_end INTEGER, gap_top INTEGER,
      PRIMARY KEY (search, filter)) WITHOUT ROWID;
    INSERT INTO reach (search, filter, read_to)
      SELECT id, '\(SearchMemory.noFilter)', read_to FROM search WHERE first_run IS NOT NULL;
    UPDATE search SET oldest = first_run - 3600000 WHERE first_run IS NOT NULL AND oldest IS NULL;
    ALTER TABLE search DROP COLUMN read_to;
    """

  /// Version 11 of the schema: gaps. A table that is recreated has these columns, since each change of a table costs
  /// another reading of the whole schema.
  static let gaps = """
    ALTER TABLE reach ADD COLUMN gap_since INTEGER;
    ALTER TABLE reach ADD COLUMN gap_end INTEGER;
    ALTER TABLE reach ADD COLUMN gap_top INTEGER;
    """

  /// The memory of a search under a filter.
  func memory(of search: Int64, filter: String, knownBefore: Date?) throws -> SearchMemory {
    let values: SQLiteValues = [":search": .integer(search), ":filter": .text(filter)]
    return try database.first(
      "SELECT * FROM reach WHERE search = :search AND filter = :filter", values
    ) { row in
      SearchMemory(
        knownBefore: knownBefore, readUpTo: try row.date("read_to"),
        lookedBack: try row.date("looked_back"),
        gap: SearchGap(
          since: try row.date("gap_since"), end: try row.date("gap_end"),
          top: try row.date("gap_top")))
    } ?? SearchMemory(knownBefore: knownBefore, readUpTo: nil)
  }

  func change(_ change: MemoryChange, of search: Int64, filter: String) throws {
    var values: SQLiteValues = [
      ":search": .integer(search), ":filter": .text(filter), ":looked": .date(change.lookedBack),
    ]
    let reach: String
    switch change.reach {
    case .unchanged, .gap(_, after: nil): reach = "read_to"
    case .forth, .gap: reach = "max(coalesce(read_to, excluded.read_to), excluded.read_to)"
    case .back: reach = "min(read_to, excluded.read_to)"
    }
    values.add(":read", .date(change.reach.date))
    values.add(":since", .date(change.reach.gap?.since))
    values.add(":end", .date(change.reach.gap?.end))
    values.add(":top", .date(change.reach.gap?.top))
    try database.run(
      """
      INSERT INTO reach (search, filter, read_to, looked_back, gap_since, gap_end, gap_top)
      VALUES (:search, :filter, :read, :looked, :since, :end, :top)
      ON CONFLICT DO UPDATE SET
        read_to = \(reach), looked_back = coalesce(excluded.looked_back, looked_back),
        \(change.reach.gapAssignments)
      """, values)
  }

  func forget(_ search: Int64) throws {
    try database.run(
      "DELETE FROM reach WHERE search = :search", [":search": .integer(search)])
  }
}
