internal import FoundationEssentials
internal import SearchModel
internal import SearchSources

/// The progress of one search: a pure value that receives pages and knows what may follow.
///
/// A run may have a million of these: the properties are in an order that leaves few bytes between them.
struct SearchState: Sendable {
  /// The rest of a search after its pages so far.
  enum Rest: Hashable, Sendable {
    /// Another page; nil is the first.
    case page(Cursor?)
    /// Posts that cannot be requested.
    case missing(Shortfall)
    /// Nothing wanted.
    case nothing
  }

  /// The reason a search ends although there is more.
  struct Shortfall: Hashable, Sendable {
    let reason: String
    /// True if the run wants more, which makes the search partial; otherwise the reason is a note.
    let isPartial: Bool
    /// True if another run could not read further either, as the network or the user has set the bound.
    var isLasting = false
    /// The next page, which was not requested; nil if there is none.
    var next: Cursor?
  }

  /// The posts found, without those that `drop(before:)` removed.
  private(set) var posts: [Post] = []
  private(set) var rest = Rest.page(nil)
  /// True if a page held non-public posts.
  private(set) var holdsPrivate = false
  /// True if a default bound ended it early.
  private(set) var isCutByDefault = false
  /// True if items could not be read.
  private var hasBrokenItems = false
  /// True if posts are missing on one of its pages, as far as the server says.
  private var hasGap = false
  /// True once it has ended if posts were dropped, or left on the server.
  private var wasCut = false
  private(set) var ending: Ending?
  private(set) var pages = 0
  /// The moment of the newest post read, in seconds since 1970.
  private var newestRead = -Double.infinity
  /// The moment of the newest post that counts, in seconds since 1970.
  private var newestTaken = -Double.infinity
  /// The number of matching posts, dropped ones included.
  private(set) var taken = 0
  /// The posts that the run's filter removed.
  private(set) var excluded = FilterTally()
  /// What only a search under way needs: one value, or none before the first page and after the end, as
  /// most searches of a large run have neither begun nor are they still under way.
  private var underWay: [SearchCourse] = []

  private static let repetition = "the same page was offered twice"

  private var course: SearchCourse {
    _read { if underWay.isEmpty { yield SearchCourse.beginning } else { yield underWay[0] } }
    _modify {
      if underWay.isEmpty { underWay.append(SearchCourse()) }
      yield &underWay[0]
    }
  }

  /// The latest date of the last page's matching posts that are not pinned, in seconds since 1970.
  var newestOfPage: Double { course.newestOfPage }
  /// The number of items received, wanted or not.
  var read: Int { course.read }
  /// The number of items on the largest page.
  var largestPage: Int { course.largestPage }

  /// The number of posts still wanted; nil for no cap. Posts from the future are wanted besides.
  func wanted(of cap: Int?) -> Int? { cap.map { max($0 - taken + course.future, 0) } }

  /// True if posts from the future come before those that are wanted.
  var holdsFuture: Bool { course.future > 0 }

  /// The number of items among which a number of posts will be found, as far as the pages so far tell.
  func items(holding wanted: Int) -> Int {
    guard course.read > 0 else { return wanted }
    let found = max(taken - course.future, 1)
    return max(wanted, Int(min(Double(wanted) * Double(course.read) / Double(found), 1e6)))
  }

  /// The latest date that a post still to come can have, in whole seconds since 1970.
  var bound: Double { course.frontier.moment.rounded(.down) }

  /// Returns whether a post still to come can be newer than any of a second; where dates are whole seconds, one of
  /// that second is not.
  func canFollow(with second: Double) -> Bool {
    bound > second || bound == second && course.frontier.moment > bound
  }

  /// True if there is more that can be requested, or that is missing if it is wanted.
  var isWaitingForMore: Bool {
    switch rest {
    case .page: true
    case .missing(let shortfall): shortfall.isPartial
    case .nothing: false
    }
  }

  /// Returns whether all posts still to come are proven to be older than a date.
  func hasPassed(_ date: Date) -> Bool { course.frontier.hasPassed(date) }

