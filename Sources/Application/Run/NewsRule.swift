internal import FoundationEssentials
internal import PostHistory
internal import SearchEngine
internal import SearchModel
internal import SearchSources

/// The rules by which a run tells new posts from those that earlier runs knew. Pure.
///
/// | of a search | is |
/// | --- | --- |
/// | dated before its first run began, less the time by which posts arrive late there | old |
/// | read by its first run, printed or not | known |
/// | printed by any search | known |
/// | anything else | new, until it was printed |
///
/// A later run reads back to posts that earlier ones have read. That mark advances only when no new post
/// was cut off by a cap or a limit, and nothing failed or was left out by the server. Where a search ends early for
/// another reason, or answers do not fit what earlier runs have read, it leaves a gap (`GapRule`); the answers are
/// believed when the next run gets such ones again.
struct NewsRule: Sendable {
  let mode: HistoryMode
  let now: Date
  var since: Date?
  var until: Date?
  /// True if a first run prints nothing.
  var isFromNow = false

  private var gaps: GapRule { GapRule(now: now, hasDates: since != nil || until != nil) }

  /// Returns whether a run is the first of a search. It prints a sample; the other posts that it read
  /// count as known.
  func isSample(after memory: SearchMemory?) -> Bool { memory == nil && mode == .new }

  // MARK: Before the run

  /// The search as a run sends it: after the first run it reads up to the posts that are known, however
  /// many are new.
  func adapted(_ search: Search, after memory: SearchMemory?) -> Search {
    var search = search
    search.readUpTo = memory?.readUpTo
    search.hasKnownPosts = memory != nil
    search.isFirstRun = isSample(after: memory)
    search.lookBackTo = lookBackEnd(of: search, after: memory)
    if let spans = gaps.spans(of: search, after: memory) {
      search.endpoint = search.endpoint.with(WindowedSource(search.source, spans: spans))
      search.readsWindows = true
    }
    if isFromNow, search.isFirstRun {
      // It reads one page and the posts that may have arrived late, and prints none of them.
      (search.cap, search.hasKnownPosts) = (0, true)
      return search
    }
    guard search.isCapDefault else { return search }
    if !search.isFirstRun { search.cap = nil }
    if memory != nil { search.isCapDefault = false }
    return search
  }

  /// The date down to which a search reads, to learn which posts exist or to find those that arrived
  /// late. Once in an interval it covers everything that can have arrived since the last time.
  private func lookBackEnd(of search: Search, after memory: SearchMemory?) -> Date? {
    let traits = search.source.traits
    guard traits.cost == nil else { return nil }
    guard let memory else {
      return search.isFirstRun ? now.addingTimeInterval(-traits.lateness) : nil
    }
    guard traits.isReadBack else { return nil }
    let last = memory.lookedBack ?? memory.readUpTo ?? now
    // A date in the future comes from a clock that was wrong.
    let isDue =
      memory.lookedBack == nil || last > now
      || now.timeIntervalSince(last) >= traits.readBackInterval
    guard isDue else { return nil }
    let end = min(last, now).addingTimeInterval(-traits.lateness)
    return bound(of: memory).map { max($0, end) } ?? end
  }

  /// The date before which posts are not new to later runs. One in the future comes from a clock that was wrong,
  /// and would hide every post until then.
  private func bound(of memory: SearchMemory?) -> Date? {
    memory?.knownBefore.flatMap { $0 <= now ? $0 : nil }
  }

  // MARK: During the run

  func verdict(
    on post: Post, _ status: PostStatus, after memory: SearchMemory?
  ) -> PostVerdict {
    let isOld =
      mode != .newAll
      && bound(of: memory).map { bound in post.createdAt.map { $0 < bound } ?? false } ?? false
    // An undated post may be anywhere: that it was read does not show that those behind it were.
    let isReached =
      memory?.readUpTo.map { end in post.createdAt.map { $0 <= end } ?? false } ?? false
    let novelty: PostVerdict.Novelty =
      if status.isPrinted {
        .printed
      } else if isOld {
        .old
      } else if isFromNow, isSample(after: memory) {
        .known
      } else {
        .new
      }
    return PostVerdict(
      novelty, isRead: status.isRead, isCovered: isOld || status.isRead && isReached)
  }

