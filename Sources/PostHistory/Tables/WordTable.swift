internal import SearchModel

/// The full-text index. It keeps no texts: to delete an entry, its texts are handed in again.
struct WordTable {
  /// Version 8 of the schema: parts are merged eight at a time, so that a million posts are merged once and not
  /// twice.
  static let fewMerges = "INSERT INTO post_words (post_words, rank) VALUES ('automerge', 8);"

  /// Version 9: all words of one transaction are collected, and make one part of the index. To merge many small
  /// parts takes a third of the time of writing; half of this fits into the caches of a processor, but makes twice as
  /// many parts.
  static let wholeParts = "INSERT INTO post_words (post_words, rank) VALUES ('hashsize', 16777216);"

  let database: Database

  func insert(_ texts: IndexTexts, _ number: Int64) throws {
    try WordInsertion(database).insert(texts, number)
  }

  func delete(_ texts: IndexTexts, _ number: Int64) throws {
    let statement = try database.prepare(
      """
      INSERT INTO post_words (post_words, rowid, words, facets) VALUES ('delete', ?1, ?2, ?3)
      """)
    try texts.run(statement, number)
  }

  /// Reindexes all posts. Version 12 of the schema: characters that are not seen, such as soft hyphens, part no
  /// words any more, and an entry can only be deleted with the words that it was made of.
  func indexAnew() throws {
    try database.run("INSERT INTO post_words (post_words) VALUES ('delete-all')")
    let insertion = try WordInsertion(database)
    try database.each(
      "SELECT \(StoredPost.columns) FROM \(StoredPost.tables) ORDER BY post.id"
    ) { row in
      if let stored = try StoredPost(row) {
        try insertion.insert(IndexTexts(of: stored.post), stored.number)
      }
      return true
    }
  }

  /// Rewrites the whole index, without what was deleted: until then an entry that was deleted is only
  /// said to be so.
  func rewrite() throws {
    try database.run("INSERT INTO post_words (post_words) VALUES ('optimize')")
  }

  /// Does a part of that (https://www.sqlite.org/fts5.html#the_merge_command); returns true when it
  /// has nothing left to do.
  ///
  /// - Parameters:
  ///   - isFirst: True for the first part after something was deleted.
  ///   - pages: The number of pages to write, about.
  func rewritePart(isFirst: Bool, pages: Int64) throws -> Bool {
    let before = database.changes
    try database.run(
      "INSERT INTO post_words (post_words, rank) VALUES ('merge', :pages)",
      [":pages": .integer(isFirst ? -pages : pages)])
    return database.changes - before < 2
  }
}

/// Adds entries to the full-text index.
struct WordInsertion: ~Copyable {
  private let statement: Statement

  init(_ database: Database) throws {
    statement = try database.prepare(
      "INSERT INTO post_words (rowid, words, facets) VALUES (?1, ?2, ?3)")
  }

  func insert(_ texts: IndexTexts, _ number: Int64) throws {
    try texts.run(statement, number)
  }
}

/// The texts that a post is indexed with; the index needs them again to delete it.
struct IndexTexts: Equatable, Sendable {
  /// The words, then the facets; each is split (`SplitWords`) where it can be.
  private let bytes: [UInt8]
  private let wordsEnd: Int

  init(of post: Post) { self = IndexedFields.read(post, IndexTexts.init) }

  init(_ fields: IndexedFields) {
    var bytes: [UInt8] = []
    let texts = [fields.title, fields.text].compactMap(\.self) + fields.poll
    bytes.reserveCapacity(texts.reduce(0) { $0 + $1.count } * 3 / 2 + 128)
    for (place, text) in texts.enumerated() {
      if place > 0 { bytes.append(UInt8(ascii: "\n")) }
      IndexedText.append(text, to: &bytes)
    }
    let wordsEnd = bytes.count
    PostFacets.forEach(of: fields) { kind, value in
      if bytes.count > wordsEnd { bytes.append(UInt8(ascii: " ")) }
      if IndexedText.isPlain(value) {
        bytes.append(kind)
        bytes.append(contentsOf: value)
      } else {
        // The kind is a letter of the first word.
        ([kind] + value).withUnsafeBufferPointer { IndexedText.append($0, to: &bytes) }
      }
    }
    var splitEnd = 0
    self.bytes = [UInt8](unsafeUninitializedCapacity: bytes.count + 4) { split, count in
      bytes.withUnsafeBufferPointer { bytes in
        splitEnd = SplitWords.write(
          UnsafeBufferPointer(rebasing: bytes[..<wordsEnd]), into: split[...])
        count =
          splitEnd
          + SplitWords.write(
            UnsafeBufferPointer(rebasing: bytes[wordsEnd...]), into: split[splitEnd...])
      }
    }
    self.wordsEnd = splitEnd
  }

  /// Runs a statement whose parameters are a number, the words and the facets.
  fileprivate func run(_ statement: borrowing Statement, _ number: Int64) throws {
    try bytes.withUnsafeBufferPointer { bytes in
      try statement.bind(number, at: 1)
      try statement.bind(
        borrowingText: UnsafeBufferPointer(rebasing: bytes[..<wordsEnd]), at: 2)
      try statement.bind(
        borrowingText: UnsafeBufferPointer(rebasing: bytes[wordsEnd...]), at: 3)
      try statement.run()
    }
  }
}
