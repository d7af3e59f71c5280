internal import FoundationEssentials

/// A post in a row of the spool.
struct SpooledPost: Sendable {
  /// What is left out for a post that an earlier search of the same run has spooled already.
  struct Content: Sendable {
    let origin: Origin
    let createdAt: Date?
    let body: ArraySlice<UInt8>
  }

  /// The numbers of a post's network and server.
  struct Origin: Sendable {
    let source: Int64
    let server: Int64
  }

  let fingerprint: Fingerprint
  let content: Content?

  /// Writes a post that an earlier search of the same run has spooled already.
  static func write(_ fingerprint: Fingerprint, to writer: inout PackedWriter) {
    writer.append(0)
    writer.append(fingerprint)
  }

  /// Writes a post with its content.
  ///
  /// - Parameter body: Writes the body.
  static func write(
    _ fingerprint: Fingerprint, of origin: Origin, createdAt: Date?,
    to writer: inout PackedWriter, body: (inout PackedWriter) -> Void
  ) {
    writer.append(1)
    writer.append(fingerprint)
    writer.write(UInt64(bitPattern: origin.source))
    writer.write(UInt64(bitPattern: origin.server))
    writer.append(createdAt == nil ? 0 : 1)
    if let createdAt { writer.write(signed: Milliseconds(createdAt).count) }
    writer.writePart(body)
  }

  /// The posts of a row, up to one that makes no sense.
  static func all(in bytes: [UInt8]) -> [SpooledPost] {
    var reader = PackedReader(bytes[...])
    var posts: [SpooledPost] = []
    while !reader.isAtEnd, let post = SpooledPost(&reader) { posts.append(post) }
    return posts
  }

  /// Reads the next post; nil if it makes no sense.
  init?(_ reader: inout PackedReader) {
    guard let hasContent = reader.byte(), let hash = reader.bytes(Fingerprint.size) else {
      return nil
    }
    fingerprint = Fingerprint(hash)
    guard hasContent == 1 else {
      content = nil
      return
    }
    guard let source = reader.number(), let server = reader.number(), let hasDate = reader.byte()
    else { return nil }
    let date = hasDate == 1 ? reader.signedNumber().map { Milliseconds(count: $0).date } : nil
    guard let body = reader.part() else { return nil }
    content = Content(
      origin: Origin(source: Int64(bitPattern: source), server: Int64(bitPattern: server)),
      createdAt: date, body: body)
  }
}
