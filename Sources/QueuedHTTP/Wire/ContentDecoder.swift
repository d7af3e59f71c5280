internal import CZLib

/// Decodes a body in slices of bounded output, and detects incomplete bodies.
///
/// libcurl can decode, too, but accepts a compressed body that ends in the middle, and decodes all that
/// it has at once: a few hundred bytes may unpack to a gigabyte.
package final class ContentDecoder {
  /// The codings that we request (RFC 9110, section 8.4.1).
  static let codings = "gzip, deflate"

  /// The work of one call, in bytes that all layers produce; enough for any usual piece of a body.
  package static let slice = 256 << 10

  /// The most bytes that are passed on at once.
  package static let piece = Inflater.outputBytes

  /// More nested codings are an attack.
  private static let mostLayers = 2

  /// The end of a call.
  package struct Progress {
    /// The number of bytes that need not be passed again.
    package var consumed: Int
    /// True if nothing is left to decode before more bytes arrive.
    package var isDone: Bool
  }

  /// In reverse order of their application.
  private let layers: [Inflater]
  private let bound: Int
  /// The bytes that all layers but the last have produced, and those ignored after the end.
  private var overhead = 0

  /// Creates a decoder for `Content-Encoding`; nil if there is nothing to decode.
  ///
  /// Throws `.unknownEncoding` for any coding but gzip and deflate, and for more than two layers.
  ///
  /// - Parameter bound: The maximum number of bytes that a layer may produce for the next one.
  package init?(_ headers: HTTPHeaders, bound: Int) throws(HTTPError) {
    var layers: [Inflater] = []
    for name in headers.values(of: "Content-Encoding").flatMap({ $0.split(separator: ",") }) {
      switch name.filter({ $0 != " " && $0 != "\t" }).lowercased() {
      case "gzip", "x-gzip": layers.insert(Inflater(.gzip), at: 0)
      case "deflate": layers.insert(Inflater(.deflate), at: 0)
      case "identity", "": break
      // Not codings, but what some servers write for none: a charset, or the encoding of a mail (RFC 2045, section 6).
      case "none", "utf-8", "7bit", "8bit", "binary": break
      default:
        throw HTTPError(
          .unknownEncoding, reason: "the response has an unknown encoding (\(name.prefix(40)))")
      }
      guard layers.count <= Self.mostLayers else {
        throw HTTPError(
          .unknownEncoding,
          reason: "the response is encoded more than \(Self.mostLayers) times")
      }
    }
    self.layers = layers
    self.bound = bound
    if layers.isEmpty { return nil }
  }

  /// Decodes bytes until they or the budget are used up, and passes the result on in pieces.
  ///
  /// - Parameters:
  ///   - bytes: What has arrived, without what earlier calls have consumed.
  ///   - budget: The work that may be done; reduced by what was done.
  ///   - sink: Takes a piece, and returns whether it takes another one; its errors are rethrown.
  @unsafe
  package func decode(
    _ bytes: UnsafeRawBufferPointer, budget: inout Int,
    into sink: (UnsafeRawBufferPointer) throws(HTTPError) -> Bool
  ) throws(HTTPError) -> Progress {
    unsafe layers[0].setInput(bytes)
    // The bytes belong to the caller.
    defer { layers[0].dropInput() }
    var isWanted = true
    // The last layer that has work goes first, so that none produces more than the next one can take.
    while let index = layers.lastIndex(where: \.hasWork) {
      guard isWanted, budget > 0 else {
        return Progress(consumed: bytes.count - layers[0].inputCount, isDone: false)
      }
      let (output, work) = try unsafe layers[index].step()
      budget -= work
      if index + 1 < layers.count {
        try count(output.count)
        unsafe layers[index + 1].setInput(output)
      } else if unsafe !output.isEmpty {
        isWanted = try unsafe sink(output)
      }
      try count(layers[index].takeIgnored())
    }
    return Progress(consumed: bytes.count, isDone: true)
  }

  /// Throws if the body ended in the middle.
  package func finish() throws(HTTPError) {
    guard layers.allSatisfy(\.isAtEnd) else {
      throw HTTPError(.brokenAnswer, reason: "the compressed body is incomplete")
    }
  }

  private func count(_ bytes: Int) throws(HTTPError) {
    overhead += bytes
    guard overhead <= bound else {
      throw HTTPError(.tooLarge, reason: "body larger than \(Wording.bytes(bound))")
    }
  }
}

/// The owner of a zlib stream.
@safe
private final class Inflater {
  enum Coding { case gzip, deflate }

  private enum State {
    /// Of deflate, one byte may have arrived; two determine the format.
    case begun(UInt8?)
    case inflating
    /// A complete stream was decoded; another one may follow (RFC 1952, section 2.2).
    case ended
    /// Anything after the end that is not another stream is ignored.
    case padding
  }

