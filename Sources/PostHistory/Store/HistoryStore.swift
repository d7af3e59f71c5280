package import FoundationEssentials
package import SearchModel

/// A store of what earlier runs fetched and printed.
///
/// A run takes a lease on its searches, asks what is known about the posts of each page, and commits
/// everything it fetched and printed in one transaction, after its output was written. Nothing here
/// speaks of files, so that a store shared by several machines can be another implementation.
package protocol HistoryStore: Outbox, Sendable {
  /// Begins a run: returns what earlier runs remembered about its searches.
  ///
  /// - Parameter filter: The settings that decide which posts count; how far a search was read is
  ///   remembered for each.
  func lease(_ searches: [SearchKey], filter: String) throws(HistoryError) -> RunLease

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

  /// Returns the earlier texts of a post, oldest first.
  func earlierTexts(of identity: PostIdentity) throws(HistoryError) -> [String]

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
    to searches: [SearchKey], since: Date?, until: Date?, limit: Int?
  ) throws(HistoryError) -> [SearchKey: (answered: Date, posts: [Post])]
}

extension HistoryStore {
  /// Returns the posts that match, newest first, each with the tags that found it.
  package func posts(matching query: HistoryQuery) throws(HistoryError) -> [Post] {
    var leftOut = 0
    return try posts(matching: query, leavingOut: &leftOut)
  }
}

/// A search as runs remember it: one tag on one source on one server.
package struct SearchKey: Hashable, Sendable {
  package var tag: String
  /// True for a tag in the network's own syntax.
  package var isRaw: Bool
  package var source: SourceName
  package var server: String

  package init(tag: String, isRaw: Bool = false, source: SourceName, server: ServerAddress) {
    self.tag = tag
    self.isRaw = isRaw
    self.source = source
    self.server = Self.name(of: server)
  }

  /// - Parameter serverName: The server as `server` has it.
  init(tag: String, isRaw: Bool, source: SourceName, serverName: String) {
    self.tag = tag
    self.isRaw = isRaw
    self.source = source
    server = serverName
  }

  /// A server's address, followed by a hash of its query, which may hold a secret.
  static func name(of server: ServerAddress) -> String {
    let whole = server.address(of: "{query}")
    guard whole.utf8.count > server.text.utf8.count else { return server.text }
    return "\(server.text)?#\(whole.nameHash)"
  }
}

/// The memories of a run's searches, which hold until the run commits.
package struct RunLease: Hashable, Sendable {
  /// A search that is missing here has had no first run yet.
  package var memories: [SearchKey: SearchMemory]

  package init(memories: [SearchKey: SearchMemory] = [:]) { self.memories = memories }
}

/// The status of a post that a search has read.
package struct PostStatus: Hashable, Sendable {
  /// True if any search has printed it, or the first run of this one has read it.
  package var isPrinted: Bool
  /// True if an earlier run of this search has read it.
  package var isRead: Bool

  package init(isPrinted: Bool, isRead: Bool) {
    self.isPrinted = isPrinted
    self.isRead = isRead
  }
}

/// The identity of a post across servers, queries and edits.
package struct PostIdentity: Hashable, Sendable {
  package var source: SourceName
  package var uri: String

  package init(source: SourceName, uri: String) {
    self.source = source
    // SQLite would end the text there.
    self.uri = uri.utf8.contains(0) ? uri.replacing("\0", with: "\u{FFFD}") : uri
  }

  package init(_ post: Post) { self.init(source: post.source, uri: post.uri) }
}

