package import FoundationEssentials

/// Makes one list of what all searches found: newest first, one of each, the limit applied last.
///
/// Its input is in plan order (tag, source, server), never in the order of arrival, so that the same
/// answers give the same list.
package struct Merge: Hashable, Sendable {
  /// How far ahead of now a date may lie, in seconds: clocks differ, but not by more.
  package static let toleratedLead = 300.0

  /// How many copies of a post are told at most: strangers may have made a hundred thousand.
  static let mostCopies = 100

  /// The run's now.
  package var now: Date
  /// Dated posts before it are left out.
  package var since: Date?
  /// Dated posts at or after it are left out.
  package var until: Date?
  /// How many posts are wanted at most; nil for all.
  package var limit: Int?
  /// Whether posts that share their only outside link, and nearly the same text, are joined, too.
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

  /// Returns the posts by date, newest first; then those of the future; then those without a date.
  ///
  /// Ties go by source, server and id, byte by byte. A post that several searches found is there
  /// once: the copy from its home server or else the first in plan order, with the queries of all. Of
  /// posts that are joined since they say the same the first in the merged order is there, and says
  /// where the others are.
  ///
  /// Posts older than the last that the limit leaves are not looked at, not even as copies: which of
  /// them have been read may hang on the order of arrival.
  package func posts(of found: [FoundPosts]) -> [Post] {
    let distinct = DistinctPosts(of: found)
    var keys = sortedKeys(of: distinct, in: found)
    let copies =
      joinsByLink && limit ?? 1 > 0 ? takeCopies(from: &keys, of: distinct, in: found) : [:]
    let count = min(max(limit ?? keys.count, 0), keys.count)
    var places = [Int](repeating: -1, count: distinct.entries.count)
    for (place, key) in keys.prefix(count).enumerated() { places[key.entry] = place }
    // To copy a post is to retain a dozen strings, which takes longer than all the rest. They lie in
    // memory as they were read, so that to copy in that order, each post to its place, is twice as
    // fast as to fill place after place.
    var merged = [Post](unsafeUninitializedCapacity: count) { posts, initialized in
      for (entry, place) in zip(distinct.entries, places) where place >= 0 {
        posts.initializeElement(at: place, to: found[entry.search].posts[entry.post])
        posts[place].tags = distinct.tags(of: entry)
        posts[place].isFuture = keys[place].era == .future
        if keys[place].era == .undated { posts[place].createdAt = nil }
      }
      initialized = count
    }
    guard !copies.isEmpty else { return merged }
    for (place, key) in keys.prefix(count).enumerated() {
      guard let copies = copies[key.entry] else { continue }
      for copy in copies { merged[place].join(copy, atMost: Self.mostCopies) }
    }
    return merged
  }

  /// Takes the keys of copies out, and returns the copies of each post that stays, by its entry.
  private func takeCopies(
    from keys: inout [MergeKey], of distinct: DistinctPosts, in found: [FoundPosts]
  ) -> [Int: [Post]] {
    var finder = LinkCopies()
    var groups: [(shown: MergeKey, copies: [MergeKey])] = []
    var indices: [Int: Int] = [:]
    // The second of the last post that the limit leaves.
    var lastSecond: Int64?
    var isSorted = true
    for key in keys {
      if let lastSecond, lastSecond != key.second { break }
      let entry = distinct.entries[key.entry]
      let post = found[entry.search].posts[entry.post]
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
    for group in groups where !group.copies.isEmpty {
      copies[group.shown.entry] = group.copies.map { key in
        let entry = distinct.entries[key.entry]
        var post = found[entry.search].posts[entry.post]
        post.tags = distinct.tags(of: entry)
        return post
      }
    }
    return copies
  }

  /// Whether a copy of one post is to be shown rather than another: it is from the server that has their
  /// page, or else earlier in the plan.
  private func isBetter(
    _ key: MergeKey, than shown: MergeKey, of distinct: DistinctPosts, in found: [FoundPosts]
  ) -> Bool {
    let (one, other) = (distinct.entries[key.entry], distinct.entries[shown.entry])
    let isHome = (distinct.isFromItsPage(one, in: found), distinct.isFromItsPage(other, in: found))
    if isHome.0 != isHome.1 { return isHome.0 }
    return (one.search, one.post) < (other.search, other.post)
  }

  // Small keys are sorted, not the posts: a post is hundreds of bytes and a dozen references.
  private func sortedKeys(of distinct: DistinctPosts, in found: [FoundPosts]) -> [MergeKey] {
    let latest = now.addingTimeInterval(Self.toleratedLead)
    let ranks = distinct.originRanks()
    var keys: [MergeKey] = []
    keys.reserveCapacity(distinct.entries.count)
    for (index, entry) in distinct.entries.enumerated() {
      let date = found[entry.search].posts[entry.post].createdAt
      let rank = ranks[entry.origin]
      guard let date, let milliseconds = MergeKey.milliseconds(of: date) else {
        keys.append(MergeKey(era: .undated, milliseconds: 0, rank: rank, entry: index))
        continue
      }
      if let since, date < since { continue }
      if let until, date >= until { continue }
      keys.append(
        MergeKey(
          era: date > latest ? .future : .dated, milliseconds: milliseconds, rank: rank,
          entry: index))
    }
    sort(&keys, of: distinct, in: found)
    return keys
  }

  private func sort(_ keys: inout [MergeKey], of distinct: DistinctPosts, in found: [FoundPosts]) {
    keys.sort { one, other in
      if let isBefore = one.isBefore(other) { return isBefore }
      let left = distinct.entries[one.entry]
      let right = distinct.entries[other.entry]
      return found[left.search].posts[left.post].id
        .isBefore(found[right.search].posts[right.post].id) ?? (one.entry < other.entry)
    }
  }
}
