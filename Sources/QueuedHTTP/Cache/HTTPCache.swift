public import FoundationEssentials

/// Storage for the responses of a client (RFC 9111, a private cache).
///
/// The client decides what to store, how long it is fresh and which requests it may answer; a cache only
/// stores entries by key. Each client calls its functions one after another, not on the worker thread;
/// they may wait for a disk. They never make a request fail: an error is counted, and there is no entry.
public protocol HTTPCache: Sendable {
  /// Returns the last entry that was stored for a key; nil if there is none, or if it is damaged.
  func entry(for key: CacheKey) -> CacheEntry?

  /// Stores an entry and replaces the previous one, which is removed even if the new entry is too large
  /// to store.
  func store(_ entry: CacheEntry, for key: CacheKey)

  /// Removes the entry of a key.
  func removeEntry(for key: CacheKey)

  /// The counts of `stored`, `evicted`, `damaged` and `failed`; the client counts the rest.
  var counts: CacheCounts { get }
}

extension HTTPCache {
  /// All counts are zero.
  public var counts: CacheCounts { CacheCounts() }
}

/// The key of a cache entry.
///
/// It contains whatever distinguishes one response from another: the URL, the fields that the response
/// varies with, and the credentials, so that no account is ever served another's response. Therefore its
/// bytes must not be written anywhere: a persistent cache stores a keyed digest of them.
public struct CacheKey: Sendable, Hashable, CustomStringConvertible {
  /// The same bytes for the same key, in every process.
  public let bytes: [UInt8]

  /// A fixed text, because the contents are secret.
  public var description: String { "a cache key" }

  /// The key of the variants of a URL.
  init(address: String, origin: String) {
    var writer = ByteWriter()
    writer.append(Self.place(of: address, origin: origin))
    bytes = writer.bytes
  }

  /// The key of a response.
  ///
  /// - Parameter identity: Additional strings that distinguish accounts.
  init(
    address: String, origin: String, variants: CacheVariants, request: HTTPRequest,
    userAgent: String?, identity: [String]
  ) {
    var writer = ByteWriter()
    writer.append(Self.place(of: address, origin: origin))
    writer.append(variants.number)
    var names = Set(request.secretHeaders.map { $0.lowercased() })
    names.formUnion(["authorization", "cookie", "host", "proxy-authorization"])
    for list in [variants.names, names.sorted()] {
      writer.append(UInt64(list.count))
      for name in list {
        var values = request.headers.values(of: name)
        if values.isEmpty, name == "user-agent", let userAgent { values = [userAgent] }
        writer.append([name] + values)
      }
    }
    writer.append(identity)
    bytes = writer.bytes
  }

  /// The origin, the user in the URL, and the rest of the URL without the fragment.
  private static func place(of address: String, origin: String) -> [String] {
    let whole = address.prefix { $0 != "#" }
    guard let scheme = whole.firstRange(of: "://") else { return [origin, "", String(whole)] }
    let rest = whole[scheme.upperBound...]
    let end = rest.firstIndex { "/?".contains($0) } ?? rest.endIndex
    let user = rest[..<end].lastIndex(of: "@").map { rest[..<$0] } ?? ""
    let path = rest[end...]
    return [origin, String(user), path.hasPrefix("/") ? String(path) : "/\(path)"]
  }
}

/// A cache entry.
public enum CacheEntry: Sendable {
  /// The variants of a URL.
  case variants(CacheVariants)
  /// The response for one variant.
  case response(StoredResponse)
}

/// The request fields by which the responses of a URL differ.
///
/// Their values are only in the keys. The number is part of the keys, too, so all responses of a URL are
/// unreachable once this entry is gone.
public struct CacheVariants: Sendable, Hashable {
  /// A random number, new for each value.
  public var number: UInt64
  /// The names in `Vary`, in lower case and sorted.
  public var names: [String]

  /// Creates the variants of a URL.
  public init(number: UInt64, names: [String]) {
    self.number = number
    self.names = names
  }
}

/// A stored response, without its URL and without `Set-Cookie`.
public struct StoredResponse: Sendable {
  /// The status code.
  public var status: Int
  /// The fields, as last confirmed by the server.
  public var headers: HTTPHeaders
  /// The decompressed body.
  public var body: HTTPBody
  /// The time of the request.
  public var requested: Date
  /// The time at which the response had arrived.
  public var received: Date

  /// Creates a stored response.
  public init(
    status: Int, headers: HTTPHeaders, body: HTTPBody, requested: Date, received: Date
  ) {
    self.status = status
    self.headers = headers
    self.body = body
    self.requested = requested
    self.received = received
  }
}

/// The statistics of a cache.
public struct CacheCounts: Sendable, Hashable {
  /// Requests that were answered from the cache alone.
  public var hits = 0
  /// Requests that the server answered in full.
  public var misses = 0
  /// Requests whose stored response the server confirmed (304).
  public var revalidated = 0
  /// Entries that were written.
  public var stored = 0
  /// Entries that were removed to limit the size.
  public var evicted = 0
  /// Damaged entries, which were removed and not served.
  public var damaged = 0
  /// Reads and writes that failed; the requests continued without the cache.
  public var failed = 0

  /// Creates counts of zero.
  public init() {}
}
