internal import FoundationEssentials
internal import PostHistory
internal import SearchEngine
internal import SearchSources

/// The rules for what a search that ended early leaves to the next runs, and how these read it. Pure.
///
/// They read the gap again, and give it up after two days. Where pages cost and the network finds posts by date, they
/// read only the gap and what is newer than all that was read; otherwise everything down to what was read before.
struct GapRule: Sendable {
  /// The time in seconds, two days, after which a gap that still cannot be read is given up. The costs of a watch
  /// count for one.
  private static let longestGap = 172_800.0

  let now: Date
  /// True for a run with dates of its own.
  let hasDates: Bool

  /// The dates that a search is asked for where an earlier run has left a gap: those that are newer than what has been
  /// read, then the gap; nil for all.
  func spans(of search: Search, after memory: SearchMemory?) -> [DateSpan]? {
    guard isReadByDate(search), let memory, let gap = memory.gap, let end = gap.end else {
      return nil
    }
    let known = memory.readUpTo ?? memory.knownBefore ?? Date(timeIntervalSince1970: 0)
    let traits = search.source.traits
    let first = traits.earliest(at: now).map { max($0, known) } ?? known
    // Posts of the newest second may still arrive, until they would be late. One that holds too many is not read again
    // from then on.
    let mayGrow = now.timeIntervalSince(gap.top) <= traits.lateness
    let top = mayGrow ? gap.top : gap.top.addingTimeInterval(1)
    // X refuses a span within its last ten seconds.
    let newer = max(min(top, now.addingTimeInterval(-60)), end)
    guard first < end else { return nil }
    return [
      DateSpan(first: Int(newer.timeIntervalSince1970), end: nil),
      DateSpan(first: Int(first.timeIntervalSince1970), end: Int(end.timeIntervalSince1970)),
    ]
  }

  /// The reach that a search which ended early leaves.
  func reach(
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

  /// True if a search reads a gap without what is around it.
  private func isReadByDate(_ search: Search) -> Bool {
    let traits = search.source.traits
    return traits.cost != nil && traits.filtersByDate && !hasDates
  }
}
