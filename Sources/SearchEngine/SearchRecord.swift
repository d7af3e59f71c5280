internal import FoundationEssentials
internal import SearchModel
internal import SearchSources

/// How far one search is: a pure value that takes pages and knows what may lie behind them.
struct SearchRecord: Sendable {
  /// What may lie behind the pages so far.
  enum Rest: Hashable, Sendable {
    /// Another page; nil is the first.
    case page(Cursor?)
    /// Posts that cannot be asked for, and why.
    case missing(String)
    /// Nothing that is wanted.
    case nothing
  }

  /// Pages without a post that counts, one after the other, until the search gives up: servers that
  /// filter after paging send some of these, but none sends them without an end.
  private static let longestBarrenRun = 10

  /// What it found, less what `drop(before:)` has let go.
  private(set) var posts: [Post] = []
  private(set) var rest = Rest.page(nil)
  private(set) var ending: Ending?
  private(set) var pages = 0
  /// The newest moment of the last page's posts that count, in seconds since 1970.
  private(set) var newestOfPage = -Double.infinity
  /// The oldest moment on any page, in seconds since 1970.
  private var oldest = Double.infinity
  /// How many posts have counted, whether they are still held or not.
  private var taken = 0
  /// What the run's filter left out.
  private(set) var excluded = FilterTally()
  private var brokenItems = 0
  private var notes: [String] = []
  /// Why posts are missing on one of its pages.
  private var gap: String?
  private var barrenRun = 0
  /// Where its pages began, but the first.
  private var cursors: Set<Cursor> = []
  /// The identities of the posts held, once there is a second page: pages may overlap.
  private var identities: Set<Int> = []

  /// How many posts are still wanted; nil for no cap.
  func wanted(of cap: Int?) -> Int? { cap.map { max($0 - taken, 0) } }

  /// The newest moment that a post which has not come may be of, in whole seconds since 1970, given
  /// how far the order of its source may be off.
  func bound(slack: Double) -> Double { (oldest + slack).rounded(.down) }

  /// Takes a page, and returns those of its posts that count and have not come before.
  ///
  /// - Parameter kept: Those of its posts that the query asks for and no filter leaves out.
  mutating func take(
    _ page: Page, keeping kept: KeptPosts, of search: Search, within limits: RunLimits
  ) -> [Post] {
    pages += 1
    brokenItems += page.brokenItems
    gap = gap ?? page.gap
    excluded.add(kept.excluded)
    notes += kept.notes.filter { !notes.contains($0) }
    let oldestBefore = oldest
    for case let date? in page.posts.lazy.map(\.createdAt) {
      oldest = min(oldest, date.timeIntervalSince1970)
    }
    var new = newPosts(kept.posts, within: limits)
    // On the way back to a date pages may hold nothing that counts, and still lead there.
    let isOnItsWay = limits.since != nil && oldest < oldestBefore
    barrenRun = new.isEmpty && !isOnItsWay ? barrenRun + 1 : 0
    if let wanted = wanted(of: search.cap), new.count > wanted {
      new.removeLast(new.count - wanted)
    }
    taken += new.count
    newestOfPage = new.reduce(-.infinity) { newest, post in
      max(newest, post.createdAt?.timeIntervalSince1970 ?? newest)
    }
    posts = posts.isEmpty ? new : posts + new
    rest = rest(behind: page, of: search, within: limits)
    if rest == .nothing { cursors = [] }
    return new
  }

  /// Those of a page's posts that lie within the run's dates and have not come before.
  private mutating func newPosts(_ kept: [Post], within limits: RunLimits) -> [Post] {
    let isWhole = limits.since == nil && limits.until == nil
    let within = isWhole ? kept : kept.filter { Self.isWithin(limits, $0) }
    if pages == 1 { return within }
    if pages == 2 { identities = Set(posts.map(\.identityHash)) }
    return within.filter { identities.insert($0.identityHash).inserted }
  }

  private mutating func rest(
    behind page: Page, of search: Search, within limits: RunLimits
  ) -> Rest {
    if wanted(of: search.cap) == 0 { return .nothing }
    let slack = search.source.traits.orderSlack
    if let since = limits.since, oldest + slack < since.timeIntervalSince1970 { return .nothing }
    guard let next = page.next else { return page.missing.map(Rest.missing) ?? .nothing }
    if case .page(let asked?) = rest { cursors.insert(asked) }
    guard !cursors.contains(next) else {
      return .missing("the same page was offered twice")
    }
    let mostPages = limits.mostPages(of: search.source)
    guard pages < mostPages else {
      return .missing("no more than \(mostPages) of its pages are asked for, see --max-pages")
    }
    guard barrenRun < Self.longestBarrenRun else {
      return .missing("\(barrenRun) pages without a post, one after the other")
    }
    return .page(next)
  }

  /// Lets posts go that are older than a moment, in seconds since 1970, or tell no date.
  mutating func drop(before second: Double) {
    // Not in place, which would keep the room that they took.
    posts = posts.filter { post in
      post.createdAt.map { $0.timeIntervalSince1970 >= second } ?? false
    }
  }

  /// Ends the search; what it cannot ask for, if that is wanted, makes it a part.
  mutating func finish(isRestWanted: Bool) {
    guard ending == nil else { return }
    var reason = gap
    if isRestWanted, case .missing(let why) = rest { reason = why }
    if reason != nil || brokenItems > 0 {
      ending = .partial(brokenItems: brokenItems, reason: reason, notes: notes)
    } else {
      ending = .completed(notes: notes)
    }
    release()
  }

  /// Ends the search before its next page, which a bound of the run forbids.
  mutating func stop(_ reason: String) {
    rest = .missing(reason)
    finish(isRestWanted: true)
  }

  /// Ends the search by a failure; what had come stays and makes it a part.
  mutating func fail(_ ending: Ending) {
    guard self.ending == nil else { return }
    switch ending {
    case .rateLimited(_, let failure) where pages > 0, .failed(let failure) where pages > 0:
      self.ending = .partial(
        brokenItems: brokenItems, reason: "the pages after the first \(pages) are missing",
        failure: failure, notes: notes)
    case _:
      self.ending = ending
    }
    release()
  }

  /// Gives back what only a search that goes on needs.
  private mutating func release() {
    cursors = []
    identities = []
    notes = []
  }

  private static func isWithin(_ limits: RunLimits, _ post: Post) -> Bool {
    guard let date = post.createdAt else { return true }
    return limits.since.map { date >= $0 } ?? true && limits.until.map { date < $0 } ?? true
  }
}
