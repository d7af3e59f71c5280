internal import Digests
internal import FoundationEssentials

/// The file format of entries.
///
/// A mark with the version, the digest of the key, a keyed checksum of everything else, and the content. A
/// file that was changed in any way is not an entry, nor is one of another key or version.
enum CacheEntryCoding {
  static let mark = Array("QHTTP-1\n".utf8)
  /// The number of bytes before the content.
  static let prefix = mark.count + 32

  /// Encodes an entry; the body is separate so that it need not be copied.
  static func encode(
    _ entry: CacheEntry, digest: [UInt8], key: SipHash.Key
  ) -> (head: [UInt8], body: HTTPBody) {
    var content = ByteWriter()
    var body = HTTPBody()
    switch entry {
    case .variants(let variants):
      content.append(UInt8(1))
      content.append(variants.number)
      content.append(variants.names)
    case .response(let response):
      content.append(UInt8(2))
      content.append(milliseconds(response.requested))
      content.append(milliseconds(response.received))
      content.append(UInt32(truncatingIfNeeded: response.status))
      content.append(response.headers.fields.flatMap { [$0.name, $0.value] })
      content.append(UInt64(response.body.count))
      body = response.body
    }
    var head = ByteWriter()
    head.append(raw: mark)
    head.append(raw: digest)
    head.append(raw: unsafe checksum(digest, content.bytes.span.bytes, body, key))
    head.append(raw: content.bytes)
    return (head.bytes, body)
  }

  /// Decodes an entry; nil if the bytes are not an entry of this key.
  static func decode(_ bytes: [UInt8], digest: [UInt8], key: SipHash.Key) -> CacheEntry? {
    guard bytes.count > prefix, bytes[..<mark.count].elementsEqual(mark),
      bytes[mark.count..<(mark.count + 16)].elementsEqual(digest)
    else { return nil }
    let content = unsafe bytes.span.bytes.extracting(prefix...)
    let sum = checksum(digest, content, HTTPBody(), key)
    guard bytes[(mark.count + 16)..<prefix].elementsEqual(sum) else { return nil }
    var reader = ByteReader(bytes, from: prefix)
    switch reader.number(UInt8.self) {
    case 1:
      guard let number = reader.number(UInt64.self), let names = reader.texts(),
        reader.rest.isEmpty
      else { return nil }
      return .variants(CacheVariants(number: number, names: names))
    case 2: return response(&reader).map { .response($0) }
    default: return nil
    }
  }

  private static func response(_ reader: inout ByteReader) -> StoredResponse? {
    guard let requested = reader.number(Int64.self), let received = reader.number(Int64.self),
      let status = reader.number(UInt32.self), let texts = reader.texts(),
      texts.count.isMultiple(of: 2), let count = reader.number(UInt64.self),
      count == reader.rest.count
    else { return nil }
    var headers = HTTPHeaders()
    for index in stride(from: 0, to: texts.count, by: 2) {
      headers.append(texts[index], texts[index + 1])
    }
    return StoredResponse(
      status: Int(status), headers: headers, body: HTTPBody(reader.rest),
      requested: date(requested), received: date(received))
  }

  private static func checksum(
    _ digest: [UInt8], _ content: RawSpan, _ body: HTTPBody, _ key: SipHash.Key
  ) -> [UInt8] {
    var hash = SipHash(key: key)
    unsafe hash.update(mark.span.bytes)
    unsafe hash.update(digest.span.bytes)
    hash.update(content)
    unsafe body.withUnsafeBytes { unsafe hash.update($0.bytes) }
    return hash.finish()
  }

  private static func milliseconds(_ date: Date) -> Int64 {
    // Rounded down, so that nothing is stored in the future.
    Int64(exactly: (date.timeIntervalSince1970 * 1000).rounded(.down)) ?? 0
  }

  private static func date(_ milliseconds: Int64) -> Date {
    Date(timeIntervalSince1970: Double(milliseconds) / 1000)
  }
}
