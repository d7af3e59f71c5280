/// Deletes what no run has come back to since a date, within the caller's transaction.
struct Pruning {
  /// The number of posts that are deleted at once.
  static let part = 2000
  /// The pages of the index that are rewritten at once.
  private static let pages: Int64 = 100

  private let database: Database
  private let date: Milliseconds

  init(database: Database, before date: Milliseconds) {
    self.database = database
    self.date = date
  }

  /// Deletes runs, windows and tags.
  func pruneRuns() throws {
    try RunTable(database: database).prune(before: date)
    try WindowTable(database: database).prune(before: date)
    try TagTable(database: database).prune(before: date)
  }

  /// True if there are posts to delete.
  var hasPosts: Bool {
    get throws {
      try !PostTable(database: database).all(before: date, atMost: 1).isEmpty
    }
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
    // Their words are in the index until it is rewritten.
    if !old.isEmpty { try Chore.rewriting.set(to: 2, in: database) }
    return old.count
  }

  /// Rewrites a part of the index, if posts were pruned; returns true when nothing is left to do.
  static func rewritePart(in database: Database) throws -> Bool {
    let due = try Chore.rewriting.value(in: database)
    guard due > 0 else { return true }
    let isDone = try WordTable(database: database).rewritePart(isFirst: due == 2, pages: pages)
    try Chore.rewriting.set(to: isDone ? 0 : 1, in: database)
    return isDone
  }
}

/// The pruning of every run: once a day, some posts at a time.
struct DailyPruning {
  private static let day: Int64 = 86_400_000
  /// The most posts that are moved out of the spool before others are deleted: a moment's work.
  private static let mostWaiting = 10_000

  let database: Database
  let now: Milliseconds

  /// Prunes what is older than a date counted from now; returns true if it deleted anything.
  func prune(before date: Milliseconds) throws -> Bool {
    let today = now.count / Self.day
    // A last pruning in the future was made under a wrong clock.
    guard try Chore.pruning.value(in: database) != today else {
      return try !Pruning.rewritePart(in: database)
    }
    let bound = Milliseconds(count: date.count - (try lead()))
    try Pruning(database: database, before: bound).pruneRuns()
    let pruning = Pruning(database: database, before: FetchDate.start(of: bound))
    // What is waiting may have been fetched since; a large spool is moved by the runs after this one.
    if try pruning.hasPosts, try SpoolTable(database: database).postCount() <= Self.mostWaiting {
      _ = try Folding(database).foldAll()
    }
    let count = try pruning.prunePosts(atMost: Pruning.part)
    // The next runs prune the rest.
    if count < Pruning.part { try Chore.pruning.set(to: today, in: database) }
    _ = try Pruning.rewritePart(in: database)
    return count > 0
  }

  /// The time by which the clock is more than a day ahead of the last commit: it may have jumped, so
  /// that it does not count for pruning.
  private func lead() throws -> Int64 {
    let last = try Chore.lastCommit(in: database).count
    return last == 0 ? 0 : max(0, now.count - (last + Self.day))
  }
}
