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
/// another reason, it leaves a gap: the next runs read those posts, and give them up after two days. Where pages cost
/// and the network finds posts by date, they read only the gap and what is newer.
struct NewsRule: Sendable {
  let mode: HistoryMode
  let now: Date
  var since: Date?
  var until: Date?
  /// True if a first run prints nothing.
  var isFromNow = false

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
    if let spans = spans(of: search, after: memory) {
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

  /// The dates that a search is asked for where an earlier run has left a gap: those that are newer than what has been
  /// read, then the gap; nil for all.
  private func spans(of search: Search, after memory: SearchMemory?) -> [DateSpan]? {
    guard isReadByDate(search), let memory, let gap = memory.gap, let end = gap.end else {
      return nil
    }
    var first = memory.readUpTo ?? memory.knownBefore ?? Date(timeIntervalSince1970: 0)
    if let horizon = search.source.traits.horizon {
      // A little later, as networks refuse an earlier date.
      first = max(first, now.addingTimeInterval(3600 - horizon))
    }
    // X refuses a span within its last ten seconds.
    let newer = max(min(gap.top, now.addingTimeInterval(-60)), end)
    guard first < end else { return nil }
    return [
      DateSpan(first: Int(newer.timeIntervalSince1970), end: nil),
      DateSpan(first: Int(first.timeIntervalSince1970), end: Int(end.timeIntervalSince1970)),
    ]
  }

  /// True if a search reads a gap without what is around it.
  private func isReadByDate(_ search: Search) -> Bool {
    let traits = search.source.traits
    return traits.cost != nil && traits.filtersByDate && since == nil && until == nil
  }

  /// The date down to which a search reads, to learn which posts exist or to find those that arrived
  /// late. Once a day it covers everything that can have arrived since the last time.
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
      || now.timeIntervalSince(last) >= SourceTraits.longLateness
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
    change.lookedBack = reading.hasLookedBack && isWhole && !reading.isUnfinished ? now : nil
    if memory == nil {
      change.knownBefore =
        mode == .newAll ? since : bound(of: reading.search, reading.posts.filter(isPrinted))
    } else if let end = memory?.readUpTo,
      let cut = Self.oldest(of: unprinted, and: reading.oldestCut), cut <= end
    {
      // It arrived late, between known posts: the next run must not stop at those before it has read this
      // one.
      change.reach = .back(to: cut.addingTimeInterval(-0.001))
      return change
    }
    guard isWhole, readsAll(after: memory) else { return change }
    // Behind a gap posts were read before.
    let top = memory?.gap.flatMap { $0.end == nil ? nil : $0.top }
    guard let newest = [reading.newest, top].compactMap(\.self).max() else { return change }
    let end = until.map { min(newest, $0.addingTimeInterval(-0.001)) } ?? newest
    change.reach =
      reading.isUnfinished && !isSample(after: memory)
      ? reach(after: reading, upTo: end, memory) : .forth(to: end)
    return change
  }

  /// The reach that a search which ended early leaves.
  private func reach(
    after reading: Reading, upTo newest: Date, _ memory: SearchMemory?
  ) -> MemoryChange.Reach {
    let left = end(of: reading, upTo: newest, after: memory)
    guard let gap = memory?.gap else {
      return .gap(SearchGap(since: now, top: newest, end: left))
    }
    guard reading.pages > 0, now.timeIntervalSince(gap.since) >= Self.longestGap else {
      return .gap(SearchGap(since: gap.since, top: newest, end: left))
    }
    // What was written since then was not left for that long.
    return gap.since < newest
      ? .gap(
        SearchGap(since: now, top: newest, end: left.map { max($0, gap.since) }), after: gap.since)
      : .forth(to: newest)
  }

  /// True if a run reads everything that earlier ones have not: one with dates of its own may leave some out.
  private func readsAll(after memory: SearchMemory?) -> Bool {
    guard let memory, since != nil || until != nil else { return true }
    guard let since else { return memory.gap == nil }
    return memory.gap == nil && (memory.readUpTo ?? memory.knownBefore).map { since <= $0 } ?? true
  }

  /// The time in seconds, two days, after which a gap that still cannot be read is given up. The costs of a watch
  /// count for one.
  private static let longestGap = 172_800.0

  /// The end of the gap that a search leaves, from which on it has read everything; nil where the next run reads that
  /// again.
  private func end(of reading: Reading, upTo newest: Date, after memory: SearchMemory?) -> Date? {
    guard isReadByDate(reading.search) else { return nil }
    var end = reading.readDownTo
    if let windows = reading.search.source as? WindowedSource {
      let complete = windows.completeSpans(next: reading.next, isExhausted: false)
      let left = windows.spans.flatMap { $0.subtracting(complete) }.max { $0.first < $1.first }
      let last = left?.end.map { Date(timeIntervalSince1970: Double($0)) }
      end = [last, end].compactMap(\.self).min() ?? memory?.gap?.end
    }
    if let gap = memory?.gap, let proven = end, let further = further(than: proven, reading, gap) {
      end = further
    }
    return end.flatMap { end in
      end <= newest && memory?.readUpTo.map { $0 < end } ?? true ? end : nil
    }
  }

  /// The end of a gap of which a run has read a part that proves nothing, so that the next one would read it again: more
  /// posts of one second than it may read, or of an order that is only approximate. Nil where it has come further, or
  /// has not reached the gap.
  private func further(than end: Date, _ reading: Reading, _ gap: SearchGap) -> Date? {
    // All that it has read is of the newest second.
    guard let begin = gap.end else {
      let newest = Date(timeIntervalSince1970: gap.top.timeIntervalSince1970.rounded(.down))
      return end > gap.top ? newest : nil
    }
    guard end == begin, reading.pages > 1 else { return nil }
    let next = begin.addingTimeInterval(-1)
    return reading.middle.map { min($0, next) } ?? next
  }

  /// The date before which posts are not new. No post that the first run printed is older, unless the
  /// network does not sort by date.
  private func bound(of search: Search, _ printed: [Post]) -> Date {
    let traits = search.source.traits
    let moment = now.addingTimeInterval(-traits.lateness)
    guard traits.order == .exact || traits.order == .approximate && traits.cost == nil else {
      return moment
    }
    let dates = printed.lazy.filter { !$0.isPinned }.compactMap(\.createdAt).sorted()
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