  /// The order of the pages of a search so far.
  func order(of search: Search) -> PageOrder {
    pages == 0 ? search.endpoint.traits.order : course.frontier.order
  }

  /// Receives a page, and returns the posts that count from now on: its new matching posts, or all
  /// posts at once when the search is no longer provisional.
  ///
  /// - Parameters:
  ///   - kept: The page's posts that match the query and pass the filter.
  ///   - now: The run's current date.
  mutating func take(
    _ page: Page, keeping kept: KeptPosts, of search: Search, within limits: RunLimits, now: Date
  ) -> [Post] {
    if page.isRedirect, let next = page.next {
      // No page yet; the same one again would never end.
      rest =
        course.trail.follow(next)
        ? .page(next) : .missing(Shortfall(reason: Self.repetition, isPartial: true))
      return []
    }
    let latest = now.timeIntervalSince1970 + Merge.toleratedLead
    note(page, kept, of: search, latest: latest)
    let new = newPosts(kept.posts, within: limits)
    note(new, of: page, kept, for: search, within: limits, latest: latest)
    let isOver = hold(new, of: search, latest: latest)
    rest = rest(after: page, of: search, within: limits, now: now)
    if rest == .nothing { course.trail.forgetCursors() }
    let wasProvisional = course.isProvisional
    let isLoose = course.frontier.order != .exact || course.frontier.hasPinned
    if search.cap != nil, isLoose, case .page = rest {
      course.isProvisional = true
      return []
    }
    course.isProvisional = false
    return wasProvisional || isOver ? posts : new
  }

  /// Notes what a page holds, whether the search wants it or not.
  private mutating func note(_ page: Page, _ kept: KeptPosts, of search: Search, latest: Double) {
    pages += 1
    course.trail.begin(page)
    course.brokenItems += page.brokenItems
    course.read += page.items
    course.largestPage = max(course.largestPage, page.items)
    course.gap = course.gap ?? page.gap
    hasBrokenItems = hasBrokenItems || page.brokenItems > 0
    hasGap = hasGap || page.gap != nil
    excluded.add(kept.excluded)
    holdsPrivate = holdsPrivate || kept.holdsPrivate
    for note in kept.notes { course.note(note) }
    course.frontier.take(
      page.posts, sortedBy: page.sortDates, order: page.order ?? search.endpoint.traits.order,
      latest: latest)
    course.coverage.take(
      kept.judged, order: course.frontier.order, isPaid: search.endpoint.traits.cost != nil,
      latest: latest)
    course.endsWithKnown =
      !kept.judged.isEmpty && kept.judged.allSatisfy { $0.verdict.novelty != .new }
    course.lookBack.begin(search)
    newestRead = Self.newest(of: page.posts, after: newestRead, until: latest)
  }

  /// Notes which of a page's posts are new, and within the run's dates.
  private mutating func note(
    _ new: [Post], of page: Page, _ kept: KeptPosts, for search: Search, within limits: RunLimits,
    latest: Double
  ) {
    course.passed.take(kept.judged, holding: new)
    // Pages of posts that earlier runs printed lead back to those that they missed.
    let isBarren =
      new.isEmpty && !kept.judged.contains { $0.passes } && !isOnItsWay(of: search, within: limits)
    course.trail.end(page, number: pages, new: new.count, isBarren: isBarren)
    doubt(page, of: search)
    // A post that is not for everyone counts in no alert.
    newestTaken = Self.newest(
      of: kept.holdsPrivate ? new.filter(\.isOpen) : new, after: newestTaken, until: latest)
    // A pinned post does not indicate the dates on the next page.
    course.newestOfPage = new.indices.reduce(-.infinity) { newest, index in
      new[index].isPinned ? newest : max(newest, new[index].createdSeconds ?? newest)
    }
  }

