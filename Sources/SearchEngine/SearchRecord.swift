internal import FoundationEssentials
internal import SearchModel
internal import SearchSources

/// How far one search is: a pure value that takes pages and knows what may lie behind them.
struct SearchRecord: Sendable {
  /// What may lie behind the pages so far.
  enum Rest: Hashable, Sendable {
    /// Another page; nil is the first.
    case page(Cursor?)
    /// Posts that cannot be asked for.
    case missing(Shortfall)
    /// Nothing that is wanted.
    case nothing
  }

  /// Why a search ends although there is more.
  struct Shortfall: Hashable, Sendable {
    let reason: String
    /// Whether the run asked for more, so that the search is partial; otherwise the reason is a note.
    let isPartial: Bool
  }

  /// Pages without a post that counts, one after the other, until the search gives up: servers that
  /// filter after paging send some of these, but none sends them without an end.
  private static let longestBarrenRun = 10

  /// What it found, less what `drop(before:)` has let go.
  private(set) var posts: [Post] = []
  private(set) var rest = Rest.page(nil)
  private(set) var ending: Ending?
  private(set) var pages = 0
  /// The newest moment of the last page's posts that count and are not pinned, in seconds since 1970.
  private(set) var newestOfPage = -Double.infinity
  private var frontier = ReadingFrontier()
  /// How many posts have counted, whether they are still held or not.
  private(set) var taken = 0
  /// How many items have come, wanted or not.
  private var read = 0
  /// Whether newer posts may still take the place of those held, since there is a cap and the order is
  /// not exact.
  private(set) var isProvisional = false
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

  /// The newest moment that a post which has not come may be of, in whole seconds since 1970.
  var bound: Double { frontier.moment.rounded(.down) }

  /// Whether it has an open question: more that can be asked for, or that is missing if it is wanted.
  var isWaitingForMore: Bool {
    switch rest {
    case .page: true
    case .missing(let shortfall): shortfall.isPartial
    case .nothing: false
    }
  }

  /// Whether what has not come is proven to be older than a date.
  func hasPassed(_ date: Date) -> Bool { frontier.hasPassed(date) }

  /// The order of its pages as far as they are known.
  func order(of source: any Source) -> PageOrder {
    pages == 0 ? source.traits.order : frontier.order
  }

  /// Takes a page, and returns the posts that count from now on: those of the page which are wanted and
  /// have not come before, or all at once when the search is no longer provisional.
  ///
  /// - Parameters:
  ///   - kept: The page's posts that the query asks for and no filter leaves out.
  ///   - now: The run's now.
  mutating func take(
    _ page: Page, keeping kept: KeptPosts, of search: Search, within limits: RunLimits, now: Date
  ) -> [Post] {
    pages += 1
    brokenItems += page.brokenItems
    read += page.posts.count + page.brokenItems
    gap = gap ?? page.gap
    excluded.add(kept.excluded)
    notes += kept.notes.filter { !notes.contains($0) }
    let latest = now.timeIntervalSince1970 + Merge.toleratedLead
    frontier.take(page.posts, order: page.order ?? search.source.traits.order, latest: latest)
    let new = newPosts(kept.posts, within: limits)
    barrenRun = new.isEmpty && !isOnItsWay(within: limits) ? barrenRun + 1 : 0
    // A pinned post says nothing about those on the next page.
    newestOfPage = new.reduce(-.infinity) { newest, post in
      post.isPinned ? newest : max(newest, post.createdAt?.timeIntervalSince1970 ?? newest)
    }
    posts = posts.isEmpty ? new : posts + new
    let isOver = search.cap.map { taken + new.count > $0 } ?? false
    if isOver, let cap = search.cap { keepNewest(cap, latest: latest) }
    taken = isOver ? search.cap ?? taken : taken + new.count
    rest = rest(behind: page, of: search, within: limits, now: now)
    if rest == .nothing { cursors = [] }
    let wasProvisional = isProvisional
    let isLoose = frontier.order != .exact || frontier.hasPinned
    if search.cap != nil, isLoose, case .page = rest {
      isProvisional = true
      return []
    }
    isProvisional = false
    return wasProvisional || isOver ? posts : new
  }

  /// Returns the posts that count only now, as no newer one will take the place of any.
  mutating func settle() -> [Post] {
    defer { isProvisional = false }
    return isProvisional ? posts : []
  }

  /// Whether pages without a post that counts still lead back to the run's dates.
  private func isOnItsWay(within limits: RunLimits) -> Bool {
    guard frontier.isReceding, frontier.order != .unordered else { return false }
    return limits.since != nil || limits.until.map { !frontier.hasPassed($0) } ?? false
  }

