internal import FoundationEssentials
internal import SearchModel

/// The tables of the runs that later ones retry: the last run of each name, and its searches.
struct RunTable {
  let database: Database

  /// Writes a run in place of the one before of its name.
  ///
  /// - Parameter posts: The number of each search, and those of the posts that it found.
  func replace(_ run: RunRecord, _ written: [SearchKey: WrittenFinding]) throws {
    let name: SQLiteValues = [":name": .text(run.name)]
    try database.run(
      "DELETE FROM run_search WHERE run IN (SELECT id FROM run WHERE name = :name)", name)
    try database.run("DELETE FROM run WHERE name = :name", name)
    try database.run(
      """
      INSERT INTO run (name, began, since, until, newest, per_search)
      VALUES (:name, :began, :since, :until, :newest, :per_search)
      """,
      [
        ":name": .text(run.name), ":began": .date(run.began), ":since": .date(run.since),
        ":until": .date(run.until), ":newest": .integer(run.newest.map(Int64.init)),
        ":per_search": .integer(run.perSearch.map(Int64.init)),
      ])
    let number = database.lastInsertedNumber
    for part in run.parts {
      guard let stored = written[part.search] else { continue }
      try database.run(
        """
        INSERT OR REPLACE INTO run_search (run, search, answer, posts)
        VALUES (:run, :search, :answer, :posts)
        """,
        [
          ":run": .integer(number), ":search": .integer(stored.search),
          ":answer": .text(part.answer.map(StoredAnswerText.text)),
          ":posts": .bytes(PostNumbers.bytes(stored.posts)),
        ])
    }
  }

  /// A run, without the parts.
  func find(_ name: String) throws -> (number: Int64, run: RunRecord)? {
    try database.first(
      "SELECT id, began, since, until, newest, per_search FROM run WHERE name = :name",
      [":name": .text(name)]
    ) { row in
      let run = RunRecord(
        name: name, began: try row.knownDate("began"), since: try row.date("since"),
        until: try row.date("until"), newest: try row.optionalInteger("newest").map(Int.init),
        perSearch: try row.optionalInteger("per_search").map(Int.init))
      return (try row.integer("id"), run)
    }
  }

  /// The parts of a run, and for each the number of its search and those of its posts.
  func parts(of run: Int64) throws -> [(part: RunRecord.Part, written: WrittenFinding)] {
    try database.all(
      """
      SELECT search.id, \(SearchTable.columns), run_search.answer, run_search.posts
      FROM run_search JOIN search ON search.id = run_search.search
      JOIN source ON source.id = search.source WHERE run_search.run = :run
      """, [":run": .integer(run)]
    ) { row in
      let answer = try row.optionalText("answer").flatMap(StoredAnswerText.answer)
      return (
        RunRecord.Part(search: try SearchTable.key(in: row), answer: answer),
        WrittenFinding(
          search: try row.integer("id"), posts: PostNumbers.all(in: try row.bytes("posts")))
      )
    }
  }

  func prune(before date: Milliseconds) throws {
    let bound: SQLiteValues = [":bound": .integer(date.count)]
    try database.run(
      "DELETE FROM run_search WHERE run IN (SELECT id FROM run WHERE began < :bound)", bound)
    try database.run("DELETE FROM run WHERE began < :bound", bound)
  }
}

/// A finding as it was written.
struct WrittenFinding {
  /// The number of its search.
  var search: Int64
  /// The numbers of its posts, without those that are not kept.
  var posts: [Int64] = []
}