  /// Returns whether a post that a first run has found is still new after the first run of another process, which
  /// has ended meanwhile.
  ///
  /// - Parameter memory: What that one remembered of the search.
  func isStillNew(
    _ post: Post, _ status: PostStatus, of search: Search, after memory: SearchMemory
  ) -> Bool {
    guard verdict(on: post, status, after: memory).novelty == .new else { return false }
    // Where runs look back, the other one has read what is not new. Elsewhere a later run ends at the mark.
    guard search.source.traits.cost != nil, let end = memory.readUpTo, let date = post.createdAt
    else { return true }
    return date > end
  }

  // MARK: After the run

  /// The change of a search's memory for later runs; nil if they start where this one did.
  ///
  /// - Parameter isPrinted: Whether a post of the search was printed, and not dropped by the limit.
  func change(
    after reading: Reading, _ memory: SearchMemory?, isPrinted: (Post) -> Bool
  ) -> MemoryChange? {
    guard reading.ending.isAnswered, !reading.isStored else { return nil }
    // Posts beyond a network's ceiling or `--max-pages` do not count: the outcome has reported them, and the next run
    // could not read them either.
    let hasFailed = if case .partial(_, _, .some, _) = reading.ending { true } else { false }
    let unprinted = reading.posts.filter { !isPrinted($0) }
    let isWhole =
      !hasFailed && !reading.hasGap
      && (isSample(after: memory) || !reading.isCut && unprinted.isEmpty)
    var change = MemoryChange()
    let leavesGap =
      reading.isUnfinished || reading.isDoubtful && memory?.gap == nil
    change.lookedBack = reading.hasLookedBack && isWhole && !leavesGap ? now : nil
    if memory == nil {
      change.knownBefore =
        mode == .newAll ? since : bound(after: reading, isPrinted: isPrinted)
    } else if let end = memory?.readUpTo,
      let cut = Self.oldest(of: unprinted, and: reading.oldestCut), cut <= end
    {
      // It arrived late, between known posts: the next run must not stop at those before it has read this
      // one.
      change.reach = .back(to: cut.addingTimeInterval(-0.001))
      return change
    }
    guard isWhole, readsAll(after: memory) else { return change }
    // An earlier run has read the posts newer than the gap.
    let top = memory?.gap.flatMap { $0.end == nil ? nil : $0.top }
    guard let newest = [reading.newest, top].compactMap(\.self).max() else { return change }
    let end = until.map { min(newest, $0.addingTimeInterval(-0.001)) } ?? newest
    change.reach =
      leavesGap && !isSample(after: memory)
      ? gaps.reach(after: reading, upTo: end, memory) : .forth(to: end)
    return change
  }

  /// True if a run reads everything that earlier ones have not: one with dates of its own may leave some out.
  private func readsAll(after memory: SearchMemory?) -> Bool {
    guard let memory, since != nil || until != nil else { return true }
    guard let since else { return memory.gap == nil }
    return memory.gap == nil && (memory.readUpTo ?? memory.knownBefore).map { since <= $0 } ?? true
  }

  /// The date before which posts are not new. No post that the first run printed is older, unless the
  /// network does not sort by date.
  private func bound(after reading: Reading, isPrinted: (Post) -> Bool) -> Date {
    let traits = reading.search.source.traits
    let moment = now.addingTimeInterval(-traits.lateness)
    guard traits.order == .exact || traits.order == .approximate && traits.cost == nil else {
      return moment
    }
    if traits.cost != nil {
      // Such a run does not look back: what lies behind the posts that it has read was there before.
      let kept = reading.allPosts.lazy.filter { !$0.isPinned }.compactMap(\.createdAt).min()
      let passed = reading.passed.lazy.compactMap(\.createdAt).min()
      return [kept, passed].compactMap(\.self).min() ?? moment
    }
    let printed = reading.posts.filter { !$0.isPinned && isPrinted($0) }
    let dates = printed.compactMap(\.createdAt).sorted()
    // Where the order is approximate, a single post from years ago does not show how far the run has
    // read.
    let outliers = traits.order == .approximate ? dates.count / 10 : 0
    return dates.dropFirst(outliers).first.map { min($0, moment) } ?? moment
  }

  private static func oldest(of posts: [Post], and date: Date?) -> Date? {
    let dates = posts.filter { !$0.isPinned }.compactMap(\.createdAt)
    return (dates + [date].compactMap(\.self)).min()
  }
}

extension NewsRule {
  init(mode: HistoryMode, now: Date, _ settings: RunSettings) {
    self.init(
      mode: mode, now: now, since: settings.limits.since, until: settings.limits.until,
      isFromNow: settings.history.isFromNow)
  }
}