  /// Doubts a page before what earlier runs have read that brings nothing, though others follow: it may have come in
  /// place of another one. New posts may also have moved all of a page to the next, which the next run finds out. Where
  /// pages cost, empty ones are common and believed.
  private mutating func doubt(_ page: Page, of search: Search) {
    guard search.readUpTo != nil, !course.coverage.hasBegun, !course.trail.isFirstOfWindow,
      page.next != nil
    else { return }
    let isEmpty = page.items == 0 && search.endpoint.traits.cost == nil
    let isRepeated = page.posts.count > 1 && !course.trail.hasNews
    if isEmpty || isRepeated { course.isDoubtful = true }
  }

  /// Holds more posts, up to the search's cap; returns true if there were too many.
  ///
  /// Posts from the future only fill the places that others leave, as a network may be full of them: works whose
  /// volume will appear next year.
  private mutating func hold(_ new: [Post], of search: Search, latest: Double) -> Bool {
    posts = posts.isEmpty ? new : posts + new
    taken += new.count
    guard let cap = search.cap else { return false }
    // Where posts cost, no more of them are read.
    if search.endpoint.traits.cost == nil {
      course.future += new.indices.count { (new[$0].createdSeconds ?? latest) > latest }
    }
    guard taken > cap else { return false }
    course.future = max(cap - taken + course.future, 0)
    taken = cap
    keepNewest(cap, latest: latest)
    return course.future == 0
  }

  /// The latest date of some posts and of earlier ones, without dates in the future; in seconds since 1970.
  // By their indices, as a copy of a post is two retains.
  private static func newest(
    of posts: [Post], after earlier: Double, until latest: Double
  ) -> Double {
    posts.indices.reduce(earlier) { newest, index in
      guard let second = posts[index].createdSeconds, second <= latest else {
        return newest
      }
      return max(newest, second)
    }
  }

  /// Returns the posts that count only now, because no newer ones will replace them.
  mutating func settle() -> [Post] {
    guard course.isProvisional else { return [] }
    course.isProvisional = false
    return posts
  }

  /// True if pages without matching posts are still approaching the run's dates, or what earlier runs have read.
  private func isOnItsWay(of search: Search, within limits: RunLimits) -> Bool {
    guard course.frontier.isReceding, course.frontier.order != .unordered else { return false }
    return limits.since != nil
      || [limits.until, search.readUpTo].contains {
        $0.map { !course.frontier.hasPassed($0) } == true
      }
  }

  /// Reduces the posts to a cap, keeping the newest; future and undated posts come last.
  private mutating func keepNewest(_ cap: Int, latest: Double) {
    guard posts.count > cap else { return }
    let moments = posts.map { post in
      guard let second = post.createdAt?.timeIntervalSince1970 else { return -Double.infinity }
      return second <= latest ? second : -.greatestFiniteMagnitude
    }
    guard zip(moments, moments.dropFirst()).contains(where: { $0 < $1 }) else {
      course.passed.cut(posts[cap...])
      posts.removeLast(posts.count - cap)
      return
    }
    let ranked = moments.indices.sorted { (moments[$1], $0) < (moments[$0], $1) }
    course.passed.cut(ranked[cap...].map { posts[$0] })
    posts = ranked.prefix(cap).sorted().map { posts[$0] }
  }

  /// The new posts of a page within the run's dates.
  private mutating func newPosts(_ kept: [Post], within limits: RunLimits) -> [Post] {
    let isWhole = limits.since == nil && limits.until == nil
    let within = isWhole ? kept : kept.filter { isWithin(limits, $0) }
    return course.trail.news(among: within, ofPage: pages, besides: posts)
  }

  private mutating func isWithin(_ limits: RunLimits, _ post: Post) -> Bool {
    let isWithin = limits.hold(post)
    if !isWithin, post.createdAt == nil { excluded.count(.undated) }
    return isWithin
  }

