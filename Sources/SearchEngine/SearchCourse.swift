internal import SearchModel
internal import SearchSources

/// What only a search under way needs to know, from its first page to its end.
struct SearchCourse: Sendable {
  static let beginning = SearchCourse()

  /// The latest date of the last page's matching posts that are not pinned, in seconds since 1970.
  var newestOfPage = -Double.infinity
  var trail = PageTrail()
  var frontier = ReadingFrontier()
  var coverage = Coverage()
  var passed = PassedPosts()
  var lookBack = LookBack()
  /// The number of items received, wanted or not.
  var read = 0
  /// The number of items on the largest page.
  var largestPage = 0
  /// The number of posts held that are from the future, as long as there is a cap and others are wanted.
  var future = 0
  /// True if newer posts may still replace those held, because there is a cap and the order is not
  /// exact.
  var isProvisional = false
  var brokenItems = 0
  private(set) var notes: [String] = []
  /// The reason posts are missing on one of its pages.
  var gap: String?
  /// True if earlier runs knew every post of the last page.
  var endsWithKnown = false
  /// True if the answers do not fit together or what earlier runs have read, so that posts may be missing.
  var isDoubtful = false
  /// True if it has enough posts, and the network may have newer ones on further pages, as it cannot sort by date.
  var isUnsortedSample = false

  /// Adds a note, once; a server could send millions.
  mutating func note(_ note: String) {
    if notes.count < Self.mostNotes, !notes.contains(note) { notes.append(note) }
  }

  private static let mostNotes = 50

  /// True if later runs need to know of it even after its end.
  var isRemembered: Bool { passed.isUsed || lookBack.isWanted }

  /// Frees what only a continuing search needs.
  mutating func release() {
    trail.release()
    notes = []
    frontier.release()
  }
}
