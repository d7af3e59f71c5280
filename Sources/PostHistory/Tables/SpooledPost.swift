internal import FoundationEssentials

/// A post in a row of the spool.
struct SpooledPost {
  /// What is left out for a post that an earlier search of the same run has spooled already.
  struct Content {
    let source: Int64
    let server: Int64
    let createdAt: Date?
    let body: ArraySlice<UInt8>
  }

  let fingerprint: Fingerprint
  let content: Content?

  func write(to writer: inout PackedWriter) {
    writer.append(content == nil ? 0 : 1)
    writer.append(fingerprint.bytes)
    guard let content else { return }
    writer.write(UInt64(bitPattern: content.source))
    writer.write(UInt64(bitPattern: content.server))
    writer.append(content.createdAt == nil ? 0 : 1)
    if let date = content.createdAt { writer.write(signed: Milliseconds(date).count) }
    writer.write(content.body)
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
      source: Int64(bitPattern: source), server: Int64(bitPattern: server), createdAt: date,
      body: body)
  }

  init(fingerprint: Fingerprint, content: Content?) {
    self.fingerprint = fingerprint
    self.content = content
  }
}
