internal import FoundationEssentials

/// The posts of all searches without duplicates: which copy to show, and which queries found it.
///
/// Two posts are the same if source and `uri` are, byte for byte, and on one server the `id`, too. The copy to show is the first in plan
/// order from the post's home server, the host of its `uri`, which knows its counts best; or else the
/// first of all.
struct DistinctPosts: ~Copyable, Sendable {
  /// One post: the location of the copy to show, and the data to find it again.
  // Half as large as with numbers of 64 bits: there may be a million.
  struct Entry {
    /// The upper half of the hash; the lower one has chosen the slot.
    private let hash: UInt32
    private var searchNumber: Int32 = 0
    private var postNumber: Int32 = 0
    private var originNumber: Int32 = 0
    private let tagNumber: Int32
    private var furtherNumber: Int32 = -1

    fileprivate init(hash: Int, search: Int, post: Int, origin: Int, tag: Int) {
      self.hash = Self.upperHalf(of: hash)
      tagNumber = Int32(truncatingIfNeeded: tag)
      show(search: search, post: post, origin: origin)
    }

    var search: Int { Int(searchNumber) }
    var post: Int { Int(postNumber) }
    /// The index of its source and server among `origins`.
    var origin: Int { Int(originNumber) }
    /// The first search of the first query that found it.
    fileprivate var tag: Int { Int(tagNumber) }

    /// The index in `furtherTags` of the second query that found it, or -1 if only one did.
    fileprivate var further: Int {
      get { Int(furtherNumber) }
      set { furtherNumber = Int32(truncatingIfNeeded: newValue) }
    }

    /// False if it cannot have a hash.
    fileprivate func mayHave(_ hash: Int) -> Bool {
      self.hash == Self.upperHalf(of: hash)
    }

    private static func upperHalf(of hash: Int) -> UInt32 {
      UInt32(truncatingIfNeeded: hash >> 32)
    }

    /// Shows another copy.
    fileprivate mutating func show(search: Int, post: Int, origin: Int) {
      searchNumber = Int32(truncatingIfNeeded: search)
      postNumber = Int32(truncatingIfNeeded: post)
      originNumber = Int32(truncatingIfNeeded: origin)
    }
  }

  /// A source and a server that posts came from.
  private struct Origin {
    let source: SourceName
    let server: ServerAddress
    /// The index of the first origin with this source.
    let network: Int
    /// The server's host and port.
    let host: String?
  }

  /// The posts, in the order in which they were first found.
  private(set) var entries: [Entry] = []
  private var origins: [Origin] = []
  /// The page of the latest post, and the index of its origin.
  private var latest: (page: ObjectIdentifier, origin: Int)?
  /// The chains of further queries, each by its first search; most posts have none.
  private var furtherTags: [(tag: Int, next: Int)] = []
  /// A hash table with open addressing over `entries`, -1 if free; its size is a power of two, at most
  /// half used. Only there until all posts are in.
  // A dictionary would retain and release a key for each post, and hash it again as it grows.
  private var slots: [Int32]

  init(of found: [FoundPosts]) {
    let count = found.reduce(0) { $0 + $1.posts.count }
    var size = 16
    while size < count * 2 { size *= 2 }
    slots = Array(repeating: -1, count: size)
    entries.reserveCapacity(count)
    // Numbers can be compared in place of texts.
    var tags = FirstPlaces<String>()
    for search in found.indices {
      let tag = tags.first(of: found[search].tag, at: search) { found[$0].tag }
      // Three quarters of the time would be waiting for these.
      for index in found[search].posts.indices {
        slots.prefetch(found[search].posts[index].identityHash & (slots.count - 1))
      }
      var number = 0
      found[search].posts[...].readEach { post in
        insert(post, at: number, ofSearch: search, tag: tag, in: found)
        number += 1
      }
    }
    slots = []
  }

