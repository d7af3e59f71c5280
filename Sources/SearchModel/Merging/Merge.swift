internal import Dispatch
package import FoundationEssentials

/// Merges the posts of all searches into one list: newest first, without duplicates, the limit last.
///
/// Its input is in plan order (tag, source, server), never in order of arrival, so that the same
/// responses give the same list.
package struct Merge: Hashable, Sendable {
  /// The tolerance for dates ahead of now, in seconds, as clocks differ.
  package static let toleratedLead = 300.0

  /// The maximum number of copies listed for a post: strangers may have made a hundred thousand.
  static let mostCopies = 100

  /// The entries that one core copies at a time.
  private static let entriesInPart = 16_384

  /// The run's now.
  package var now: Date
  /// Dated posts before this moment are left out.
  package var since: Date?
  /// Dated posts at or after this moment are left out.
  package var until: Date?
  /// The maximum number of posts; nil for all.
  package var limit: Int?
  /// True if posts that share their only outside link and nearly the same text are joined.
  package var joinsByLink: Bool

  package init(
    now: Date, since: Date? = nil, until: Date? = nil, limit: Int? = nil,
    joinsByLink: Bool = false
  ) {
    self.now = now
    self.since = since
    self.until = until
    self.limit = limit
    self.joinsByLink = joinsByLink
  }

  /// Returns the posts by date, newest first; then those from the future; then those without a date.
  ///
  /// Ties are sorted by source, server and id, byte by byte. A post that several searches found occurs
  /// once: the copy from its home server or else the first in plan order, with all their queries. Of
  /// posts that are joined, the first in the merged order occurs, and lists the others.
  ///
  /// Posts older than the last one within the limit are ignored, even as copies: which of them were read
  /// may depend on the order of arrival.
  package func posts(of found: [FoundPosts]) -> [Post] {
    let distinct = DistinctPosts(of: found)
    var keys = sortedKeys(of: distinct, in: found)
    let copies =
      joinsByLink && limit ?? 1 > 0 ? takeCopies(from: &keys, of: distinct, in: found) : [:]
    if let limit { keys.removeLast(max(keys.count - max(limit, 0), 0)) }
    var merged = self.posts(of: keys, distinct, in: found)
    guard !copies.isEmpty else { return merged }
    for (position, key) in keys.enumerated() {
      guard let copies = copies[key.entry] else { continue }
      for copy in copies { merged[position].join(copy, atMost: Self.mostCopies) }
    }
    return merged
  }

  /// The posts of keys, in their order.
  private func posts(
    of keys: [MergeKey], _ distinct: borrowing DistinctPosts, in found: [FoundPosts]
  ) -> [Post] {
    var places = [Int32](repeating: -1, count: distinct.entries.count)
    for (place, key) in keys.enumerated() {
      places[key.entry] = Int32(truncatingIfNeeded: place)
    }
    // Copying posts takes longer than sorting them. All cores do it, in the order in which the posts are in memory,
    // which is twice as fast as filling place after place.
    return [Post](unsafeUninitializedCapacity: keys.count) { merged, initialized in
      // Each place is written once.
      nonisolated(unsafe) let merged = merged
      let parts = (places.count + Self.entriesInPart - 1) / Self.entriesInPart
      DispatchQueue.concurrentPerform(iterations: parts) { [places] part in
        let start = part * Self.entriesInPart
        var latest = DistinctPosts.SharedContext()
        for index in start..<min(start + Self.entriesInPart, places.count) where places[index] >= 0
        {
          let place = Int(places[index])
          let (entry, era) = (distinct.entries[index], keys[place].era)
          found[entry.search].posts.withUnsafeBufferPointer { posts in
            guard let first = posts.baseAddress, let start = merged.baseAddress,
              merged.indices.contains(place)
            else { preconditionFailure("an entry without a post, or a place") }
            (start + place).initialize(
              to: first[entry.post].merged(
                distinct.context(of: entry, in: found, sharing: &latest),
                isFuture: era == .future, isDated: era != .undated))
          }
        }
      }
      initialized = keys.count
    }
  }

  /// Removes the keys of copies, and returns the copies of each remaining post, by its entry.
  private func takeCopies(
    from keys: inout [MergeKey], of distinct: borrowing DistinctPosts, in found: [FoundPosts]
  ) -> [Int: [Post]] {
    var finder = LinkCopies()
    var groups: [(shown: MergeKey, copies: [MergeKey])] = []
    var indices: [Int: Int] = [:]
    // The second of the last post within the limit.
    var lastSecond: Int64?
    var isSorted = true
    for key in keys {
      if let lastSecond, lastSecond != key.second { break }
      let post = distinct.post(key.entry, in: found)
      guard let original = finder.take(post, number: key.entry),
        let index = indices[original.number]
      else {
        indices[key.entry] = groups.count
        groups.append((key, []))
        if groups.count == limit { lastSecond = key.second }
        continue
      }
      let shown = groups[index].shown
      if case .same = original, isBetter(key, than: shown, of: distinct, in: found) {
        isSorted = false
        groups[index].shown = key
        groups[index].copies.insert(shown, at: 0)
      } else {
        groups[index].copies.append(key)
      }
    }
    keys = groups.map(\.shown)
    if !isSorted { sort(&keys, of: distinct, in: found) }
    var copies: [Int: [Post]] = [:]
    var latest = DistinctPosts.SharedContext()
    for group in groups where !group.copies.isEmpty {
      copies[group.shown.entry] = group.copies.map { key in
        let context = distinct.context(
          of: distinct.entries[key.entry], in: found, sharing: &latest)
        return distinct.post(key.entry, in: found).merged(context, isFuture: false, isDated: true)
      }
    }
    return copies
  }

  /// Returns whether to show a copy of a post rather than another: it is from the server of their page, or
  /// else earlier in the plan.
  private func isBetter(
    _ key: MergeKey, than shown: MergeKey, of distinct: borrowing DistinctPosts,
    in found: [FoundPosts]
  ) -> Bool {
    let (one, other) = (distinct.entries[key.entry], distinct.entries[shown.entry])
    let isHome = (distinct.isFromItsPage(one, in: found), distinct.isFromItsPage(other, in: found))
    if isHome.0 != isHome.1 { return isHome.0 }
    return (one.search, one.post) < (other.search, other.post)
  }

  // Sorts small keys instead of posts, which are much larger.
  private func sortedKeys(of distinct: borrowing DistinctPosts, in found: [FoundPosts])
    -> [MergeKey]
  {
    let latest = now.addingTimeInterval(Self.toleratedLead)
    let ranks = distinct.originRanks()
    var keys: [MergeKey] = []
    keys.reserveCapacity(distinct.entries.count)
    for (index, entry) in distinct.entries.enumerated() {
      let (date, id) = found[entry.search].posts.withUnsafeBufferPointer { posts in
        (posts[entry.post].createdAt, posts[entry.post].idStart)
      }
      let rank = ranks[entry.origin]
      guard let date, let milliseconds = MergeKey.milliseconds(of: date) else {
        keys.append(MergeKey(era: .undated, milliseconds: 0, rank: rank, id: id, entry: index))
        continue
      }
      if let since, date < since { continue }
      if let until, date >= until { continue }
      keys.append(
        MergeKey(
          era: date > latest ? .future : .dated, milliseconds: milliseconds, rank: rank, id: id,
          entry: index))
    }
    sort(&keys, of: distinct, in: found)
    return keys
  }

  private func sort(
    _ keys: inout [MergeKey], of distinct: borrowing DistinctPosts, in found: [FoundPosts]
  ) {
    keys.sortByRadix(of: \.position)
    keys.withUnsafeMutableBufferPointer { keys in
      var end = 0
      while end < keys.count {
        let start = end
        while end < keys.count, keys[end].position == keys[start].position { end += 1 }
        if end - start == 1 { continue }
        var ties = UnsafeMutableBufferPointer(
          start: keys.baseAddress.map { $0 + start }, count: end - start)
        ties.sort { one, other in
          if let isBefore = one.isBefore(other) { return isBefore }
          let post = distinct.post(one.entry, in: found)
          return post.hasSmallerID(than: distinct.post(other.entry, in: found))
            ?? (one.entry < other.entry)
        }
      }
    }
  }
}

