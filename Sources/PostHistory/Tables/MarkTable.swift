internal import Digests
internal import SearchModel

/// The table of marks: which searches have read and printed posts that are not kept.
///
/// A mark is a keyed hash of the post's address, so that it tells nothing about a deleted post. The key
/// is in the database.
struct MarkTable {
  static let schema = """
    CREATE TABLE mark (
      fingerprint BLOB NOT NULL, search INTEGER NOT NULL, printed INTEGER NOT NULL,
      PRIMARY KEY (fingerprint, search)) WITHOUT ROWID;
    CREATE TABLE mark_key (key BLOB NOT NULL);
    INSERT INTO mark_key (key) VALUES (randomblob(16));
    """

  private let database: Database
  private let key: SipHash.Key

  init(_ database: Database) throws {
    self.database = database
    let bytes = try database.first("SELECT key FROM mark_key") { try $0.bytes("key") } ?? []
    let words = bytes.reduce((low: 0 as UInt64, high: 0 as UInt64)) { words, byte in
      (words.high >> 56 | words.low << 8, words.high << 8 | UInt64(byte))
    }
    key = SipHash.Key(low: words.low, high: words.high)
  }

  func add(_ identity: PostIdentity, search: Int64, isPrinted: Bool) throws {
    try database.run(
      """
      INSERT INTO mark (fingerprint, search, printed) VALUES (:fingerprint, :search, :printed)
      ON CONFLICT DO UPDATE SET printed = max(printed, excluded.printed)
      """,
      [
        ":fingerprint": .bytes(fingerprint(of: identity)), ":search": .integer(search),
        ":printed": .bool(isPrinted),
      ])
  }

  /// Adds what is known about a post to its status.
  ///
  /// - Parameter search: The search that asks; nil if no run had it yet.
  func addStatus(of identity: PostIdentity, search: Int64?, to status: inout PostStatus) throws {
    try database.each(
      "SELECT search, printed FROM mark WHERE fingerprint = :fingerprint",
      [":fingerprint": .bytes(fingerprint(of: identity))]
    ) { row in
      if try row.bool("printed") { status.isPrinted = true }
      if try row.integer("search") == search { status.isRead = true }
      return true
    }
  }

  /// Takes back that a search has read anything.
  func forget(search: Int64) throws {
    try database.run("DELETE FROM mark WHERE search = :search", [":search": .integer(search)])
  }

  private func fingerprint(of identity: PostIdentity) -> [UInt8] {
    SipHash.digest(of: Array("\(identity.source.rawValue)\0\(identity.uri)".utf8), key: key)
  }
}