  private mutating func insert(
    _ values: PostValues, at post: Int, ofSearch search: Int, tag: Int, in found: [FoundPosts]
  ) {
    let origin = originIndex(of: values)
    let network = origins[origin].network
    // Addresses come from strangers: the hash is seeded, so that nobody can create collisions.
    let hash = values.identityHash
    var slot = hash & (slots.count - 1)
    while slots[slot] >= 0 {
      let index = Int(slots[slot])
      let entry = entries[index]
      if entry.mayHave(hash), origins[entry.origin].network == network,
        found[entry.search].posts[entry.post].hasIdentity(
          of: found[search].posts[post], onOneServer: entry.origin == origin)
      {
        add(tag, to: index)
        if entry.origin != origin, isHome(origin, not: entry.origin, of: found[search].posts[post])
        {
          entries[index].show(search: search, post: post, origin: origin)
        }
        return
      }
      slot = (slot + 1) & (slots.count - 1)
    }
    slots[slot] = Int32(truncatingIfNeeded: entries.count)
    entries.append(Entry(hash: hash, search: search, post: post, origin: origin, tag: tag))
  }

  private func isHome(_ origin: Int, not other: Int, of post: Post) -> Bool {
    let uri = post.uri
    return !isHome(other, of: uri) && isHome(origin, of: uri)
  }

  private func isHome(_ origin: Int, of address: String) -> Bool {
    guard let host = origins[origin].host else { return false }
    return CanonicalLink(address)?.host == host
  }

  private mutating func add(_ tag: Int, to index: Int) {
    let entry = entries[index]
    guard entry.tag != tag else { return }
    var (last, further) = (-1, entry.further)
    while further >= 0 {
      if furtherTags[further].tag == tag { return }
      (last, further) = (further, furtherTags[further].next)
    }
    furtherTags.append((tag, -1))
    if last >= 0 {
      furtherTags[last].next = furtherTags.count - 1
    } else {
      entries[index].further = furtherTags.count - 1
    }
  }

  // Posts of one page come one after the other.
  private mutating func originIndex(of post: PostValues) -> Int {
    if let latest, latest.page == post.page { return latest.origin }
    let origin = originIndex(source: post.source, server: post.server)
    latest = (post.page, origin)
    return origin
  }

  // There are few origins.
  private mutating func originIndex(source: SourceName, server: ServerAddress) -> Int {
    if let known = origins.firstIndex(where: { $0.source == source && $0.server == server }) {
      return known
    }
    let network = origins.firstIndex { $0.source == source } ?? origins.count
    let host = CanonicalLink(server.text)?.host
    origins.append(Origin(source: source, server: server, network: network, host: host))
    return origins.count - 1
  }

  /// The copy to show of a post.
  ///
  /// - Parameter index: The index of its entry.
  func post(_ index: Int, in found: [FoundPosts]) -> Post {
    found[entries[index].search].posts[entries[index].post]
  }

  /// The queries that found a post, in plan order, as its context.
  ///
  /// - Parameter latest: The context of the latest post that a single query found, which the next posts share.
  func context(
    of entry: Entry, in found: [FoundPosts], sharing latest: inout SharedContext
  ) -> PostContext {
    if latest.search != entry.tag {
      latest = SharedContext(search: entry.tag, PostContext(tags: [found[entry.tag].tag]))
    }
    var further = entry.further
    if further < 0 { return latest.context }
    var all = latest.context.tags
    while further >= 0 {
      all.append(found[furtherTags[further].tag].tag)
      further = furtherTags[further].next
    }
    return PostContext(tags: all)
  }

  /// The context of posts that a single query found, with the first search of it.
  struct SharedContext {
    fileprivate let search: Int
    fileprivate let context: PostContext

    init() { self.init(search: -1, PostContext(tags: [])) }

    fileprivate init(search: Int, _ context: PostContext) {
      self.search = search
      self.context = context
    }
  }

  /// Returns whether the copy to show is from the server of the post's own page.
  ///
  /// The `uri` of a feed's entry is always on the feed's server, wherever the post is from.
  func isFromItsPage(_ entry: Entry, in found: [FoundPosts]) -> Bool {
    found[entry.search].posts[entry.post].url.map { isHome(entry.origin, of: $0) } ?? false
  }

  /// The rank of each origin in the order by source and server.
  func originRanks() -> [Int] {
    let order = origins.indices.sorted { left, right in
      let one = origins[left]
      let other = origins[right]
      return one.source.rawValue.isBefore(other.source.rawValue)
        ?? one.server.text.isBefore(other.server.text) ?? (left < right)
    }
    var ranks = Array(repeating: 0, count: origins.count)
    for (rank, origin) in order.enumerated() { ranks[origin] = rank }
    return ranks
  }
}
