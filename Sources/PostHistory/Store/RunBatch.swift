package import FoundationEssentials
package import SearchModel

/// Everything that a run stores at its end.
package struct RunBatch: Sendable {
  /// The posts that one search of the run read.
  package struct Finding: Sendable {
    package var search: SearchKey
    package var posts: [Post]
    /// True if the search got an answer.
    package var isAnswered: Bool
    /// The notes that a plain run does not make: one value or none, as a run may have a million findings.
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
