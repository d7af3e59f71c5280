/// The table of posts that filters left out, which show later runs how far a search was read.
///
/// They are only compared, so keyed hashes are enough.
struct SkimmedTable {
  /// The posts of one search that are kept, with those of their last run: more than a page holds.
  private static let most = 1000

  static let schema = """
    CREATE TABLE skimmed (
      search INTEGER NOT NULL, mark INTEGER NOT NULL, run INTEGER NOT NULL,
      PRIMARY KEY (search, mark)) WITHOUT ROWID;
    """

  /// Version 5 of the schema: the hashes before had no key.
  static let keyed = "DELETE FROM skimmed;"

  let database: Database
  let key: FingerprintKey

  func add(_ uris: [String], to search: Int64, at now: Milliseconds) throws {
    guard !uris.isEmpty else { return }
    for uri in uris {
      try database.run(
        "INSERT OR REPLACE INTO skimmed (search, mark, run) VALUES (:search, :mark, :run)",
        [
          ":search": .integer(search), ":mark": .integer(key.hash(of: uri)),
          ":run": .integer(now.count),
        ])
    }
    try database.run(
      """
      DELETE FROM skimmed WHERE search = :search AND run < (
        SELECT run FROM skimmed WHERE search = :search ORDER BY run DESC LIMIT 1 OFFSET :most)
      """, [":search": .integer(search), ":most": .integer(Int64(Self.most))])
  }

  func holds(_ uri: String, of search: Int64) throws -> Bool {
    try database.first(
      "SELECT 1 FROM skimmed WHERE search = :search AND mark = :mark",
      [":search": .integer(search), ":mark": .integer(key.hash(of: uri))]
    ) { _ in true } ?? false
  }

  func forget(_ search: Int64) throws {
    try database.run(
      "DELETE FROM skimmed WHERE search = :search", [":search": .integer(search)])
  }
}
