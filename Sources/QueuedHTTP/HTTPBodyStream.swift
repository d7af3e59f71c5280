/// The head of a response whose body comes as a stream.
public struct HTTPStreamedResponse: Sendable {
  /// The status code, 100 to 599.
  public let status: Int
  /// The fields of the last response on the way, without those of redirects.
  public let headers: HTTPHeaders
  /// The address that answers, after redirects.
  public let url: String
  /// The version of HTTP that the server uses.
  public let version: ProtocolVersion?
  /// The IP address and port that the response comes from: the server's, or the proxy's.
  public let remoteAddress: String?
  /// The pieces of the body as they come; letting go of it cancels the transfer.
  public let body: HTTPBodyStream

  /// Whether the status is 200 to 299.
  public var isSuccess: Bool { (200...299).contains(status) }
}

/// The pieces of a response's body, as they come.
///
/// What is not taken stays with the server: when a few hundred KiB lie here, the transfer pauses.
/// It holds its slot meanwhile, and the total timeout goes on. Letting go of the stream, or
/// cancelling the task that waits for it, cancels the transfer. Several that iterate share the
/// pieces among them.
public struct HTTPBodyStream: AsyncSequence, Sendable {
  /// A piece of the body.
  public typealias Element = HTTPBody
  /// The error of the transfer.
  public typealias Failure = HTTPError

  let lease: StreamLease

  /// Makes an iterator, which shares the pieces with all others of the stream.
  public func makeAsyncIterator() -> Iterator { Iterator(lease: lease) }

  /// The fields that came after the body (RFC 9110, section 6.5); nil until all of it has come.
  public var trailers: HTTPHeaders? { lease.trailers }

  /// Takes the pieces one by one.
  public struct Iterator: AsyncIteratorProtocol {
    let lease: StreamLease

    /// The next piece, never an empty one; nil at the end, an error where the transfer failed.
    public mutating func next() async throws(HTTPError) -> HTTPBody? { try await lease.next() }
  }
}

/// The lines of a response's body, as they come.
///
/// Lines end with LF or CRLF, which are left out. Empty lines are lines too: they separate
/// server-sent events. The last line may lack its end. Bytes that are not UTF-8 become U+FFFD.
public struct BodyLines: AsyncSequence, Sendable {
  /// A line without its end.
  public typealias Element = String
  /// The error of the transfer, or of a line that is too long.
  public typealias Failure = HTTPError

  let body: HTTPBodyStream
  let bound: Int

  /// Makes an iterator over the lines.
  public func makeAsyncIterator() -> Iterator {
    Iterator(body: body.makeAsyncIterator(), bound: bound)
  }

  /// Takes the lines one by one.
  public struct Iterator: AsyncIteratorProtocol {
    private var body: HTTPBodyStream.Iterator
    private let bound: Int
    private var bytes: [UInt8] = []
    private var start = 0
    // Everything before it was searched for a line's end.
    private var searched = 0
    private var isOver = false

    init(body: HTTPBodyStream.Iterator, bound: Int) {
      self.body = body
      self.bound = bound
    }

    /// The next line; nil at the end, an error where the transfer failed or the line is too long.
    public mutating func next() async throws(HTTPError) -> String? {
      while true {
        if let end = bytes[searched...].firstIndex(of: UInt8(ascii: "\n")) {
          defer {
            start = end + 1
            searched = start
          }
          return try line(upTo: end)
        }
        searched = bytes.count
        if isOver {
          guard start < bytes.count else { return nil }
          defer { start = bytes.count }
          return try line(upTo: bytes.count)
        }
        guard bytes.count - start <= bound else { throw tooLong }
        bytes.removeSubrange(..<start)
        searched -= start
        start = 0
        if let piece = try await body.next() {
          unsafe piece.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) }
        } else {
          isOver = true
        }
      }
    }

    private func line(upTo end: Int) throws(HTTPError) -> String {
      guard end - start <= bound else { throw tooLong }
      let hasReturn = end > start && bytes[end - 1] == UInt8(ascii: "\r")
      return String(decoding: bytes[start..<(hasReturn ? end - 1 : end)], as: UTF8.self)
    }

    private var tooLong: HTTPError {
      HTTPError(.tooLarge, reason: "a line is longer than \(Wording.bytes(bound))")
    }
  }
}

extension HTTPBodyStream {
  /// The body line by line, each of at most 1 MiB.
  public var lines: BodyLines { lines(upTo: 1 << 20) }

  /// The body line by line; a line is longer than the bound is an error (`HTTPError.Code.tooLarge`).
  public func lines(upTo bytes: Int) -> BodyLines { BodyLines(body: self, bound: bytes) }

  /// Collects the rest of the body; one larger than the bound is an error
  /// (`HTTPError.Code.tooLarge`) and ends the transfer.
  public func collect(upTo bytes: Int) async throws(HTTPError) -> HTTPBody {
    var collected = BodyBuffer()
    var iterator = makeAsyncIterator()
    while let piece = try await iterator.next() {
      guard collected.count + piece.count <= bytes else {
        lease.cancel()
        throw HTTPError(.tooLarge, reason: "body larger than \(Wording.bytes(bytes))")
      }
      let isKept = unsafe piece.withUnsafeBytes { unsafe collected.append($0) }
      guard isKept else { throw HTTPError(.tooLarge, reason: "out of memory for the body") }
    }
    let (storage, count) = unsafe collected.giveUp()
    return unsafe HTTPBody(adopting: storage, count: count)
  }
}

extension HTTPStreamedResponse {
  /// The body line by line, each of at most 1 MiB.
  public var lines: BodyLines { body.lines }
}

/// Keeps a streamed transfer, and its client, as long as somebody may still read it.
final class StreamLease: Sendable {
  private let client: HTTPClient
  private let id: RequestID
  private let stream: BodyStream

  init(client: HTTPClient, id: RequestID, stream: BodyStream) {
    self.client = client
    self.id = id
    self.stream = stream
  }

  // Without effect on a transfer that has ended.
  deinit { cancel() }

  /// Ends the transfer, if it has not ended.
  func cancel() { client.core.cancel(id) }

  /// The fields that came after the body; nil before its end.
  var trailers: HTTPHeaders? { stream.trailers }

  func next() async throws(HTTPError) -> HTTPBody? {
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        if stream.take(continuation) { client.core.resume(id) }
      }
    } onCancel: {
      client.core.cancel(id)
    }
    return try result.get()
  }
}
