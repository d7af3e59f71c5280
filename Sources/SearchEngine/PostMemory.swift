package import FoundationEssentials
package import SearchModel

/// Tells new posts from those that earlier runs knew, for a run that prints only new ones.
package protocol PostMemory: Sendable {
  /// Judges posts that a search has just read, in their order.
  func judge(_ posts: [Post], of search: Search) -> [PostVerdict]
}

/// A keeper of what searches have read during the run, so that an interrupted run can be resumed.
package protocol ReadingKeeper: Sendable {
  /// Keeps searches that have just read a page; the run requests their next pages afterwards.
  func keep(_ readings: [Reading])
}

/// The verdict of earlier runs on a post.
package struct PostVerdict: Hashable, Sendable {
  package enum Novelty: Hashable, Sendable {
    /// To be printed.
    case new
    /// Printed by an earlier run.
    case printed
    /// Older than the first run of its search.
    case old
  }

  package var novelty: Novelty
  /// True if earlier runs have read the search from this post on back.
  package var isCovered: Bool

  package init(_ novelty: Novelty, isCovered: Bool) {
    self.novelty = novelty
    self.isCovered = isCovered
  }
}

/// The posts that one search of a run read, for later runs to remember.
package struct Reading: Sendable {
  package var search: Search
  /// Its posts that count, before the merge.
  package var posts: [Post]
  package var ending: Ending
  /// Posts that other searches printed, and that it has read for the first time.
  package var printedByOthers: [Post]
  /// The date of the newest post read, counted or not; nil where none had a date.
  package var newest: Date?
  /// True if it stopped at its cap although there was more.
  package var isCapped: Bool
  /// The date of the newest post that counts, even if the limit of the run has dropped it.
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
}

extension Reading {
  /// The posts that earlier runs read, as if they had been read again.
  init(_ stored: StoredSearch) {
    self.init(
      search: stored.search, posts: stored.posts, ending: stored.outcome?.ending ?? .cancelled,
      printedByOthers: [], newest: nil, isCapped: false)
    newestFound = stored.posts.compactMap(\.createdAt).max()
    found = stored.outcome?.posts ?? stored.posts.count
    pages = stored.outcome?.pages ?? 0
    excluded = stored.excluded
    isStored = true
    isFragment = stored.outcome == nil
  }
}

/// The distance of a search from the posts that earlier runs have read.
///
/// The rule is the one by which a search passes a date (`ReadingFrontier`): in an exact order the first
/// such post proves that only such posts follow; otherwise the last 20 in a row must be such posts, or
/// as many as the largest page held. Pinned posts prove nothing.
struct Coverage: Sendable {
  private(set) var isComplete = false
  private var run = 0
  private var lengthOfProof = ReadingFrontier.shortestProof

  /// Takes the posts of the next page, those that filters leave out excepted.
  mutating func take(_ posts: [(post: Post, verdict: PostVerdict)], order: PageOrder) {
    let unpinned = posts.filter { !$0.post.isPinned }
    if order == .exact {
      isComplete = isComplete || unpinned.contains(where: \.verdict.isCovered)
      return
    }
    lengthOfProof = max(lengthOfProof, unpinned.count)
    for (_, verdict) in unpinned { run = verdict.isCovered ? run + 1 : 0 }
    isComplete = run >= lengthOfProof
  }
}
