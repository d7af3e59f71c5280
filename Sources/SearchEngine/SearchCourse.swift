internal import SearchModel
internal import SearchSources

/// What only a search under way needs to know, from its first page to its end.
struct SearchCourse: Sendable {
  static let beginning = SearchCourse()

  /// The latest date of the last page's matching posts that are not pinned, in seconds since 1970.
  var newestOfPage = -Double.infinity
  var frontier = ReadingFrontier()
  var coverage = Coverage()
  var passed = PassedPosts()
  var lookBack = LookBack()
  /// The number of items received, wanted or not.
  var read = 0
  /// True if newer posts may still replace those held, because there is a cap and the order is not
  /// exact.
  var isProvisional = false
  var brokenItems = 0
  private(set) var notes: [String] = []
  /// The reason posts are missing on one of its pages.
  var gap: String?
  var barrenRun = 0
  /// True if earlier runs knew every post of the last page.
  var endsWithKnown = false
  var emptyRun = 0
  /// The number of pages since the last new post that were the first one again.
  var repetitions = 0
  /// The cursors of its pages after the first.
  var cursors: Set<Cursor> = []
  /// The identities of the posts read, from the second page on, since pages may overlap. Of the first
  /// page only those held.
  var identities: Set<Int> = []
  /// The first page of a window of dates, to recognize it when it comes again; most searches have one window.
  var firstPage: PageMark?
  /// True if the last page was the first of a window.
  var isFirstOfWindow = false
  /// True if the next page is the first of a window.
  var windowFollows = true
  /// True if the last page contained a post that no earlier page did.
  var hasNews = true
  /// True if the answers do not fit together or what earlier runs have read, so that posts may be missing.
  var isDoubtful = false

  /// A page by its length and its ends.
  struct PageMark: Hashable, Sendable {
    private let count: Int
    private let first: Int
    private let last: Int

    /// Returns nil for a page without posts.
    init?(_ posts: [Post]) {
      guard let first = posts.first, let last = posts.last else { return nil }
      (count, self.first, self.last) = (posts.count, first.serverHash, last.serverHash)
    }
  }

  /// Adds a note, once; a server could send millions.
  mutating func note(_ note: String) {
    if notes.count < Self.mostNotes, !notes.contains(note) { notes.append(note) }
  }

  private static let mostNotes = 50

  /// True if later runs need to know of it even after its end.
  var isRemembered: Bool { passed.isUsed || lookBack.isWanted }

  /// Frees what only a continuing search needs.
  mutating func release() {
    cursors = []
    identities = []
    notes = []
    frontier.release()
  }
}
