internal import SearchModel

/// The full-text index. It keeps no texts: to delete an entry, its texts are handed in again.
struct WordTable {
  /// Version 6 of the schema: 16 MB of words are collected before they become a part of the index, since to
  /// merge many small parts takes a third of the time of writing.
  static let largeParts = "INSERT INTO post_words (post_words, rank) VALUES ('hashsize', 16777216);"

  let database: Database

  func insert(_ texts: IndexTexts, _ number: Int64) throws {
    try database.run(
      "INSERT INTO post_words (rowid, words, facets) VALUES (:number, :words, :facets)",
      values(texts, number))
  }

  func delete(_ texts: IndexTexts, _ number: Int64) throws {
    try database.run(
      """
      INSERT INTO post_words (post_words, rowid, words, facets)
      VALUES ('delete', :number, :words, :facets)
      """, values(texts, number))
  }

  /// Writes the whole index anew, without what was deleted: until then an entry that was deleted is only
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

  private func values(_ texts: IndexTexts, _ number: Int64) -> SQLiteValues {
    [":number": .integer(number), ":words": .text(texts.words), ":facets": .text(texts.facets)]
  }
}

/// The texts that a post is indexed with; the index needs them again to delete it.
struct IndexTexts: Equatable, Sendable {
  let words: String
  let facets: String

  init(of post: Post) {
    words = IndexedText.indexed(post.searchableText)
    facets = PostFacets.indexed(of: post)
  }
}
