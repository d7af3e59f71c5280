internal import FoundationEssentials

/// The table of windows: of which dates a search has found everything under some filters.
struct WindowTable {
  let database: Database

  func add(_ window: StoredWindow, _ finding: WrittenFinding, fetched: Milliseconds) throws {
    let place: SQLiteValues = [
      ":search": .integer(finding.search), ":filter": .text(window.filter),
      ":first": .date(window.first), ":last": .date(window.last),
    ]
    // It has everything that smaller ones within it had.
    try database.run(
      """
      DELETE FROM span
      WHERE search = :search AND filter = :filter AND first >= :first AND last <= :last
      """, place)
    var values = place
    values.add(":fetched", .integer(fetched.count))
    values.add(":posts", .bytes(PostNumbers.bytes(finding.posts)))
    try database.run(
      """
      INSERT INTO span (search, filter, first, last, fetched, posts)
      VALUES (:search, :filter, :first, :last, :fetched, :posts)
      """, values)
  }

  /// The windows of a search, newest first, and the numbers of their posts.
  func all(
    of search: Int64, filter: String
  ) throws -> [(window: StoredWindow, posts: [Int64])] {
    try database.all(
      """
      SELECT first, last, posts, fetched FROM span WHERE search = :search AND filter = :filter
      ORDER BY last DESC
      """, [":search": .integer(search), ":filter": .text(filter)]
    ) { row in
      let window = StoredWindow(
        filter: filter, first: try row.knownDate("first"),
        last: try row.knownDate("last"), fetched: try row.date("fetched") ?? .distantPast
      )
      return (window, PostNumbers.all(in: try row.bytes("posts")))
    }
  }

  func prune(before date: Milliseconds) throws {
    try database.run(
      "DELETE FROM span WHERE fetched < :bound", [":bound": .integer(date.count)])
  }
}

/// A finding as it was written.
struct WrittenFinding {
  /// The number of its search.
  var search: Int64
  /// The numbers of its posts, without those that are not kept.
  var posts: [Int64] = []
}