  static let outputBytes = 64 << 10
  /// The work of a stream that produces nothing.
  private static let streamWork = 1 << 10

  private let coding: Coding
  private let stream: UnsafeMutablePointer<z_stream>
  private let output = UnsafeMutableRawBufferPointer.allocate(
    byteCount: Inflater.outputBytes, alignment: 16)
  private var input = unsafe UnsafeRawBufferPointer(start: nil, count: 0)
  private var state = State.begun(nil)
  private var isSetUp = false
  // There may be more output without more input.
  private var wasFull = false
  private var ignored = 0

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
    case .begun(let byte): byte == nil
    case .inflating: false
    case .ended, .padding: true
    }
  }

  var inputCount: Int { unsafe input.count }
  var hasWork: Bool { unsafe wasFull || !input.isEmpty }

  /// Sets the next bytes, which stay valid until they are consumed or dropped.
  @unsafe
  func setInput(_ bytes: UnsafeRawBufferPointer) { unsafe input = unsafe bytes }

  func dropInput() { unsafe input = UnsafeRawBufferPointer(start: nil, count: 0) }

  /// Returns the number of bytes after the end since the last call.
  func takeIgnored() -> Int {
    defer { ignored = 0 }
    return ignored
  }

  /// Does a bounded part of the work; the output is valid until the next call.
  @unsafe
  func step() throws(HTTPError) -> (output: UnsafeRawBufferPointer, work: Int) {
    switch state {
    case .inflating: return try unsafe inflate()
    case .ended where coding == .gzip && (unsafe input.first == 0x1F):
      guard unsafe inflateReset(stream) == Z_OK else { throw Self.corrupt }
      state = .inflating
    case .ended: state = .padding
    case .padding:
      unsafe ignored += input.count
      dropInput()
    case .begun(let first): try begin(first)
    }
    return unsafe (UnsafeRawBufferPointer(rebasing: output[..<0]), Self.streamWork)
  }

  /// Determines the format.
  private func begin(_ first: UInt8?) throws(HTTPError) {
    guard coding == .deflate else {
      // 16 means the header and trailer of gzip.
      try setUp(windowBits: MAX_WBITS + 16)
      state = .inflating
      return
    }
    guard let head = unsafe first ?? input.first,
      let next = unsafe input.dropFirst(first == nil ? 1 : 0).first
    else {
      state = .begun(unsafe input.first)
      dropInput()
      return
    }
    // Servers send it with zlib's header, as they should, or without it (RFC 1950, section 2.2).
    let hasHeader = head & 0x0F == 8 && (Int(head) << 8 | Int(next)).isMultiple(of: 31)
    try setUp(windowBits: hasHeader ? MAX_WBITS : -MAX_WBITS)
    state = .inflating
    guard var first else { return }
    // Nothing comes out of a single byte.
    let rest = unsafe input
    _ = try unsafe withUnsafeBytes(of: &first) { byte throws(HTTPError) in
      unsafe input = unsafe byte
      return try unsafe inflate().work
    }
    unsafe input = unsafe rest
  }

  private func setUp(windowBits: Int32) throws(HTTPError) {
    isSetUp = unsafe czlib_inflate_init(stream, windowBits) == Z_OK
    guard isSetUp else { throw HTTPError(.transport, reason: "out of memory") }
  }

  /// Calls zlib once.
  @unsafe
  private func inflate() throws(HTTPError) -> (output: UnsafeRawBufferPointer, work: Int) {
    // zlib does not change its input.
    unsafe stream.pointee.next_in = UnsafeMutablePointer(
      mutating: input.baseAddress?.assumingMemoryBound(to: UInt8.self))
    unsafe stream.pointee.avail_in = UInt32(input.count)
    unsafe stream.pointee.next_out = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
    unsafe stream.pointee.avail_out = UInt32(Self.outputBytes)
    let code = unsafe CZLib.inflate(stream, Z_NO_FLUSH)
    let left = unsafe Int(stream.pointee.avail_out)
    unsafe input = unsafe UnsafeRawBufferPointer(
      rebasing: input[(input.count - Int(stream.pointee.avail_in))...])
    wasFull = left == 0
    switch code {
    case Z_OK, Z_BUF_ERROR: break
    case Z_STREAM_END:
      wasFull = false
      state = .ended
    case Z_MEM_ERROR: throw HTTPError(.transport, reason: "out of memory")
    default: throw Self.corrupt
    }
    let made = Self.outputBytes - left
    return unsafe (UnsafeRawBufferPointer(rebasing: output[..<made]), max(made, 1))
  }

  private static var corrupt: HTTPError {
    HTTPError(.brokenAnswer, reason: "the compressed body is corrupt")
  }
}