/// Everything that a run stores at its end.
package struct RunBatch: Sendable {
  /// The posts that one search of the run read.
  package struct Finding: Sendable {
    package var search: SearchKey
    package var posts: [Post]
    /// True if the search got an answer.
    package var isAnswered: Bool
    /// What a plain run has nothing of: one value or none, as a run may have a million findings.
    private var notes: [Notes] = []

    private struct Notes: Sendable {
      var memory: MemoryChange?
      var known: [String] = []
      var skimmed: [String] = []
      var window: StoredWindow?
    }

    /// The memory for later runs; nil to leave it as it is.
    package var memory: MemoryChange? {
      get { notes.first?.memory }
      set { note(newValue == nil) { $0.memory = newValue } }
    }
    /// The addresses of posts that count as printed for this search alone, although they were not: those that its
    /// first run has read.
    package var known: [String] {
      get { notes.first?.known ?? [] }
      set { note(newValue.isEmpty) { $0.known = newValue } }
    }
    /// The addresses of posts that the filters left out, which show how far was read.
    package var skimmed: [String] {
      get { notes.first?.skimmed ?? [] }
      set { note(newValue.isEmpty) { $0.skimmed = newValue } }
    }
    /// The dates of which these are all posts.
    package var window: StoredWindow? {
      get { notes.first?.window }
      set { note(newValue == nil) { $0.window = newValue } }
    }

    /// - Parameter isNothing: Whether the change only removes something.
    private mutating func note(_ isNothing: Bool, _ change: (inout Notes) -> Void) {
      if notes.isEmpty {
        guard !isNothing else { return }
        notes.append(Notes())
      }
      change(&notes[0])
    }

    package init(
      search: SearchKey, posts: [Post], memory: MemoryChange? = nil, isAnswered: Bool = false,
      window: StoredWindow? = nil
    ) {
      self.search = search
      self.posts = posts
      self.isAnswered = isAnswered
      self.memory = memory
      self.window = window
    }

    /// The posts, the oldest first; those without a date come before all others.
    package var postsOldestFirst: [Post] {
      posts.sorted { one, other in
        switch (one.createdAt, other.createdAt) {
        case (let one?, let other?): one < other
        case (nil, _?): true
        case (_, nil): false
        }
      }
    }
  }

  /// The run's now.
  package var now: Date
  /// The settings that decide which posts count, for the memories of searches.
  package var filter = SearchMemory.noFilter
  package var findings: BatchList<Finding>
  /// The posts that count as printed from now on.
  package var printed: Set<PostIdentity>
  /// True if the posts themselves are kept, and not only that they were read.
  package var keepsPosts: Bool
  /// Older posts are deleted, once a day and some at a time; nil keeps all.
  package var prunesBefore: Date?
  /// The run, for later ones to retry; nil to remember none.
  package var run: PastRun?
  package var sightings: BatchList<TagSighting>

  /// The new posts that are to be passed on, stored together with the marks.
  package var outbox: [OutboxBatch] = []
  /// The costs of a round of a watch on networks that charge.
  package var costs: [SourceName: Int] = [:]

  package init(
    now: Date, findings: [Finding], printed: Set<PostIdentity> = [], keepsPosts: Bool = true,
    prunesBefore: Date? = nil, run: PastRun? = nil, sightings: [TagSighting] = []
  ) {
    self.run = run
    self.sightings = BatchList(sightings)
    self.now = now
    self.findings = BatchList(findings)
    self.printed = printed
    self.keepsPosts = keepsPosts
    self.prunesBefore = prunesBefore
  }
}

/// A question to the history.
package struct HistoryQuery: Hashable, Sendable {
  /// The terms to look for; none match everything.
  package var terms: [QueryTerm]
  /// The networks that count; empty for all.
  package var sources: [SourceName]
  /// The tags of which at least one must have found a post; empty for all.
  package var tags: [String]
  /// Inclusive.
  package var since: Date?
  /// Exclusive.
  package var until: Date?
  /// The most posts to return, the newest; nil for all.
  package var limit: Int?
  /// True if posts match that were not written for everyone.
  package var includesPrivate: Bool
  /// The authors whose posts do not match.
  package var muted: [AuthorName] = []

  package init(
    terms: [QueryTerm] = [], sources: [SourceName] = [], tags: [String] = [], since: Date? = nil,
    until: Date? = nil, limit: Int? = nil, includesPrivate: Bool = false
  ) {
    self.terms = terms
    self.sources = sources
    self.tags = tags
    self.since = since
    self.until = until
    self.limit = limit
    self.includesPrivate = includesPrivate
  }

  /// The same question about all posts, also those that are not for everyone.
  package var ofAll: HistoryQuery {
    var query = self
    (query.includesPrivate, query.limit) = (true, nil)
    return query
  }
}

extension [Post] {
  /// The same posts, newest first, with those that were dated after they were fetched before the undated ones.
  package func with(ahead: [Post]) -> [Post] {
    let dated = prefix { $0.createdAt != nil }
    return dated + ahead + dropFirst(dated.count)
  }
}

/// Posts counted three ways.
package struct HistoryStatistics: Hashable, Sendable {
  package var posts = 0
  package var days: [String: Int] = [:]
  package var networks: [String: Int] = [:]
  package var authors: [String: Int] = [:]
  /// The posts that match but are not for everyone, which are not counted otherwise.
  package var privatePosts = 0

  /// The name of the day of posts without a date.
  package static let undated = "undated"

  package init() {}

  /// Counts a post.
  ///
  /// - Parameter zone: Returns the day of a date.
  package mutating func add(_ post: Post, zone: (Date) -> String) {
    posts += 1
    days[post.createdAt.map(zone) ?? Self.undated, default: 0] += 1
    networks[post.source.rawValue, default: 0] += 1
    if !post.author.handle.isEmpty { authors[post.author.handle, default: 0] += 1 }
  }
}
