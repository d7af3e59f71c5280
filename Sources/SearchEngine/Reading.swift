package import FoundationEssentials
package import SearchModel

/// The posts that one search of a run read, for later runs to remember.
package struct Reading: Sendable {
  package var search: Search
  /// Its posts that count, before the merge.
  package var posts: [Post]
  package var ending: Ending
  /// Posts that other searches printed, and that it has read for the first time.
  package var printedByOthers: [Post]
  /// The other posts that it has read, and that earlier runs had not.
  package var passed: [PassedPost] = []
  /// The date of the newest post read, counted or not; nil where none had a date.
  package var newest: Date?
  /// True if a cap or a limit dropped new posts, or left them on the server.
  package var isCut = false
  /// The date of the oldest new post that was dropped.
  package var oldestCut: Date?
  /// True if it ended early for a reason that another run may not meet, such as a bound on costs.
  package var isUnfinished = false
  /// True if the answers do not fit together or what earlier runs have read, so that another run is to read it again
  /// before they are believed.
  package var isDoubtful = false
  /// The date down to which it has read everything; nil where nothing is proven.
  package var readDownTo: Date?
  /// The middle one of the dates of the last posts that it has read in approximate order, a page of them at least.
  package var middle: Date?
  /// True if the server said that posts are missing on a page.
  package var hasGap = false
  /// True if it was read down to where it was to look back.
  package var hasLookedBack = false
  /// The date of the newest post for everyone that counts, even if the limit of the run has dropped it.
  package var newestFound: Date?
  /// The number of posts that count, dropped ones included.
  package var found = 0
  /// The number of responses used.
  package var pages = 0
  /// The posts that the run's filters removed.
  package var excluded = FilterTally()
  /// The page that it would request next; nil before the first page, and at the end.
  package var next: Cursor?
  /// True if it was read to its end, so that no post is missing.
  package var isExhausted = false
  /// True if earlier runs have read this.
  package var isStored = false
  /// True if these are only posts of an earlier run, to which another reading of the search adds.
  package var isFragment = false

  /// Its posts, and those that other searches printed.
  package var allPosts: [Post] { printedByOthers.isEmpty ? posts : posts + printedByOthers }

  /// False if nothing arrived, as for most searches of a run that a signal ends.
  package var hasArrived: Bool {
    ending.isAnswered || !posts.isEmpty || !printedByOthers.isEmpty || !passed.isEmpty
  }
}

extension Reading {
  /// The posts that earlier runs read, as if they had been read again.
  init(_ stored: StoredSearch) {
    self.init(
      search: stored.search, posts: stored.posts, ending: stored.outcome?.ending ?? .cancelled,
      printedByOthers: [])
    newestFound = stored.posts.lazy.filter(\.isOpen).compactMap(\.createdAt).max()
    found = stored.outcome?.posts ?? stored.posts.count
    pages = stored.outcome?.pages ?? 0
    excluded = stored.excluded
    isStored = true
    isFragment = stored.outcome == nil
  }
}

/// A keeper of what searches have read during the run, so that an interrupted run can be resumed.
package protocol ReadingKeeper: Sendable {
  /// Keeps searches that have just read a page; the run requests their next pages afterwards.
  func keep(_ readings: [Reading])
}
