package import FoundationEssentials
package import SearchModel

/// A run as `run --retry-failed` finds it again: its bounds, and what became of each search.
package struct PastRun: Sendable {
  /// One search of the run.
  package struct Part: Sendable {
    package var search: SearchKey
    /// The answer; nil if the search was not completed.
    package var answer: StoredAnswer?
    /// The posts that it found. A commit takes them from the finding of the same search instead.
    package var posts: [Post]

    package init(search: SearchKey, answer: StoredAnswer?, posts: [Post] = []) {
      self.search = search
      self.answer = answer
      self.posts = posts
    }
  }

  /// The settings that tell it from other runs; a later run with the same name replaces it.
  package var name: String
  /// The run's now.
  package var began: Date
  package var since: Date?
  package var until: Date?
  /// The number of newest posts that it wanted; nil for all.
  package var newest: Int?
  /// The number of posts that it wanted of each search; nil for its default.
  package var perSearch: Int?
  package var parts: BatchList<Part>

  package init(
    name: String, began: Date, since: Date? = nil, until: Date? = nil, newest: Int? = nil,
    perSearch: Int? = nil, parts: [Part] = []
  ) {
    self.name = name
    self.began = began
    self.since = since
    self.until = until
    self.newest = newest
    self.perSearch = perSearch
    self.parts = BatchList(parts)
  }
}

/// The answer to a completed search, without its posts.
package struct StoredAnswer: Hashable, Sendable {
  package var notes: [String]
  /// The number of posts before merging; nil if it depended on the order of arrival.
  package var posts: Int?
  package var pages: Int?
  /// The posts that filters left out, by the reason's name.
  package var excluded: [String: Int]

  package init(
    notes: [String] = [], posts: Int? = nil, pages: Int? = nil, excluded: [String: Int] = [:]
  ) {
    self.notes = notes
    self.posts = posts
    self.pages = pages
    self.excluded = excluded
  }
}

/// A span of dates of which one search has found every post.
package struct StoredWindow: Hashable, Sendable {
  /// The settings that decide which posts of the span count.
  package var filter: String
  /// Inclusive.
  package var first: Date
  /// Exclusive.
  package var last: Date
  /// The now of the run that read it; a commit takes its own.
  package var fetched: Date
  /// The posts of the span. A commit takes them from the finding that the window belongs to.
  package var posts: [Post]

  package init(
    filter: String, first: Date, last: Date, fetched: Date = .distantPast, posts: [Post] = []
  ) {
    self.filter = filter
    self.first = first
    self.last = last
    self.fetched = fetched
    self.posts = posts
  }
}

/// A tag as runs remember it.
package struct TagKey: Hashable, Sendable {
  package var tag: String
  /// True for a tag in the network's own syntax.
  package var isRaw: Bool

  package init(tag: String, isRaw: Bool = false) {
    self.tag = tag
    self.isRaw = isRaw
  }
}

/// The result of one run for a tag.
package struct TagSighting: Hashable, Sendable {
  package var tag: TagKey
  /// The date of its newest post; nil if the run found none with a date.
  package var newest: Date?
  package var posts: Int

  package init(tag: TagKey, newest: Date? = nil, posts: Int) {
    self.tag = tag
    self.newest = newest
    self.posts = posts
  }
}

/// The results of all runs for a tag.
package struct TagMemory: Hashable, Sendable {
  package var firstRun: Date
  /// The date of the newest post ever found.
  package var newest: Date?
  /// The last run that found something; nil if none did.
  package var lastFound: Date?
  /// The number of posts that it found.
  package var posts: Int

  package init(firstRun: Date, newest: Date? = nil, lastFound: Date? = nil, posts: Int = 0) {
    self.firstRun = firstRun
    self.newest = newest
    self.lastFound = lastFound
    self.posts = posts
  }
}