/// The sort key of a post in the merge: everything but the rest of its identifier.
// A comparison that reads two posts waits for memory.
struct MergeKey {
  /// The three sections of a merged list, in order.
  enum Era: Int32 {
    case dated
    case future
    case undated
  }

  /// Era and moment in one number that increases down the list.
  let position: Int64
  /// The rank of its source and server.
  private let rank: Int32
  private let number: Int32
  private let id: IdentifierStart

  /// - Parameter milliseconds: Counted from the year 0, so that they are never negative.
  init(era: Era, milliseconds: Int64, rank: Int, id: IdentifierStart, entry: Int) {
    position = Int64(era.rawValue) << Self.eraShift | (Self.latest - milliseconds)
    self.rank = Int32(truncatingIfNeeded: rank)
    self.id = id
    number = Int32(truncatingIfNeeded: entry)
  }

  /// The index of the post among the distinct ones.
  var entry: Int { Int(number) }

  /// A number for the era and the whole second.
  var second: Int64 {
    let milliseconds = Self.latest - position & (1 << Self.eraShift - 1)
    return Int64(era.rawValue) << Self.eraShift | milliseconds / 1000
  }

  var era: Era { Era(rawValue: Int32(position >> Self.eraShift)) ?? .undated }

  /// Returns whether it sorts before another of the same position; nil if the posts themselves must decide.
  func isBefore(_ other: Self) -> Bool? {
    if rank != other.rank { return rank < other.rank }
    return id == other.id ? nil : id < other.id
  }

  /// Returns the milliseconds from the beginning of the year 0 to a date; nil for a date that RFC 3339,
  /// which ends with the year 9999, cannot express: it must be a mistake.
  static func milliseconds(of date: Date) -> Int64? {
    let milliseconds = (date.timeIntervalSince1970 * 1000).rounded() + yearZero
    return milliseconds >= 0 && milliseconds <= Double(latest) ? Int64(milliseconds) : nil
  }

  private static let eraShift: Int64 = 56
  /// From 0000-01-01 to 1970-01-01, in milliseconds.
  private static let yearZero = 62_167_219_200_000.0
  /// The last millisecond of the year 9999, counted from the year 0.
  private static let latest: Int64 = 315_569_519_999_999
}
