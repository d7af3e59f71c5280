/// Where a client keeps responses for later requests (RFC 9111, as a private cache).
///
/// The client decides what is kept, for how long it counts and whom it may answer; a cache only
/// keeps entries by their keys. Its functions are called one after another by each client, off the
/// thread of the transfers, and may wait for a disk. They never fail a request: what goes wrong is
/// counted, and then there is no entry.
public protocol HTTPCache: Sendable {
  /// The entry that was last stored for a key; nil when there is none, or none that is whole.
  func entry(for key: CacheKey) -> CacheEntry?

  /// Keeps an entry in place of the one before; one that is too large for the cache is not kept, and
  /// takes the one before with it.
  func store(_ entry: CacheEntry, for key: CacheKey)

  /// Forgets the entry of a key.
  func removeEntry(for key: CacheKey)

  /// What it has done: `stored`, `evicted`, `damaged` and `failed`; the rest is the client's to count.
  var counts: CacheCounts { get }
}

extension HTTPCache {
  /// Counts nothing.
  public var counts: CacheCounts { CacheCounts() }
}
