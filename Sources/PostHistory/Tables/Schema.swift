/// The tables, and how a database of an earlier version becomes one of this version.
enum Schema {
  /// The value of `PRAGMA user_version`; a greater one means a later version of searchagg.
  ///
  /// Version 7 changed no table: the index of words knows the topics of posts that were stored since.
  static let version = 13

  /// The name that marks our files (https://www.sqlite.org/pragma.html#pragma_application_id): "Sagg".
  private static let application: UInt32 = 0x5361_6767

  /// True if the header of a database has the mark, at the place of `application_id`.
  static func isMarked(header: [UInt8]) -> Bool {
    header.dropFirst(68).starts(with: withUnsafeBytes(of: application.bigEndian) { Array($0) })
  }

  /// True if a database is a history, of any version: a foreign one is not, nor an empty file.
  static func isHistory(_ database: Database) throws -> Bool {
    if try number("application_id", of: database) == Int(application) { return true }
    let tables = try database.first(
      """
      SELECT count(*) AS count FROM sqlite_schema
      WHERE type = 'table' AND name IN ('chore', 'finding', 'post', 'search')
      """
    ) { try $0.integer("count") }
    return try version(of: database) > 0 && tables == 4
  }

  /// The version of the tables in a database; 0 where it has none.
  static func version(of database: Database) throws -> Int {
    try number("user_version", of: database)
  }

  private static func number(_ pragma: StaticString, of database: Database) throws -> Int {
    Int(try database.first("PRAGMA \(pragma)") { try $0.integer(pragma) } ?? 0)
  }

  /// Brings a database up to date, one version after the other, within the caller's transaction.
  static func migrate(_ database: Database, from version: Int) throws {
    if version < 1 { try database.execute(first) }
    if version < 2 { try database.execute(second) }
    if version < 3 { try database.execute(OutboxTable.schema) }
    if version < 4 {
      try database.execute(MarkTable.schema)
      try database.execute(OutboxTable.tokens)
      try database.execute(ReachTable.schema + SkimmedTable.schema)
    }
    if version < 5 {
      try MarkTable(database).takeFindings()
      try database.execute(SkimmedTable.keyed)
    }
    if version < 6 {
      try RunTable(database: database).takeParts()
      try database.execute(SpoolTable.schema + FoldedTable.schema)
    }
    if version < 8 { try database.execute(WordTable.fewMerges) }
    if version < 9 { try database.execute(WordTable.wholeParts) }
    if version < 10 { try database.execute(RunTable.pieces) }
    if (4..<11).contains(version) { try database.execute(ReachTable.gaps) }
    if (1..<12).contains(version) { try WordTable(database: database).indexAnew() }
    if version < 13 { try database.execute(CostTable.schema) }
    try database.execute("PRAGMA application_id = \(application)")
    try database.execute("PRAGMA user_version = \(Self.version)")
  }

  /// Dates are milliseconds since 1970.
  ///
  /// - `search` knows what `run --new` remembers: a search without `first_run` has not had one.
  /// - `finding` said which searches read a post, and whether it was printed: `mark` does so since version 5.
  /// - `post.id` begins with the second in which the post was written (`PostNumber`).
  /// - `post_words` keeps no texts: to delete an entry, the texts are handed in again.
  private static let first = """
    CREATE TABLE source (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
    CREATE TABLE server (id INTEGER PRIMARY KEY, address TEXT NOT NULL UNIQUE);
    CREATE TABLE search (
      id INTEGER PRIMARY KEY, tag TEXT NOT NULL, raw INTEGER NOT NULL, source INTEGER NOT NULL,
      server TEXT NOT NULL, first_run INTEGER, oldest INTEGER, read_to INTEGER,
      UNIQUE (tag, raw, source, server));
    CREATE TABLE post (
      id INTEGER PRIMARY KEY, source INTEGER NOT NULL, server INTEGER NOT NULL, created INTEGER,
      fetched INTEGER NOT NULL, body TEXT NOT NULL);
    CREATE TABLE finding (
      uri TEXT NOT NULL, source INTEGER NOT NULL, search INTEGER NOT NULL,
      printed INTEGER NOT NULL, post INTEGER,
      PRIMARY KEY (uri, source, search)) WITHOUT ROWID;
    CREATE TABLE revision (
      post INTEGER NOT NULL, replaced INTEGER NOT NULL, body TEXT NOT NULL,
      PRIMARY KEY (post, replaced)) WITHOUT ROWID;
    CREATE TABLE chore (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
    CREATE VIRTUAL TABLE post_words USING fts5(
      words, facets, content = '', columnsize = 0, tokenize = "unicode61 remove_diacritics 2");
    """

  /// The rows that later runs resume or compare with; `PostNumbers` writes their lists of posts, but
  /// those of runs since version 6, of which `run_search` has become a column (`StoredRunPart`).
  ///
  /// - `search.answered` is the last run that got an answer.
  /// - `run` holds the last run of each name: a search without an answer is asked again.
  /// - `span` says of which dates a search has found everything under some filters.
  /// - `tag.found` is the last run that found something, and `posts` how much.
  private static let second = """
    ALTER TABLE search ADD COLUMN answered INTEGER;
    CREATE TABLE run (
      id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, began INTEGER NOT NULL, since INTEGER,
      until INTEGER, newest INTEGER, per_search INTEGER);
    CREATE TABLE run_search (
      run INTEGER NOT NULL, search INTEGER NOT NULL, answer TEXT, posts BLOB NOT NULL,
      PRIMARY KEY (run, search));
    CREATE TABLE span (
      id INTEGER PRIMARY KEY, search INTEGER NOT NULL, filter TEXT NOT NULL,
      first INTEGER NOT NULL, last INTEGER NOT NULL, fetched INTEGER NOT NULL,
      posts BLOB NOT NULL);
    CREATE INDEX span_search ON span (search, filter);
    CREATE TABLE tag (
      name TEXT NOT NULL, raw INTEGER NOT NULL, first_run INTEGER NOT NULL,
      last_run INTEGER NOT NULL, newest INTEGER, found INTEGER, posts INTEGER NOT NULL,
      PRIMARY KEY (name, raw)) WITHOUT ROWID;
    """
}
