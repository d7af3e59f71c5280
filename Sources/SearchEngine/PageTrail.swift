internal import SearchModel
internal import SearchSources

/// The pages that a search has read so far: recognizes those that come again, and counts those that bring nothing.
struct PageTrail: Sendable {
  /// The number of consecutive pages without a matching post after which the search gives up. Servers
  /// that filter after paging send some, but not endlessly many.
  static let longestBarrenRun = 10
  /// The number of consecutive pages without any item after which the search gives up.
  static let longestEmptyRun = 10
  /// The number of times that the first page may come again, without a new post between them, before the search gives
  /// up. Once it may: on numbered pages, new posts move the others to later ones.
  private static let longestRepetition = 2

  /// True if the last page contained a post that no earlier page did.
  private(set) var hasNews = true
  /// True if the last page was the first of a window of dates; most searches have one window.
  private(set) var isFirstOfWindow = false
  private var windowFollows = true
  /// The first page of the window, to recognize it when it comes again.
  private var firstPage: PageMark?
  /// The number of pages since the last new post that were the first one again.
  private var repetitions = 0
  private var barrenRun = 0
  private var emptyRun = 0
  /// The cursors of its pages after the first.
  private var cursors: Set<Cursor> = []
  /// The identities of the posts read, from the second page on, since pages may overlap. Of the first
  /// page only those held.
  private var identities: Set<Int> = []

  /// A page by its length and its ends.
  private struct PageMark: Hashable, Sendable {
    let count: Int
    let first: Int
    let last: Int

    /// Returns nil for a page without posts.
    init?(_ posts: [Post]) {
      guard let first = posts.first, let last = posts.last else { return nil }
      (count, self.first, self.last) = (posts.count, first.serverHash, last.serverHash)
    }
  }

  /// Notes the next page. What pages of other windows held says nothing of it.
  mutating func begin(_ page: Page) {
    isFirstOfWindow = windowFollows
    windowFollows = page.endsWindow
    if isFirstOfWindow {
      firstPage = PageMark(page.posts)
      (emptyRun, barrenRun) = (0, 0)
    }
    emptyRun = page.items == 0 ? emptyRun + 1 : 0
  }

  /// Returns those of some posts on a page that no earlier page held.
  ///
  /// - Parameters:
  ///   - number: The number of the page, from 1.
  ///   - held: The posts that the search holds so far.
  mutating func news(among posts: [Post], ofPage number: Int, besides held: [Post]) -> [Post] {
    if number == 1 { return posts }
    if number == 2 { identities = Set(held.map(\.serverHash)) }
    return posts.filter { identities.insert($0.serverHash).inserted }
  }

  /// Notes all posts of a page, of which some were new.
  mutating func end(_ page: Page, number: Int, new: Int, isBarren: Bool) {
    if number > 1 {
      let known = identities.count
      for post in page.posts { identities.insert(post.serverHash) }
      hasNews = new > 0 || identities.count > known
    }
    if hasNews {
      repetitions = 0
    } else if isFirstPageAgain(page) {
      repetitions += 1
    }
    barrenRun = isBarren ? barrenRun + 1 : 0
  }

  /// Notes a cursor that is followed; returns false if it was followed before.
  @discardableResult
  mutating func follow(_ cursor: Cursor) -> Bool { cursors.insert(cursor).inserted }

  /// Returns whether a cursor was followed before.
  func hasFollowed(_ cursor: Cursor) -> Bool { cursors.contains(cursor) }

  /// Returns whether following a cursor would bring the same pages again.
  // Some networks page with one cursor that stays the same.
  func comesAgain(with next: Cursor) -> Bool {
    !hasNews && (cursors.contains(next) || repetitions >= Self.longestRepetition)
  }

  /// True if a later page of a window is the first one again.
  func isFirstPageAgain(_ page: Page) -> Bool {
    !isFirstOfWindow && PageMark(page.posts).map { $0 == firstPage } ?? false
  }

  /// True if as many empty pages have come in a row as the search follows.
  var endsInEmptyPages: Bool { emptyRun >= Self.longestEmptyRun }

  /// True if as many pages without a matching post have come in a row as the search follows.
  var endsInBarrenPages: Bool { barrenRun >= Self.longestBarrenRun }

  /// Frees what only a continuing search needs.
  mutating func release() { (cursors, identities) = ([], []) }

  /// Frees the cursors of a search that requests no further page.
  mutating func forgetCursors() { cursors = [] }
}
