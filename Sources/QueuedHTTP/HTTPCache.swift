public import FoundationEssentials

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

/// What an entry of a cache is found by.
///
/// It holds whatever tells one answer from another: the address, the fields that the answer varies
/// with, and the credentials, so that no account is ever served another's answer. That is why its
/// bytes must be written nowhere: a cache that outlives the process keeps a keyed digest of them.
public struct CacheKey: Sendable, Hashable, CustomStringConvertible {
  /// The same bytes for the same key, in every process.
  public let bytes: [UInt8]

  /// Says nothing of what is in it.
  public var description: String { "a cache key" }

  /// The key of what tells the answers of an address apart.
  init(address: String, origin: String) {
    var writer = ByteWriter()
    writer.append(Self.place(of: address, origin: origin))
    bytes = writer.bytes
  }

  /// The key of an answer.
  ///
  /// - Parameter identity: Further texts that tell accounts apart.
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

  /// The origin, the user that stands in the address, and the rest of it up to the fragment.
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

/// What a cache keeps under one key.
public enum CacheEntry: Sendable {
  /// How the responses of one address are told apart.
  case variants(CacheVariants)
  /// A response to one of its variants.
  case response(StoredResponse)
}

/// How the responses of one address are told apart: by these fields of the request.
///
/// The fields' values stand nowhere but in keys. The number is part of the keys too; so all
/// responses of an address are out of reach once this is gone.
public struct CacheVariants: Sendable, Hashable {
  /// Drawn anew for each that is made.
  public var number: UInt64
  /// The names that `Vary` listed, in lower case and sorted.
  public var names: [String]

  /// Describes the variants of an address.
  public init(number: UInt64, names: [String]) {
    self.number = number
    self.names = names
  }
}

/// A response as a cache keeps it: without its address and without `Set-Cookie`.
public struct StoredResponse: Sendable {
  /// The status code.
  public var status: Int
  /// The fields, as they were when they were last confirmed.
  public var headers: HTTPHeaders
  /// The body, decompressed.
  public var body: HTTPBody
  /// When it was asked for.
  public var requested: Date
  /// When it had come.
  public var received: Date

  /// Describes a response with its body.
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
