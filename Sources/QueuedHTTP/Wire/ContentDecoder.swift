internal import CZLib

/// Decodes a body piece by piece, and detects incomplete bodies.
///
/// libcurl can decode, too, but accepts a compressed body that ends in the middle.
final class ContentDecoder {
  /// The codings that we request (RFC 9110, section 8.4.1).
  static let codings = "gzip, deflate"

  /// More nested codings are an attack.
  private static let mostStages = 5

  /// In reverse order of their application.
  private var stages: [Inflater]

  /// Creates a decoder for `Content-Encoding`; nil if there is nothing to decode.
  init?(_ headers: HTTPHeaders) throws(HTTPError) {
    stages = []
    for name in headers.values(of: "Content-Encoding").flatMap({ $0.split(separator: ",") }) {
      switch name.filter({ $0 != " " && $0 != "\t" }).lowercased() {
      case "gzip", "x-gzip": stages.insert(Inflater(.gzip), at: 0)
      case "deflate": stages.insert(Inflater(.deflate), at: 0)
      case "identity", "": break
      case _:
        throw HTTPError(
          .unknownEncoding, reason: "the response has an unknown encoding (\(name.prefix(40)))")
      }
    }
    guard stages.count <= Self.mostStages else {
      throw HTTPError(.unknownEncoding, reason: "the response is encoded \(stages.count) times")
    }
    if stages.isEmpty { return nil }
  }

  /// Decodes more bytes and passes the result to `sink`; rethrows its error.
  @unsafe
  func decode(
    _ bytes: UnsafeRawBufferPointer,
    into sink: (UnsafeRawBufferPointer) throws(HTTPError) -> Void
  ) throws(HTTPError) {
    try unsafe decode(bytes, stage: 0, into: sink)
  }

  /// Throws if the body ended in the middle.
  func finish() throws(HTTPError) {
    guard stages.allSatisfy(\.isAtEnd) else {
      throw HTTPError(.brokenAnswer, reason: "the compressed body is incomplete")
    }
  }

  @unsafe
  private func decode(
    _ bytes: UnsafeRawBufferPointer, stage: Int,
    into sink: (UnsafeRawBufferPointer) throws(HTTPError) -> Void
  ) throws(HTTPError) {
    guard stage < stages.count else { return try unsafe sink(bytes) }
    try unsafe stages[stage].inflate(bytes) { piece throws(HTTPError) in
      try unsafe self.decode(piece, stage: stage + 1, into: sink)
    }
  }
}

/// The owner of a zlib stream.
@safe
private final class Inflater {
  enum Coding { case gzip, deflate }

  private enum State {
    /// Fewer than the first two bytes, which determine the format, have arrived.
    case begun([UInt8])
    case inflating
    /// A complete stream was decoded; another one may follow (RFC 1952, section 2.2).
    case done
  }

  private static let outputBytes = 64 << 10

  private let coding: Coding
  private let stream: UnsafeMutablePointer<z_stream>
  private let output = UnsafeMutableRawBufferPointer.allocate(
    byteCount: Inflater.outputBytes, alignment: 16)
  private var state = State.begun([])
  private var isSetUp = false

  init(_ coding: Coding) {
    self.coding = coding
    unsafe stream = .allocate(capacity: 1)
    unsafe stream.initialize(to: z_stream())
  }

  deinit {
    if isSetUp { unsafe inflateEnd(stream) }
    unsafe stream.deallocate()
    unsafe output.deallocate()
  }

  /// True if no stream is incomplete.
  var isAtEnd: Bool {
    switch state {
    case .begun(let bytes): bytes.isEmpty
    case .inflating: false
    case .done: true
    }
  }

  @unsafe
  func inflate(
    _ bytes: UnsafeRawBufferPointer,
    into sink: (UnsafeRawBufferPointer) throws(HTTPError) -> Void
  ) throws(HTTPError) {
    switch state {
    case .inflating: try unsafe run(bytes, into: sink)
    case .done:
      // Anything after it that is not another stream is padding.
      guard coding == .gzip, unsafe bytes.first == 0x1F else { return }
      state = .begun([])
      try unsafe inflate(bytes, into: sink)
    case .begun(let earlier):
      let head = unsafe earlier + bytes.prefix(2 - earlier.count)
      guard head.count == 2 else {
        state = .begun(head)
        return
      }
      try setUp(head)
      state = .inflating
      if !earlier.isEmpty { try unsafe feed(earlier, into: sink) }
      try unsafe run(bytes, into: sink)
    }
  }

  /// Decodes the first bytes, which determined the format.
  @unsafe
  private func feed(
    _ bytes: [UInt8], into sink: (UnsafeRawBufferPointer) throws(HTTPError) -> Void
  ) throws(HTTPError) {
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
    defer { unsafe copy.deallocate() }
    unsafe copy.copyBytes(from: bytes)
    try unsafe run(UnsafeRawBufferPointer(copy), into: sink)
  }

  private func setUp(_ head: [UInt8]) throws(HTTPError) {
    let windowBits: Int32
    switch coding {
    // 16 means the header and trailer of gzip.
    case .gzip: windowBits = MAX_WBITS + 16
    case .deflate:
      // Servers send it with zlib's header, as they should, or without it (RFC 1950, section 2.2).
      let hasHeader =
        head[0] & 0x0F == 8 && (Int(head[0]) << 8 | Int(head[1])).isMultiple(of: 31)
      windowBits = hasHeader ? MAX_WBITS : -MAX_WBITS
    }
    if isSetUp { unsafe inflateEnd(stream) }
    unsafe stream.pointee = z_stream()
    isSetUp = unsafe czlib_inflate_init(stream, windowBits) == Z_OK
    guard isSetUp else { throw HTTPError(.transport, reason: "out of memory") }
  }

  @unsafe
  private func run(
    _ bytes: UnsafeRawBufferPointer,
    into sink: (UnsafeRawBufferPointer) throws(HTTPError) -> Void
  ) throws(HTTPError) {
    guard let start = bytes.baseAddress, let room = unsafe output.baseAddress else { return }
    // zlib does not change its input.
    unsafe stream.pointee.next_in = UnsafeMutablePointer(
      mutating: start.assumingMemoryBound(to: UInt8.self))
    unsafe stream.pointee.avail_in = UInt32(bytes.count)
    while true {
      unsafe stream.pointee.next_out = room.assumingMemoryBound(to: UInt8.self)
      unsafe stream.pointee.avail_out = UInt32(Self.outputBytes)
      let code = unsafe CZLib.inflate(stream, Z_NO_FLUSH)
      let left = unsafe Int(stream.pointee.avail_out)
      if left < Self.outputBytes {
        try unsafe sink(UnsafeRawBufferPointer(rebasing: output[..<(Self.outputBytes - left)]))
      }
      switch code {
      case Z_OK:
        // If there is room left, zlib needs more input.
        if left > 0, unsafe stream.pointee.avail_in == 0 { return }
      case Z_BUF_ERROR: return
      case Z_STREAM_END:
        state = .done
        let rest = unsafe Int(stream.pointee.avail_in)
        guard rest > 0 else { return }
        return try unsafe inflate(
          UnsafeRawBufferPointer(rebasing: bytes[(bytes.count - rest)...]), into: sink)
      case Z_MEM_ERROR: throw HTTPError(.transport, reason: "out of memory")
      case _: throw HTTPError(.brokenAnswer, reason: "the compressed body is corrupt")
      }
    }
  }
}
