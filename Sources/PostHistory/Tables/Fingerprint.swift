internal import Digests
internal import SearchModel
internal import TextFormats

/// A keyed hash by which a table knows a post, so that it tells nothing about a deleted one.
package struct Fingerprint: Hashable, Sendable {
  package static let size = 16

  let low: UInt64
  let high: UInt64

  init(low: UInt64, high: UInt64) {
    self.low = low
    self.high = high
  }

  /// - Parameter bytes: Those of another one, 16.
  package init(_ bytes: ArraySlice<UInt8>) {
    // From the last byte to the first.
    let word = { (bytes: ArraySlice<UInt8>) in
      bytes.reversed().reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
    }
    self.init(low: word(bytes.prefix(8)), high: word(bytes.dropFirst(8)))
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(low) }

  // It is a keyed hash already: a set of a run's posts would spend a third of its time on hashing it again.
  package func _rawHashValue(seed: Int) -> Int { hash ^ seed }

  var hash: Int { Int(truncatingIfNeeded: low) }

  /// The words in the order of their bytes, the lowest first.
  package var bytes: [UInt8] {
    [UInt8](unsafeUninitializedCapacity: Self.size) { buffer, count in
      for (place, word) in [low, high].enumerated() {
        for byte in 0..<8 {
          buffer[place * 8 + byte] = UInt8(truncatingIfNeeded: word >> (byte * 8))
        }
      }
      count = Self.size
    }
  }
}

extension Fingerprint {
  /// Calls `body` with the same bytes, without an array for them.
  func withBytes<Result>(
    _ body: (UnsafeRawBufferPointer) throws(SQLiteError) -> Result
  ) throws(SQLiteError) -> Result {
    let words = (low.littleEndian, high.littleEndian)
    return try withUnsafeBytes(of: words) { (bytes) throws(SQLiteError) in try body(bytes) }
  }
}

extension Fingerprint {
  /// A number that orders them by their first bytes, as an index does.
  var orderKey: UInt64 { low.byteSwapped }
}

/// In the order of their bytes, as an index has them.
extension Fingerprint: Comparable {
  package static func < (one: Self, other: Self) -> Bool {
    one.low == other.low
      ? one.high.byteSwapped < other.high.byteSwapped
      : one.low.byteSwapped < other.low.byteSwapped
  }
}

/// The key of a database's fingerprints.
package struct FingerprintKey: Sendable {
  static let schema = """
    CREATE TABLE mark_key (key BLOB NOT NULL);
    INSERT INTO mark_key (key) VALUES (randomblob(16));
    """

  private let key: SipHash.Key

  init(_ database: Database) throws {
    self.init(try database.first("SELECT key FROM mark_key") { try $0.bytes("key") } ?? [])
  }

  /// - Parameter bytes: 16 random bytes.
  package init(_ bytes: [UInt8]) {
    let words = bytes.reduce((low: 0 as UInt64, high: 0 as UInt64)) { words, byte in
      (words.high >> 56 | words.low << 8, words.high << 8 | UInt64(byte))
    }
    key = SipHash.Key(low: words.low, high: words.high)
  }

  package func fingerprint(of identity: PostIdentity) -> Fingerprint {
    let words = SipHash.words(of: identity.source.rawValue, identity.uri, key: key)
    return Fingerprint(low: words.low, high: words.high)
  }

  /// The fingerprint of a post's identity.
  func fingerprint(of post: Post) -> Fingerprint { post.readValues(fingerprint) }

  func fingerprint(of post: PostValues) -> Fingerprint {
    let uri = post.texts[post.record.uri]
    // The identity has another character there.
    guard ByteSearch.first(0, in: uri, from: 0) == nil else {
      return fingerprint(of: PostIdentity(post.whole))
    }
    let words = SipHash.words(of: post.source.rawValue, uri, key: key)
    return Fingerprint(low: words.low, high: words.high)
  }

  /// A hash of some bytes.
  package func digest(of bytes: [UInt8]) -> Fingerprint {
    let words = SipHash.words(of: bytes, key: key)
    return Fingerprint(low: words.low, high: words.high)
  }

  /// The bytes of a text's hash.
  package func digest(of text: String) -> [UInt8] { digest(of: Array(text.utf8)).bytes }

  /// A hash of one address, for tables that hold the addresses of a single search.
  package func hash(of uri: String) -> Int64 {
    Int64(bitPattern: SipHash.words(of: uri, key: key).low)
  }
}

extension PackedWriter {
  /// Appends the bytes of a fingerprint, without their number.
  mutating func append(_ fingerprint: Fingerprint) {
    append(word: fingerprint.low)
    append(word: fingerprint.high)
  }
}