  private mutating func rest(
    after page: Page, of search: Search, within limits: RunLimits, now: Date
  ) -> Rest {
    if isEnough(for: search, within: limits) {
      let hasMore = page.next != nil || page.deadEnd != nil
      if wanted(of: search.cap) == 0, !course.coverage.isComplete, hasMore {
        course.passed.cutRest()
      }
      course.isUnsortedSample = hasMore && course.frontier.order == .unordered
      return restToLookBack(after: page, of: search, within: limits)
    }
    if let reason = page.deadEnd {
      return .missing(Shortfall(reason: reason, isPartial: true))
    }
    guard let next = page.next else {
      return restAtEnd(after: page, of: search, within: limits, now: now)
    }
    if case .page(let asked?) = rest { course.trail.follow(asked) }
    var shortfall = reasonToStop(before: next, after: page, of: search, within: limits)
    shortfall?.next = next
    return shortfall.map(Rest.missing) ?? .page(next)
  }

  /// The reason not to request the next page that a page names; nil if there is none.
  private func reasonToStop(
    before next: Cursor, after page: Page, of search: Search, within limits: RunLimits
  ) -> Shortfall? {
    if next.rawValue.utf8.count > Cursor.longest {
      return Shortfall(reason: "the server named a next page that is too long", isPartial: true)
    }
    guard !course.trail.comesAgain(with: next) else {
      return Shortfall(reason: Self.repetition, isPartial: true)
    }
    guard !course.trail.endsInEmptyPages else {
      let reason = "stopped after \(PageTrail.longestEmptyRun) empty pages in a row"
      return Shortfall(reason: reason, isPartial: true)
    }
    let mostPages = limits.mostPages(of: search, order: course.frontier.order)
    guard pages < mostPages else {
      if course.frontier.order == .unordered {
        let reason = unsortedReason
        // Which posts are the newest of all, nobody can say; all of some date or number can be read.
        guard limits.newest == nil, limits.asksForMore(than: search) else {
          return Shortfall(reason: reason, isPartial: false, isLasting: true)
        }
        return Shortfall(
          reason: "\(reason); --max-pages reads more", isPartial: true, isLasting: true)
      }
      let reason = "stopped after \(Plural.count(mostPages, "page")); --max-pages sets how many"
      return Shortfall(
        reason: reason, isPartial: isShort(of: search, within: limits),
        isLasting: limits.pages != nil || search.endpoint.traits.cost == nil)
    }
    guard !course.trail.endsInBarrenPages else {
      let count = PageTrail.longestBarrenRun
      let reason = "stopped after \(count) pages in a row without a matching post"
      return Shortfall(
        reason: reason, isPartial: !limits.isSample || search.isToBeWhole,
        isLasting: course.frontier.order == .unordered)
    }
    return nil
  }

  /// The rest of a search after a page that names no next one.
  private mutating func restAtEnd(
    after page: Page, of search: Search, within limits: RunLimits, now: Date
  ) -> Rest {
    // Some servers answer with the first page when they have no page of this number, or again with the
    // page of a cursor that stays the same.
    if !page.posts.isEmpty, course.trail.isFirstPageAgain(page) || isRepetition {
      return .missing(Shortfall(reason: Self.repetition, isPartial: true))
    }
    let reason = page.missing ?? reasonToMissMore(than: page, of: search, limits, now: now)
    guard let reason else {
      if missesKnownPosts(of: search, within: limits) {
        course.isDoubtful = true
        course.note("it ended before what earlier runs have read; posts between may be missing")
      }
      return .nothing
    }
    // After a page that holds nothing new there is most probably nothing new either.
    let isKnown = course.endsWithKnown && course.frontier.order == .unordered
    return .missing(
      Shortfall(
        reason: reason, isPartial: isShort(of: search, within: limits) && !isKnown,
        isLasting: true))
  }

  /// True if a search that ends here has returned less than the run wants: also if all that it has read was newer than
  /// the dates that are wanted.
  private func isShort(of search: Search, within limits: RunLimits) -> Bool {
    if limits.asksForMore(than: search) { return true }
    guard let until = limits.until, taken == 0, course.read > 0 else { return false }
    return !course.frontier.hasPassed(until)
  }

