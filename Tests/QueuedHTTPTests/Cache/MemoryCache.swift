import QueuedHTTP
import Synchronization

/// A cache in memory, made through the public face alone.
final class MemoryCache: HTTPCache {
  private let entries = Mutex<[CacheKey: CacheEntry]>([:])
  private let reading: @Sendable () -> Void

  /// - Parameter reading: Called before each entry is looked for.
  init(reading: @escaping @Sendable () -> Void = {}) { self.reading = reading }

  func entry(for key: CacheKey) -> CacheEntry? {
    reading()
    return entries.withLock { $0[key] }
  }

  func store(_ entry: CacheEntry, for key: CacheKey) { entries.withLock { $0[key] = entry } }

  func removeEntry(for key: CacheKey) { entries.withLock { $0[key] = nil } }

  func removeAll() { entries.withLock { $0 = [:] } }

  /// The responses that are kept.
  var responses: [StoredResponse] {
    entries.withLock { entries in
      entries.values.compactMap { entry in
        guard case .response(let response) = entry else { return nil }
        return response
      }
    }
  }
}