  /// Keeps as many posts as a cap leaves room for: the newest, and those of the future and without a date
  /// only after all others.
  private mutating func keepNewest(_ cap: Int, latest: Double) {
    guard posts.count > cap else { return }
    let moments = posts.map { post in
      guard let second = post.createdAt?.timeIntervalSince1970 else { return -Double.infinity }
      return second <= latest ? second : -.greatestFiniteMagnitude
    }
    guard zip(moments, moments.dropFirst()).contains(where: { $0 < $1 }) else {
      posts.removeLast(posts.count - cap)
      return
    }
    let ranked = moments.indices.sorted { (moments[$1], $0) < (moments[$0], $1) }
    posts = ranked.prefix(cap).sorted().map { posts[$0] }
  }

  /// Those of a page's posts that lie within the run's dates and have not come before.
  private mutating func newPosts(_ kept: [Post], within limits: RunLimits) -> [Post] {
    let isWhole = limits.since == nil && limits.until == nil
    let within = isWhole ? kept : kept.filter { isWithin(limits, $0) }
    if pages == 1 { return within }
    if pages == 2 { identities = Set(posts.map(\.identityHash)) }
    return within.filter { identities.insert($0.identityHash).inserted }
  }

  private mutating func isWithin(_ limits: RunLimits, _ post: Post) -> Bool {
    guard let date = post.createdAt else {
      if !limits.keepsUndated { excluded.count(.undated) }
      return limits.keepsUndated
    }
    return limits.since.map { date >= $0 } ?? true && limits.until.map { date < $0 } ?? true
  }

  private mutating func rest(
    behind page: Page, of search: Search, within limits: RunLimits, now: Date
  ) -> Rest {
    if wanted(of: search.cap) == 0 { return .nothing }
    if let since = limits.since, frontier.hasPassed(since) { return .nothing }
    guard let next = page.next else {
      let reason = page.missing ?? reasonToMissMore(from: search.source.traits, limits, now: now)
      guard let reason else { return .nothing }
      return .missing(Shortfall(reason: reason, isPartial: limits.asksForMore(than: search)))
    }
    if case .page(let asked?) = rest { cursors.insert(asked) }
    guard !cursors.contains(next) else {
      return .missing(Shortfall(reason: "the same page was offered twice", isPartial: true))
    }
    let mostPages = limits.mostPages(of: search.source, order: frontier.order)
    guard pages < mostPages else {
      if frontier.order == .unordered {
        let reason = "looked at \(read) posts; this network cannot sort by date"
        return .missing(Shortfall(reason: reason, isPartial: false))
      }
      let reason = "stopped after \(mostPages) pages; --max-pages sets how many"
      return .missing(Shortfall(reason: reason, isPartial: limits.asksForMore(than: search)))
    }
    guard barrenRun < Self.longestBarrenRun else {
      let reason = "stopped after \(barrenRun) pages in a row without a matching post"
      return .missing(Shortfall(reason: reason, isPartial: !limits.isSample))
    }
    return .page(next)
  }

  /// Why the network may have more than the last of its pages showed; nil where that was all.
  private func reasonToMissMore(
    from traits: SourceTraits, _ limits: RunLimits, now: Date
  ) -> String? {
    if let ceiling = traits.ceiling, read >= ceiling {
      return "this network gives no more than \(ceiling) posts of a search"
    }
    guard let horizon = traits.horizon else { return nil }
    let first = now.addingTimeInterval(-horizon)
    if let since = limits.since, since >= first { return nil }
    return "this network's search reaches back no more than \(Int(horizon / 86_400)) days"
  }

  /// Lets posts go that are older than a moment, in seconds since 1970, or tell no date.
  // Not in place, which would keep the room that they took.
  mutating func drop(before second: Double) { posts = posts(from: second) }

  /// The posts that are not older than a moment, in seconds since 1970, and tell their date.
  func posts(from second: Double) -> [Post] {
    posts.filter { post in post.createdAt.map { $0.timeIntervalSince1970 >= second } ?? false }
  }

  /// Ends the search; what it cannot ask for is a note, or makes it partial if that is wanted.
  mutating func finish(isRestWanted: Bool) {
    guard ending == nil else { return }
    var reason = gap
    if isRestWanted, case .missing(let shortfall) = rest {
      if shortfall.isPartial { reason = shortfall.reason } else { notes.append(shortfall.reason) }
    }
    if reason != nil || brokenItems > 0 {
      ending = .partial(brokenItems: brokenItems, reason: reason, notes: notes)
    } else {
      ending = .completed(notes: notes)
    }
    release()
  }

  /// Ends the search before its next page, which a bound of the run forbids.
  ///
  /// - Parameter isPartial: Whether posts that the run asked for are missing.
  mutating func stop(_ reason: String, isPartial: Bool = true) {
    rest = .missing(Shortfall(reason: reason, isPartial: isPartial))
    finish(isRestWanted: true)
  }

  /// Ends the search before its next page, which a bound forbids that nobody has set: what has come is
  /// all that was meant.
  mutating func stop(note: String) {
    guard pages > 0 else { return fail(.skipped(reason: note)) }
    notes.append(note)
    finish(isRestWanted: false)
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
    frontier = ReadingFrontier()
  }
}