  /// True if a search ends here with newer posts than earlier runs have read, and with none of theirs.
  private func missesKnownPosts(of search: Search, within limits: RunLimits) -> Bool {
    guard let end = search.readUpTo, !search.readsWindows, course.frontier.order != .unordered
    else { return false }
    return !course.coverage.hasBegun && newestRead > end.timeIntervalSince1970
      && limits.since.map { $0 <= end } ?? true
  }

  /// True if the last page brought nothing new, and its cursor had been asked before.
  private var isRepetition: Bool {
    guard !course.trail.hasNews, case .page(let asked?) = rest else { return false }
    return course.trail.hasFollowed(asked)
  }

  private var unsortedReason: String {
    "looked at \(Plural.count(course.read, "post")); this network cannot sort by date"
  }

  /// Returns whether nothing more is wanted of a search than to look back.
  private func isEnough(for search: Search, within limits: RunLimits) -> Bool {
    wanted(of: search.cap) == 0 || limits.since.map(course.frontier.hasPassed) ?? false
      || course.coverage.isComplete
  }

  /// The page that only shows posts which arrived late, as long as the search is to look for them.
  private mutating func restToLookBack(
    after page: Page, of search: Search, within limits: RunLimits
  ) -> Rest {
    if case .page(let asked?) = rest { course.trail.follow(asked) }
    // What it found now would be cut: the next run looks back.
    if !search.isFirstRun, wanted(of: search.cap) == 0 { course.lookBack.giveUp() }
    guard let next = page.next, course.trail.hasNews || !course.trail.hasFollowed(next),
      pages < limits.mostPages(of: search, order: course.frontier.order),
      course.lookBack.readsOn(from: course.frontier)
    else { return .nothing }
    return .page(next)
  }

  /// True if its next page only shows posts that arrived late.
  var hasEnough: Bool { course.lookBack.isUnderWay }

  /// Returns whether a first run reads on although no further post of the search can be printed.
  mutating func looksBackInstead() -> Bool {
    guard case .page = rest else { return false }
    return course.lookBack.isUnderWay
      || course.lookBack.isOfFirstRun && course.lookBack.readsOn(from: course.frontier)
  }

  /// The reason the network may have more posts than those up to its last page; nil if that was all.
  private func reasonToMissMore(
    than page: Page, of search: Search, _ limits: RunLimits, now: Date
  ) -> String? {
    let traits = search.endpoint.traits
    if !page.isLast, let ceiling = traits.ceiling(with: search.credentials), course.read >= ceiling
    {
      let advice = traits.filtersByDate ? "; --since DATE --backfill reads the others" : ""
      return "this network returns at most \(ceiling) posts per search\(advice)"
    }
    guard let horizon = traits.horizon else { return nil }
    let first = now.addingTimeInterval(-horizon)
    if let since = limits.since ?? search.readUpTo, since >= first { return nil }
    return search.endpoint.horizonReason
  }

  /// The posts that it has read, for later runs to remember.
  func reading(of search: Search) -> Reading {
    var reading = Reading(
      search: search, posts: posts, ending: ending ?? .cancelled,
      printedByOthers: course.passed.printedByOthers, passed: course.passed.all,
      newest: newestRead > -.infinity ? Date(timeIntervalSince1970: newestRead) : nil,
      isCut: wasCut || course.passed.isCut, oldestCut: course.passed.oldestCut)
    let isAtEnd = if case .page = rest { false } else { true }
    reading.hasLookedBack = course.lookBack.isWanted && (isAtEnd || course.lookBack.isOver)
    reading.newestFound =
      newestTaken > -.infinity ? Date(timeIntervalSince1970: newestTaken) : nil
    (reading.found, reading.pages, reading.excluded) = (taken, pages, excluded)
    reading.hasGap = hasGap
    reading.isDoubtful = course.isDoubtful
    if course.frontier.moment.isFinite {
      reading.readDownTo = Date(timeIntervalSince1970: bound + 1)
    }
    reading.middle = course.frontier.middle.map { Date(timeIntervalSince1970: Double($0)) }
    switch rest {
    case .page(let cursor): reading.next = cursor
    case .nothing: reading.isExhausted = !hasBrokenItems && !hasGap
    case .missing(let shortfall):
      (reading.next, reading.isUnfinished) = (shortfall.next, !shortfall.isLasting)
    }
    return reading
  }

