/// Deletes what no run has come back to since a date, within the caller's transaction.
struct Pruning {
  /// The number of posts that are deleted at once.
  static let part = 2000

  private let database: Database
  private let date: Milliseconds

  init(database: Database, before date: Milliseconds) {
    self.database = database
    self.date = date
  }

  /// Deletes runs, windows and tags.
  func pruneRecords() throws {
    try RunTable(database: database).prune(before: date)
    try WindowTable(database: database).prune(before: date)
    try TagTable(database: database).prune(before: date)
  }

  /// Deletes the oldest posts that were both written and fetched before the date; returns how many.
  func prunePosts(atMost limit: Int) throws -> Int {
    let posts = PostTable(database: database)
    let old = try posts.all(before: date, atMost: limit)
    for (number, stored) in old {
      if let stored {
        try PostRemoval(database: database).remove(stored)
      } else {
        try posts.delete(number)
      }
    }
    return old.count
  }
}
