/// What became of the requests that a cache was asked for, and of its entries.
public struct CacheCounts: Sendable, Hashable {
  /// Requests that the cache answered alone.
  public var hits = 0
  /// Requests that the server answered as if there were no cache.
  public var misses = 0
  /// Requests whose stored response the server called unchanged (304).
  public var revalidated = 0
  /// Entries that were written.
  public var stored = 0
  /// Entries that were removed to keep the cache within its size.
  public var evicted = 0
  /// Entries that were dropped, not served, since they were not as they had been written.
  public var damaged = 0
  /// Reads and writes that failed; each cost no more than the use of the cache.
  public var failed = 0

  /// Counts nothing.
  public init() {}
}