  /// Drops posts older than a date, in seconds since 1970, and undated ones.
  // Not in place, which would not free their memory.
  mutating func drop(before second: Double) {
    let kept = posts(from: second)
    if course.passed.isUsed, kept.count < posts.count {
      course.passed.cut(
        posts.filter { post in
          post.createdAt.map { $0.timeIntervalSince1970 < second } ?? true
        })
    }
    posts = kept
  }

  /// Replaces posts by equal ones that others hold.
  mutating func sharePosts(with known: (Post) -> Post?) {
    for index in posts.indices {
      if let same = known(posts[index]) { posts[index] = same }
    }
  }

  /// The dated posts that are not older than a date, in seconds since 1970.
  func posts(from second: Double) -> [Post] {
    let isKept = { (post: Post) in
      post.createdAt.map { $0.timeIntervalSince1970 >= second } ?? false
    }
    // Without a copy where all are.
    return posts.allSatisfy(isKept) ? posts : posts.filter(isKept)
  }

  /// Ends the search; posts that cannot be requested are noted, or make it partial if wanted.
  mutating func finish(isRestWanted: Bool) {
    guard ending == nil else { return }
    if case .page = rest, !course.lookBack.isUnderWay { course.passed.cutRest() }
    if course.passed.old > 0 {
      course.note(
        "\(Plural.count(course.passed.old, "post")) older than the first run of this search left out"
      )
    }
    if course.isUnsortedSample { course.note(unsortedReason) }
    var reason = course.gap
    if isRestWanted, case .missing(let shortfall) = rest {
      if shortfall.isPartial {
        reason = shortfall.reason
      } else {
        course.note(shortfall.reason)
      }
    }
    if reason != nil || course.brokenItems > 0 {
      ending = .partial(brokenItems: course.brokenItems, reason: reason, notes: course.notes)
    } else {
      ending = .completed(notes: course.notes)
    }
    release()
  }

  /// Ends the search because a bound of the run forbids its next page.
  ///
  /// - Parameter isPartial: Whether posts that the run wants are missing.
  mutating func stop(_ reason: String, isPartial: Bool = true) {
    let next: Cursor? = if case .page(let cursor) = rest { cursor } else { nil }
    rest = .missing(Shortfall(reason: reason, isPartial: isPartial, next: next))
    finish(isRestWanted: true)
  }

  /// Ends the search because a default bound forbids its next page. That counts as complete, but where another run
  /// continues.
  mutating func stop(atDefault reason: String, of search: Search) {
    guard pages > 0 else { return fail(.skipped(reason: reason)) }
    let isPartial = search.readsWindows || search.isToBeWhole
    isCutByDefault = !isPartial
    stop(reason, isPartial: isPartial)
  }

  /// Ends the search by a failure; earlier pages make it partial.
  mutating func fail(_ ending: Ending) {
    guard self.ending == nil else { return }
    switch ending {
    case .rateLimited(let until, var failure) where pages > 0:
      failure.until = failure.until ?? until
      self.ending = withoutLaterPages(because: failure)
    case .failed(let failure) where pages > 0: self.ending = withoutLaterPages(because: failure)
    default:
      self.ending = ending
    }
    release()
  }

  private func withoutLaterPages(because failure: Failure) -> Ending {
    let read = pages == 1 ? "the first" : "the first \(pages)"
    return .partial(
      brokenItems: course.brokenItems, reason: "the pages after \(read) are missing",
      failure: failure,
      notes: course.notes)
  }

  /// Frees what only a continuing search needs.
  private mutating func release() {
    guard !underWay.isEmpty else { return }
    if course.isRemembered {
      course.release()
    } else {
      wasCut = course.passed.isCut
      underWay = []
    }
  }
}
