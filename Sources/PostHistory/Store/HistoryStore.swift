package import FoundationEssentials
package import SearchModel

/// A store of what earlier runs fetched and printed.
///
/// A run asks what is known about the posts of each page, and commits
/// everything it fetched and printed in one transaction, after its output was written. Nothing here
/// speaks of files, so that a store shared by several machines can be another implementation.
package protocol HistoryStore: Outbox, Sendable {
  /// Returns what earlier runs remembered about searches; nothing about one that has had no first run yet.
  ///
  /// - Parameter filter: The settings that decide which posts count; how far a search was read is
  ///   remembered for each.
  func memories(
    of searches: [SearchKey], filter: String
  ) throws(HistoryError) -> [SearchKey: SearchMemory]

  /// Returns what is known about each of the posts that a search has just read.
  func status(of posts: [Post], in search: SearchKey) throws(HistoryError) -> [PostStatus]

  /// Returns those of some posts that nobody has printed, once whoever is printing any of them has committed that.
  func unprinted(_ posts: [Post]) throws(HistoryError) -> [Post]

  /// Stores a run's posts and marks in one transaction: all of them, or none when it throws. Only a plain
  /// run of very many posts, which later ones need no marks of, takes several.
  func commit(_ batch: RunBatch) throws(HistoryError)

  /// Moves what plain runs have left to where it is searched. Whoever reads posts does so first; in an idle
  /// process it costs nobody time.
  ///
  /// - Parameter limit: The time that it may take; nil for all that it needs.
  func fold(within limit: Duration?) throws(HistoryError)

  /// Keeps the files small, at the end of a run that has nothing else left to do.
  func tidy(now: Date) throws(HistoryError)

  /// Forgets which posts the searches of some tags have printed, or those of all tags; returns the
  /// number of searches that start over.
  func forget(tags: [String]?) throws(HistoryError) -> Int

  /// Returns the posts that match, newest first, each with the tags that found it.
  ///
  /// - Parameter privatePosts: Grows by the number of posts that match but are not for everyone.
  func posts(
    matching query: HistoryQuery, leavingOut privatePosts: inout Int
  ) throws(HistoryError) -> [Post]

  /// Counts the posts that match by day, network and author.
  func statistics(of query: HistoryQuery, zone: (Date) -> String) throws(HistoryError)
    -> HistoryStatistics

  /// Returns the versions of each post with an identifier, `uri` or page address, the latest first.
  func versions(named name: String) throws(HistoryError) -> [Post]

  /// Deletes the posts with an identifier, `uri` or page address, also those that wait to be passed on or were
  /// given up; returns how many there were. Posts that were printed stay marked, so that no later run prints them
  /// again.
  func delete(_ name: String) throws(HistoryError) -> Int

  /// Returns the number of posts that `delete(_:)` would delete.
  func count(named name: String) throws(HistoryError) -> Int

  /// Deletes the posts of some authors, tags and networks, private ones included, as `delete(_:)` does; returns how
  /// many there were.
  func delete(matching query: HistoryQuery) throws(HistoryError) -> Int

  /// Returns the number of posts that `delete(matching:)` would delete.
  func count(matching query: HistoryQuery) throws(HistoryError) -> Int

  /// Deletes posts that were both written and fetched before a date, and what is known about runs and
  /// tags before it; returns how many posts there were.
  func prune(before date: Date) throws(HistoryError) -> Int

  /// Returns the last run of a name, with the posts that are still kept; nil if there is none.
  func run(named name: String) throws(HistoryError) -> PastRun?

  /// Returns the windows of a search under some filters, newest first, that still have all their posts.
  func windows(of search: SearchKey, filter: String) throws(HistoryError) -> [StoredWindow]

  /// Returns what runs found for each tag.
  func tags() throws(HistoryError) -> [TagKey: TagMemory]

  /// Returns the posts for everyone written in a span of dates, by the tags that found them.
  func found(
    from first: Date, until last: Date
  ) throws(HistoryError) -> [TagKey: Set<PostIdentity>]

  /// Returns the costs of the rounds of the last 24 hours, by source.
  func costs(at now: Date) throws(HistoryError) -> [SourceName: Int]

  /// Returns when each search was answered last, and its newest posts within some dates, besides those without
  /// a date; searches that never were answered are left out.
  func answers(
    to searches: [SearchKey], since: Date?, until: Date?
  ) throws(HistoryError) -> [SearchKey: (answered: Date, posts: [Post])]
}

extension HistoryStore {
  /// Returns the posts that match, newest first, each with the tags that found it.
  package func posts(matching query: HistoryQuery) throws(HistoryError) -> [Post] {
    var leftOut = 0
    return try posts(matching: query, leavingOut: &leftOut)
  }
}
